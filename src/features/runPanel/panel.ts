import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { RunModelArgs } from '../../contributions';
import type { ModelContract } from '../../domain/model';
import { toShown } from '../../domain/model';
import { DisposableStore } from '../../platform/disposables';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { openPage } from '../../platform/openPage';
import { resultHandlers } from '../../platform/resultHost';
import { actionFor, isCancelled, messageOf, runAction } from '../../platform/showError';
import { type Channel, type Handlers, readyCall } from '../../protocol/channel';
import {
  type PanelState,
  type RunHostMethods,
  type RunPageMethods,
  runHostMethods,
  runPageMethods,
  type ShownNextStep,
} from '../../protocol/run';
import type { History } from '../../runs/history/history';
import type { RunRecord } from '../../runs/history/record';
import type { RawResponse } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { nextStepOf } from '../../wording/errors';
import { Attachments } from './attachments';
import { actOnEarlier, earlierRuns } from './earlierRuns';
import { openPath, openText, saveResponse, useAsInput, visibleFile } from './editorActions';
import { PanelRun } from './panelRun';
import type { SavedPanel, SavedPanels } from './savedPanels';
import { shownStep } from './shownRun';

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
  #contract: ModelContract | undefined;
  /** The detail of the model that was not understood. */
  #unread: RawResponse | undefined;
  #loading: AbortController | undefined;

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
    this.#channel = this.#store.add(
      openPage(panel, {
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
        extensionUri: context.extensionUri,
        log,
      }),
    );
    this.#store.add(
      connection.onDidChange(() => {
        this.#channel.notify('showEnvironment', this.#environment());
        void this.#loadContract(true);
      }),
    );
    this.#store.add(panel.onDidDispose(() => this.#closed()));
    this.#followReceipts().catch((error: unknown) => log.warn(String(error)));
  }

  async #followReceipts(): Promise<void> {
    const history = await this.services.history();
    const follow = (changed: readonly RunRecord[]) => {
      this.#run.noteReceipts(changed);
      if (changed.some(({ draft, cost }) => draft.model === this.model && cost))
        this.#tellEstimate().catch((error: unknown) => this.services.log.warn(String(error)));
      if (changed.some(({ draft }) => draft.model === this.model)) this.#tellHistory(history);
    };
    this.#store.add({ dispose: history.onDidChange(follow) });
  }

  #tellHistory(history: History): void {
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
    this.#loading?.abort();
    this.#store.dispose();
  }

  #closed(): void {
    this.saved = { ...this.saved, closed: true };
    this.dispose();
    void this.savedPanels.prune();
  }

  #handlers(): Handlers<RunHostMethods> {
    const { webview } = this.panel;
    const attachments = this.#attachments;
    return {
      ...resultHandlers({
        webview,
        folder: this.folders.responses,
        find: (runId) => this.#run.shownResult(runId),
      }),
      ready: () => this.#state(),
      edit: (work) => this.#keep({ work }),
      run: async ({ draft, anyway }) => {
        const contract = this.#contract ?? (await this.services.catalog.contract(this.model));
        await this.#run.start(contract, draft, anyway);
        return null;
      },
      stopWaiting: () => this.#run.stopWaiting(),
      reloadContract: async () => {
        await this.#loadContract(true);
        return null;
      },
      pickFiles: async ({ accept, many }) =>
        attachments.attach(await pickFiles({ openLabel: vscode.l10n.t('Use'), many, kind: accept }), webview),
      attachUris: async ({ uris }) =>
        attachments.attach(await allowedDrops(uris, (uri) => attachments.isGranted(uri)), webview),
      attachOpenFile: ({ accept }) => attachments.attach([visibleFile(accept)], webview),
      beginUpload: ({ filename, sizeBytes }) => attachments.received.begin(filename, sizeBytes),
      uploadChunk: ({ id, bytes }) => attachments.received.chunk(id, bytes),
      endUpload: async ({ id }) => {
        const [file] = await attachments.attach([await attachments.received.end(id)], webview);
        return file!;
      },
      fileBytes: ({ uri }) => attachments.bytes(uri),
      readBody: ({ from, to }) => ({ text: this.#run.heldResponse.body.slice(from, to) }),
      openResponse: async ({ part }) => {
        const held = this.#run.heldResponse;
        if (held.kind === 'binary') await openPath(await held.file(this.folders.responses));
        else await openText(held.readable(part), held.kind === 'json' ? 'json' : 'plaintext');
        return null;
      },
      saveResponse: async () => {
        await saveResponse(this.#run.heldResponse);
        return null;
      },
      copyResponse: ({ part }) => this.#copy(this.#run.heldResponse.readable(part)),
      useAsInput: async () => {
        await useAsInput(this.services, this.#run.heldResponse, this.folders.responses);
        return null;
      },
      copyText: ({ text }) => this.#copy(text),
      openText: async ({ text, language }) => {
        await openText(text, language);
        return null;
      },
      openFile: async ({ uri }) => {
        if (attachments.isGranted(uri)) await openPath(vscode.Uri.parse(uri));
        return null;
      },
      openLink: async ({ url }) => {
        if (/^(https?|mailto):/i.test(url)) await vscode.env.openExternal(vscode.Uri.parse(url, true));
        return null;
      },
      takeStep: async ({ step }) => {
        if (step !== 'fixInput' && step !== 'retry') await runAction(actionFor(step, this.#unread));
        return null;
      },
      showEarlier: async ({ id }) => {
        await this.#run.show(id);
        return null;
      },
      actOnEarlier: async ({ id, act }) => {
        await actOnEarlier(id, act, this.#run.shownId);
        return null;
      },
    };
  }

  async #state(): Promise<PanelState> {
    const { catalog, log } = this.services;
    this.#contract ??= await catalog.cachedContract(this.model).catch(() => undefined);
    await this.#run.restore(this.saved.lastRunId).catch((error: unknown) => log.warn(String(error)));
    // What is cached is shown at once; the service's word on it follows by itself.
    setTimeout(() => void this.#loadContract(false), 0);
    this.services
      .history()
      .then((history) => this.#tellHistory(history))
      .catch((error: unknown) => log.warn(String(error)));
    return {
      panelId: this.saved.id,
      modelName: this.#contract?.name ?? this.saved.modelName,
      ...this.#environment(),
      contract: this.#contract && toShown(this.#contract),
      work: this.saved.work,
      files: await this.#attachments.describeAll(this.panel.webview),
      scopes: await this.#scopes(),
      run: this.#run.view,
    };
  }

  #environment(): { environment: string; baseUrl: string } {
    const { active } = this.services.connection;
    return { environment: active?.name ?? '', baseUrl: active?.baseUrl ?? '' };
  }

  async #loadContract(fresh: boolean): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      const contract = await this.services.catalog.contract(this.model, { fresh, signal: loading.signal });
      if (loading.signal.aborted || this.#store.isDisposed) return;
      this.#contract = contract;
      this.panel.title = contract.name;
      this.#keep({ modelName: contract.name });
      this.#channel.notify('showContract', { contract: toShown(contract) });
      this.#channel.notify('showScopes', { scopes: await this.#scopes() });
      await this.#tellEstimate();
    } catch (error) {
      if (loading.signal.aborted || this.#store.isDisposed || isCancelled(error)) return;
      this.services.log.error(error instanceof Error ? error : String(error));
      this.#unread = error instanceof ServiceError ? error.details.raw : undefined;
      const nextStep: ShownNextStep | undefined =
        error instanceof ServiceError ? shownStep(nextStepOf(error), this.#unread !== undefined) : undefined;
      this.#channel.notify('showContract', { problem: { message: messageOf(error), nextStep } });
    }
  }

  /** Scopes of this model that this machine knows, and the customary one for trying things. */
  async #scopes(): Promise<string[]> {
    const baseUrl = this.services.connection.active?.baseUrl ?? '';
    const known = await this.services
      .ledger()
      .then((ledger) => ledger.datasets(baseUrl))
      .catch(() => []);
    const ofModel = known.filter(({ model }) => model === this.model).map(({ scope }) => scope);
    return [...new Set([...ofModel, 'playground'])];
  }

  async #tellEstimate(): Promise<void> {
    const mode = this.saved.work?.draft.mode;
    const contract = this.#contract?.modes.find(({ name }) => name === mode);
    const estimates = await this.services.estimates();
    const text = estimates.text({
      baseUrl: this.services.connection.active?.baseUrl ?? '',
      model: this.model,
      mode,
      price: contract?.price ?? this.#contract?.price,
    });
    this.#channel.notify('showEstimate', { text: text === '' ? undefined : text });
  }

  #keep(changes: Partial<SavedPanel>): void {
    const modeBefore = this.saved.work?.draft.mode;
    this.saved = { ...this.saved, ...changes };
    this.#save();
    if (this.saved.work?.draft.mode !== modeBefore || changes.lastRunId !== undefined)
      this.#tellEstimate().catch((error: unknown) => this.services.log.warn(String(error)));
  }

  /** Written at once: what is being written meanwhile is followed by the newest only. */
  #save(): void {
    this.savedPanels.save(this.saved).catch((error: unknown) => this.services.log.error(String(error)));
  }

  async #copy(text: string): Promise<null> {
    await vscode.env.clipboard.writeText(text);
    return null;
  }
}

/** What a new panel begins with. */
export function newSavedPanel(
  args: RunModelArgs,
  contract: ModelContract | undefined,
  baseUrl: string,
  modelName: string,
): SavedPanel {
  const mode = args.mode ?? contract?.modes[0]?.name;
  const given = args.input ?? args.params ?? args.scope ?? args.mode;
  return {
    id: randomUUID(),
    model: args.model,
    modelName,
    baseUrl,
    granted: [...(args.attachments ?? [])],
    closed: false,
    ...(args.historyId !== undefined && { lastRunId: args.historyId }),
    work:
      given === undefined
        ? undefined
        : {
            tab: 'form',
            editedAt: Date.now(),
            draft: {
              model: args.model,
              mode: mode ?? 'execute',
              scope: args.scope,
              input: args.input ?? {},
              params: args.params ?? {},
            },
          },
  };
}
