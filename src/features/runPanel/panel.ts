import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Environment, environmentId } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import { localMedia, mediaName } from '../../domain/media';
import { type Modality, modelModality } from '../../domain/modality';
import { modeOf } from '../../domain/model';
import type { RunRecord } from '../../domain/runRecord';
import { openPage } from '../../platform/openPage';
import { chooseEnvironment } from '../../platform/pickers/chooseEnvironment';
import { resultHandlers } from '../../platform/resultHost';
import { isSendingConfirmed } from '../../platform/runFiles/environment';
import type { LoadedDraft } from '../../platform/runFiles/load';
import type { ReadyRunFile } from '../../platform/runFiles/ready';
import { saveAsRunFile } from '../../platform/runFiles/save';
import { runFileUses } from '../../platform/runFiles/uses';
import { type Channel, type Handlers, readyCall } from '../../protocol/channel';
import {
  type PanelAct,
  type PanelState,
  type RunHostMethods,
  type RunPageMethods,
  runHostMethods,
  runPageMethods,
  type ShownEnvironment,
  type ShownFile,
} from '../../protocol/run';
import type { History } from '../../runs/history/history';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { actionFor, runAction } from '../../vscode/showError';
import { plainLine, visibleText } from '../../wording/plainText';
import { toShown } from '../../wording/shownContract';
import { Attachments } from './attachments';
import { actOnEarlier, earlierRuns } from './earlierRuns';
import { FileLink } from './fileLink';
import { fileHandlers, responseHandlers } from './pageHandlers';
import { PanelModel } from './panelModel';
import { PanelRun } from './panelRun';
import { runInTerminal } from './runInTerminal';
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
  readonly #link: FileLink | undefined;
  /** ID of the environment of the shown model. */
  #loadedFor: string;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private saved: SavedPanel,
    private readonly services: Services,
    private readonly savedPanels: SavedPanels,
    private readonly folders: PanelFolders,
    /** Opened to be looked at, until something is entered or run in it. */
    private preview: boolean,
  ) {
    const { context, connection, log } = services;
    this.#loadedFor = environmentId(this.environment);
    this.#attachments = new Attachments(saved.granted, folders.attachments, context.globalState, () =>
      this.#keep({ granted: this.#attachments.granted }),
    );
    this.#run = new PanelRun(services, panel, this.#attachments, {
      show: (view) => this.#channel.notify('showRun', view),
      ran: (lastRunId) => this.#keep({ lastRunId }),
      checks: (record, response) => this.#link?.checks(record, response),
      ended: (record) => this.#noteRun(record),
      outputOf: (mode) => this.#model.contract && modeOf(this.#model.contract, mode)?.output?.schema,
    });
    this.#link =
      saved.runFile === undefined
        ? undefined
        : this.#store.add(
            new FileLink(vscode.Uri.parse(saved.runFile, true), {
              draft: () => this.saved.work?.draft,
              show: (file) => this.#showFile(file),
              take: (loaded) => this.#takeFile(loaded),
            }),
          );
    this.#model = this.#store.add(
      new PanelModel({
        services,
        slug: saved.model,
        environment: () => this.environment,
        channel: () => this.#channel,
        mode: () => this.saved.work?.draft.mode,
        files: () => filesIn(this.saved),
        onNamed: (modelName) => {
          this.#keep({ modelName });
          this.#showTitle();
        },
      }),
    );
    this.#channel = this.#store.add(
      openPage(panel, services, {
        name: 'run',
        icon: this.#modality ?? 'run',
        title: this.#link ? this.#link.shown.name : panelTitle(saved),
        ours: runHostMethods,
        handlers: this.#handlers(),
        theirs: runPageMethods,
        folders: [folders.attachments, folders.responses],
        firstCall: readyCall,
      }),
    );
    // Its environment stays; its key, its address, or its production mark may have changed.
    this.#store.add(connection.onDidChange(() => this.#followEnvironment()));
    this.#store.add(connection.onDidChangeList(() => this.#followEnvironment()));
    this.#store.add(panel.onDidDispose(() => this.#closed()));
    this.#followHistory().catch((error: unknown) => log.warn(loggedError(error)));
  }

  async #followHistory(): Promise<void> {
    const history = await this.services.history();
    const follow = (changed: readonly RunRecord[]) => {
      this.#run.follow(changed).catch((error: unknown) => this.services.log.warn(loggedError(error)));
      if (changed.some(({ draft, cost }) => draft.model === this.model && cost)) this.#model.showEstimate();
      if (changed.some(({ draft }) => draft.model === this.model)) this.#showHistory(history);
    };
    this.#store.add({ dispose: history.onDidChange(follow) });
  }

  #showHistory(history: History): void {
    this.#channel.notify('showFacts', { earlier: earlierRuns(history, this.model) });
  }

  get model(): string {
    return this.saved.model;
  }

  /** Where its runs are sent, until the user moves it. An address that was changed in the settings is followed. */
  get environment(): Environment {
    const { environment: name = '', baseUrl } = this.saved;
    const { connection } = this.services;
    // Opened before there was any.
    if (baseUrl === '') return connection.active ?? { name, baseUrl };
    const kept = { name: name || baseUrl, baseUrl };
    return connection.find(kept) ?? connection.environments.find((one) => one.name === name) ?? kept;
  }

  get #modality(): Modality | undefined {
    const models = this.services.catalog.of(this.environment).models;
    const listed = models?.find(({ slug }) => slug === this.saved.model);
    return listed && modelModality(listed);
  }

  /** The run of the history that it shows, or shows last. */
  get shownRunId(): string | undefined {
    return this.saved.lastRunId;
  }

  /** No other panel takes its place. */
  keep(): void {
    this.preview = false;
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** An action of the title bar that the page carries out. */
  act(act: PanelAct): void {
    this.#channel.notify('act', { act });
  }

  saveAsRunFile(): void {
    this.act('saveAsRunFile');
  }

  /** A tab that the user pinned stays. */
  get isPreview(): boolean {
    return this.preview && !tabOf(this.panel)?.isPinned;
  }

  reveal(): void {
    this.panel.reveal();
  }

  close(): void {
    this.panel.dispose();
  }

  dispose(): void {
    this.#save();
    this.#store.dispose();
  }

  #closed(): void {
    // Kept also of a preview: a reload closes it too, and brings it back.
    this.saved = { ...this.saved, closed: true, ...(this.preview && { preview: true }) };
    this.dispose();
    void this.savedPanels.prune();
  }

  #handlers(): Handlers<RunHostMethods> {
    const { webview } = this.panel;
    const { responses } = this.folders;
    return {
      ...resultHandlers({ webview, folder: responses, find: (runId) => this.#run.pageResult(runId) }),
      ...fileHandlers(this.#attachments, webview),
      ...responseHandlers(this.#run, this.services, responses, () => this.environment),
      ready: async () => {
        const state = await this.#state();
        setTimeout(() => this.#complete());
        return state;
      },
      edit: (work) => {
        const isEdited = work.editedAt !== this.saved.work?.editedAt;
        this.#keep({ work, ...(isEdited && { excerpt: undefined }) });
        if (isEdited) this.keep();
        if (isEdited) this.#showTitle();
        this.#link?.renew();
      },
      run: async ({ draft, anyway }) => {
        const { environment } = this;
        this.keep();
        if (this.#link && !(await isSendingConfirmed(this.#link.uri, environment, this.services.connection)))
          return;
        this.#run.start(environment, await this.#model.known(), draft, anyway);
      },
      stopWaiting: () => this.#run.stopWaiting(),
      runInTerminal: async (wanted) => {
        const contract = await this.#model.known();
        await runInTerminal(this.services, this.#attachments, this.environment, contract, wanted);
      },
      saveFile: () => this.#link?.save(),
      revertFile: () => this.#link?.revert(),
      showFile: async () => {
        if (this.#link)
          await vscode.window.showTextDocument(this.#link.uri, { viewColumn: vscode.ViewColumn.Beside });
      },
      saveAsRunFile: () => this.#saveAs(),
      setUpExperiment: async ({ vary }) => {
        const draft = this.saved.work?.draft;
        const environment = this.environment.name;
        if (draft)
          await executeCommand('modelBench.newExperiment', {
            draft,
            environment,
            runFile: this.#link?.uri,
            vary,
          });
      },
      setFavorite: ({ favorite }) => this.#model.setFavorite(favorite),
      reloadContract: () => this.#model.load(true),
      showSource: ({ at }) => this.#model.showSource(at),
      useAnotherSchema: ({ mode }) => this.#model.useAnotherSchema(mode),
      takeStep: async ({ step }) => {
        const id = this.#run.shownId;
        if (step === 'askAgain' && id !== undefined) await executeCommand('modelBench.askAgain', { id });
        else if (step !== 'fixInput' && step !== 'retry')
          await runAction(actionFor(step, this.#model.unread, this.environment));
      },
      chooseEnvironment: () => this.#chooseEnvironment(),
      showEarlier: ({ id }) => this.#run.show(id),
      actOnEarlier: ({ id, act }) => actOnEarlier(id, act, this.#run.shownId),
    };
  }

  async #state(): Promise<PanelState> {
    const { log } = this.services;
    await this.#model.loadCached();
    await this.#link?.begin();
    await this.#run.restore(this.saved.lastRunId).catch((error: unknown) => log.warn(loggedError(error)));
    // Also before anything is entered: after a reload the panel is found by this.
    this.#save();
    const files = await this.#attachments.describeAll(this.panel.webview);
    const scopes = await this.#model.scopes();
    const estimate = await this.#model.estimate().catch(() => undefined);
    // Read after all waiting: this replaces notifications that came meanwhile, so an older state would stay.
    const { contract } = this.#model;
    return {
      panelId: this.saved.id,
      modelName: visibleText(contract?.name ?? this.saved.modelName),
      environment: this.#shownEnvironment(),
      contract: contract && toShown(contract),
      work: this.saved.work,
      run: this.#run.status,
      favorite: this.#model.isFavorite,
      files,
      scopes,
      estimate,
      ...(this.#link && { file: this.#link.shown }),
    };
  }

  /** Adds slower parts to the first paint: the service's own contract, and earlier runs. */
  #complete(): void {
    const { log } = this.services;
    void this.#model.load(false);
    this.services
      .history()
      .then(async (history) => {
        this.#showHistory(history);
        // A panel of its own run, or of a file, has its own result.
        if (this.saved.lastRunId === undefined && !this.#link)
          await this.#run.showLast(this.model, this.environment.baseUrl);
      })
      .catch((error: unknown) => log.warn(loggedError(error)));
  }

  #showTitle(): void {
    if (!this.#link) this.panel.title = plainLine(panelTitle(this.saved));
  }

  #showFile(file: ShownFile): void {
    const name = plainLine(file.name);
    this.panel.title = plainLine(file.state === 'saved' ? name : `● ${name}`);
    this.#channel.notify('showFacts', { file });
  }

  /** The file's request takes the place of the panel's own. */
  async #takeFile({ draft, uris }: LoadedDraft): Promise<void> {
    this.#attachments.grant([...uris.values()]);
    const { tab = 'form' } = this.saved.work ?? {};
    this.#keep({ work: { tab, draft, editedAt: Date.now() } });
    const files = await this.#attachments.describeAll(this.panel.webview);
    if (this.saved.work) this.#channel.notify('showWork', { work: this.saved.work, files });
  }

  async #saveAs(): Promise<void> {
    const draft = this.saved.work?.draft;
    const uri = draft && (await saveAsRunFile(draft));
    if (uri) await executeCommand('modelBench.openRunFile', uri);
  }

  /** The parts of its model that the file used: later changes of the model are compared with them. */
  async #noteRun(record: RunRecord): Promise<void> {
    const file = this.#link?.file;
    if (!this.#link || !file || record.sentAt === undefined) return;
    // A run that is quick ends before a new panel has loaded its model.
    const contract = await this.#model.known();
    await runFileUses(this.services.context).note(this.#link.uri, file, contract, record);
  }

  /** Runs the unchanged file. @throws when the panel has changes of its own, or runs already */
  async runFile({ environment, contract, draft }: ReadyRunFile): Promise<void> {
    this.reveal();
    if (this.#run.status.state === 'running')
      throw new Error(l10n.t('A run is in progress in this panel. Its result will be shown here.'));
    if (this.#link?.shown.state === 'changed' || this.#link?.shown.state === 'conflict')
      throw new Error(
        l10n.t(
          'The run panel of “{0}” has changes that are not saved. Save them, or run it there.',
          this.#link.shown.name,
        ),
      );
    await this.#link?.revert();
    this.#run.start(environment, contract, draft, false);
  }

  /** Runs the panel's initial request. */
  async runNow(): Promise<void> {
    const { work } = this.saved;
    if (!work) return;
    this.preview = false;
    this.#run.start(this.environment, await this.#model.known(), work.draft, false);
  }

  get runFileUri(): string | undefined {
    return this.saved.runFile;
  }

  #shownEnvironment(): ShownEnvironment {
    const { connection } = this.services;
    const { name, baseUrl } = this.environment;
    const isActive = connection.active?.name === name;
    return { name, baseUrl, production: connection.isProduction({ name }), active: isActive };
  }

  /** Asks where the panel's runs are sent from now on. */
  async #chooseEnvironment(): Promise<void> {
    const chosen = await chooseEnvironment(this.services.connection, {
      title: l10n.t('Send the Runs of This Panel To'),
      current: this.environment,
    });
    if (!chosen || chosen === 'other') return;
    this.#keep({ environment: chosen.name, baseUrl: chosen.baseUrl });
    this.#followEnvironment();
  }

  #followEnvironment(): void {
    const { environment } = this;
    const { environment: name, baseUrl } = this.saved;
    if (name !== environment.name || baseUrl !== environment.baseUrl)
      this.#keep({ environment: environment.name, baseUrl: environment.baseUrl });
    this.#channel.notify('showFacts', { environment: this.#shownEnvironment() });
    const isMoved = this.#loadedFor !== environmentId(environment);
    this.#loadedFor = environmentId(environment);
    void (isMoved ? this.#model.reload() : this.#model.load(true));
  }

  #keep(changes: Partial<SavedPanel>): void {
    const before = this.saved;
    this.saved = { ...this.saved, ...changes };
    this.#save();
    const isOther =
      this.saved.work?.draft.mode !== before.work?.draft.mode || filesIn(this.saved) !== filesIn(before);
    if (isOther || changes.lastRunId !== undefined) this.#model.showEstimate();
  }

  /** Saves at once; while a write is in progress, only the newest state waits. */
  #save(): void {
    this.savedPanels.save(this.saved).catch((error: unknown) => this.services.log.error(loggedError(error)));
  }
}

function filesIn({ work }: SavedPanel): number {
  return work ? localMedia(work.draft.input).length : 0;
}

/** The model, and its file or the beginning of the input of the run shown. */
function panelTitle({ modelName, excerpt, work }: SavedPanel): string {
  const [file] = work ? localMedia(work.draft.input) : [];
  const input = (file && mediaName(file)) || excerpt;
  return input ? `${modelName} · ${input}` : modelName;
}

function tabOf({ title, viewColumn }: vscode.WebviewPanel): vscode.Tab | undefined {
  const group = vscode.window.tabGroups.all.find((one) => one.viewColumn === viewColumn);
  return group?.tabs.find(({ input, label }) => input instanceof vscode.TabInputWebview && label === title);
}
