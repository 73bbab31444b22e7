import * as vscode from 'vscode';
import { toShown } from '../../domain/model';
import { DisposableStore } from '../../platform/disposables';
import { openPage } from '../../platform/openPage';
import { resultHandlers } from '../../platform/resultHost';
import { actionFor, runAction } from '../../platform/showError';
import { type Channel, type Handlers, readyCall } from '../../protocol/channel';
import {
  type PanelState,
  type RunHostMethods,
  type RunPageMethods,
  runHostMethods,
  runPageMethods,
} from '../../protocol/run';
import type { History } from '../../runs/history/history';
import type { RunRecord } from '../../runs/history/record';
import type { Services } from '../../services';
import { Attachments } from './attachments';
import { actOnEarlier, earlierRuns } from './earlierRuns';
import { fileHandlers, responseHandlers, textHandlers } from './pageHandlers';
import { PanelModel } from './panelModel';
import { PanelRun } from './panelRun';
import type { SavedPanel, SavedPanels } from './savedPanels';

/** Where run panels keep things, under the extension's global storage. */
export interface PanelFolders {
  readonly attachments: vscode.Uri;
  readonly responses: vscode.Uri;
}

/** One run panel: its page, its files, its run, and the work that outlives it. */
export class RunPanel implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #channel: Channel<RunHostMethods, RunPageMethods>;
  readonly #attachments: Attachments;
  readonly #run: PanelRun;
  readonly #model: PanelModel;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private saved: SavedPanel,
    private readonly services: Services,
    private readonly savedPanels: SavedPanels,
    private readonly folders: PanelFolders,
  ) {
    const { context, connection, log } = services;
    this.#attachments = new Attachments(saved.granted, folders.attachments, context.globalState, () =>
      this.#keep({ granted: this.#attachments.granted }),
    );
    this.#run = new PanelRun(services, panel, this.#attachments, {
      show: (view) => this.#channel.notify('showRun', view),
      ran: (lastRunId) => this.#keep({ lastRunId }),
    });
    this.#model = this.#store.add(
      new PanelModel({
        services,
        slug: saved.model,
        channel: () => this.#channel,
        mode: () => this.saved.work?.draft.mode,
        onNamed: (modelName) => {
          panel.title = modelName;
          this.#keep({ modelName });
        },
      }),
    );
    this.#channel = this.#store.add(
      openPage(panel, services, {
        name: 'run',
        title: saved.modelName,
        ours: runHostMethods,
        handlers: this.#handlers(),
        theirs: runPageMethods,
        folders: [
          context.globalStorageUri,
          ...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri),
        ],
        firstCall: readyCall,
      }),
    );
    this.#store.add(
      connection.onDidChange(() => {
        this.#channel.notify('showEnvironment', this.#environment());
        void this.#model.load(true);
      }),
    );
    this.#store.add(panel.onDidDispose(() => this.#closed()));
    this.#followReceipts().catch((error: unknown) => log.warn(String(error)));
  }

  async #followReceipts(): Promise<void> {
    const history = await this.services.history();
    const follow = (changed: readonly RunRecord[]) => {
      this.#run.noteReceipts(changed);
      if (changed.some(({ draft, cost }) => draft.model === this.model && cost)) this.#model.showEstimate();
      if (changed.some(({ draft }) => draft.model === this.model)) this.#showHistory(history);
    };
    this.#store.add({ dispose: history.onDidChange(follow) });
  }

  #showHistory(history: History): void {
    this.#channel.notify('showHistory', { runs: earlierRuns(history, this.model) });
  }

  get model(): string {
    return this.saved.model;
  }

  get baseUrl(): string {
    return this.saved.baseUrl;
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.#save();
    this.#store.dispose();
  }

  #closed(): void {
    this.saved = { ...this.saved, closed: true };
    this.dispose();
    void this.savedPanels.prune();
  }

  #handlers(): Handlers<RunHostMethods> {
    const { webview } = this.panel;
    const { responses } = this.folders;
    return {
      ...resultHandlers({ webview, folder: responses, find: (runId) => this.#run.shownResult(runId) }),
      ...fileHandlers(this.#attachments, webview),
      ...responseHandlers(this.#run, this.services, responses),
      ...textHandlers,
      ready: () => this.#state(),
      edit: (work) => this.#keep({ work }),
      run: async ({ draft, anyway }) => {
        this.#run.start(await this.#model.known(), draft, anyway);
      },
      stopWaiting: () => this.#run.stopWaiting(),
      reloadContract: () => this.#model.load(true),
      takeStep: async ({ step }) => {
        if (step !== 'fixInput' && step !== 'retry') await runAction(actionFor(step, this.#model.unread));
      },
      showEarlier: ({ id }) => this.#run.show(id),
      actOnEarlier: ({ id, act }) => actOnEarlier(id, act, this.#run.shownId),
    };
  }

  async #state(): Promise<PanelState> {
    const { log } = this.services;
    await this.#model.loadCached();
    await this.#run.restore(this.saved.lastRunId).catch((error: unknown) => log.warn(String(error)));
    // The cached contract is shown at once; the service's own follows.
    setTimeout(() => void this.#model.load(false), 0);
    this.services
      .history()
      .then((history) => this.#showHistory(history))
      .catch((error: unknown) => log.warn(String(error)));
    const { contract } = this.#model;
    return {
      panelId: this.saved.id,
      modelName: contract?.name ?? this.saved.modelName,
      ...this.#environment(),
      contract: contract && toShown(contract),
      work: this.saved.work,
      files: await this.#attachments.describeAll(this.panel.webview),
      scopes: await this.#model.scopes(),
      run: this.#run.view,
    };
  }

  #environment(): { environment: string; baseUrl: string } {
    const { active } = this.services.connection;
    return { environment: active?.name ?? '', baseUrl: active?.baseUrl ?? '' };
  }

  #keep(changes: Partial<SavedPanel>): void {
    const modeBefore = this.saved.work?.draft.mode;
    this.saved = { ...this.saved, ...changes };
    this.#save();
    if (this.saved.work?.draft.mode !== modeBefore || changes.lastRunId !== undefined)
      this.#model.showEstimate();
  }

  /** Saves at once; while a write is in progress, only the newest state waits. */
  #save(): void {
    this.savedPanels.save(this.saved).catch((error: unknown) => this.services.log.error(String(error)));
  }
}
