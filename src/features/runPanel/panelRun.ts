import * as vscode from 'vscode';
import { localMedia } from '../../domain/media';
import type { ModelContract } from '../../domain/model';
import type { RunDraft, RunStep } from '../../domain/run';
import type { Ledger } from '../../indexing/ledger';
import { executeCommand } from '../../platform/commands';
import type { ShownResult } from '../../platform/resultHost';
import { messageOf } from '../../platform/showError';
import type { RunView, ShownRun } from '../../protocol/run';
import type { RunRecord } from '../../runs/history/record';
import type { FinishedRun } from '../../runs/runs';
import type { Services } from '../../services';
import { formatDuration } from '../../wording/duration';
import type { Attachments } from './attachments';
import { HeldResponse } from './heldResponse';
import { noteIndexed } from './noteIndexed';
import { shownRun } from './shownRun';

interface RunEvents {
  readonly show: (view: RunView) => void;
  readonly ran: (recordId: string) => void;
}

/** The run of one panel: at most one at a time, its steps told to the page, its response held for it. */
export class PanelRun {
  #working: { readonly startedAt: number; step: RunStep; readonly stop: AbortController } | undefined;
  #done: ShownRun | undefined;
  #held: HeldResponse | undefined;
  /** Which of the user's files a search hit is. */
  #ledger: Ledger | undefined;

  constructor(
    private readonly services: Services,
    private readonly panel: vscode.WebviewPanel,
    private readonly attachments: Attachments,
    private readonly events: RunEvents,
  ) {}

  get view(): RunView {
    if (this.#working) {
      const { startedAt, step, stop } = this.#working;
      return { state: 'running', elapsedMs: Date.now() - startedAt, step, stopping: stop.signal.aborted };
    }
    return this.#done ? { state: 'done', run: this.#done } : { state: 'idle' };
  }

  /** The response the page is asking about. */
  get heldResponse(): HeldResponse {
    if (this.#held) return this.#held;
    throw new Error(vscode.l10n.t('The response of this run is not kept any more.'));
  }

  /** The result as the page asks about it by its run's id. */
  shownResult(runId: string): ShownResult | undefined {
    const held = this.#held;
    if (!held || held.record.id !== runId) return undefined;
    const { baseUrl, draft, attachments } = held.record;
    return {
      source: held.source,
      baseUrl,
      contentType: held.contentType,
      attachments: attachments.map(({ uri }) => uri),
      fileOf: (id) => {
        const dataset = { baseUrl, model: draft.model, scope: draft.scope ?? '' };
        return this.#ledger?.find(dataset, id)?.file;
      },
    };
  }

  /** Begins a run and returns; what becomes of it is told by events. */
  async start(contract: ModelContract, draft: RunDraft, anyway: boolean): Promise<void> {
    if (this.#working) return;
    this.#working = { startedAt: Date.now(), step: { step: 'checking' }, stop: new AbortController() };
    this.#tell();
    this.#follow(contract, draft, anyway).catch((error: unknown) => {
      this.services.log.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(messageOf(error));
    });
  }

  stopWaiting(): void {
    this.#working?.stop.abort();
    this.#tell();
  }

  /** What the run cost may be told later than its response. */
  noteReceipts(changed: readonly RunRecord[]): void {
    const { cost } = changed.find(({ id }) => id === this.#done?.id) ?? {};
    if (!this.#done || !cost || this.#done.cost) return;
    this.#done = { ...this.#done, cost };
    this.#tell();
  }

  /** After a restart: the last run as history has it. */
  async restore(recordId: string | undefined): Promise<void> {
    if (recordId === undefined || this.#done) return;
    await this.#showKept(recordId);
  }

  /** Another run of the history, in the place of the one that is shown. */
  async show(recordId: string): Promise<void> {
    if (this.#working)
      throw new Error(vscode.l10n.t('A run is under way in this panel. Its result comes here.'));
    if (!(await this.#showKept(recordId)))
      throw new Error(vscode.l10n.t('This run is no longer in the history.'));
    this.events.ran(recordId);
  }

  /** The run that is shown, if the history has it. */
  get shownId(): string | undefined {
    return this.#working || !this.#done?.id ? undefined : this.#done.id;
  }

  async #showKept(recordId: string): Promise<boolean> {
    const history = await this.services.history();
    const record = history.get(recordId);
    if (!record || this.#working) return false;
    const kept = record.result && (await history.result(recordId));
    if (this.#working) return false;
    this.#held = kept ? HeldResponse.kept(record, kept) : undefined;
    await this.#finish(record, undefined);
    return true;
  }

  async #follow(contract: ModelContract, draft: RunDraft, anyway: boolean): Promise<void> {
    const working = this.#working!;
    let finished: FinishedRun;
    try {
      const uris = [...localMedia(draft.input), ...localMedia(draft.params)].map((media) => media.media_ref);
      const files = await this.attachments.localFiles(uris);
      const seconds = vscode.workspace.getConfiguration('modelBench').get<number>('runTimeoutSeconds', 0);
      const runs = await this.services.runs();
      finished = await runs.perform(
        { contract, draft, files, source: 'panel', check: { schema: anyway ? 'skip' : 'check' } },
        {
          signal: working.stop.signal,
          timeoutMs: seconds * 1000,
          onStep: (step) => {
            working.step = step;
            this.#tell();
          },
          // Known before it is sent: a window that ends meanwhile comes back to this run, and says that it is unknown.
          onRecorded: this.events.ran,
        },
      );
    } catch (error) {
      this.#working = undefined;
      this.#held = undefined;
      this.#done = notBegun(working.startedAt, this.services.connection.active?.name ?? '', error);
      this.#tell();
      return;
    }
    this.#working = undefined;
    this.#held = HeldResponse.of(finished.record, finished.response);
    this.events.ran(finished.record.id);
    await this.services
      .ledger()
      .then((ledger) => noteIndexed(ledger, finished.record))
      .catch((error: unknown) => this.services.log.warn(String(error)));
    await this.#finish(finished.record, finished.error, finished.uploadsForgotten);
    this.#notify(finished.record);
  }

  async #finish(record: RunRecord, error: unknown, uploadsForgotten?: boolean): Promise<void> {
    this.#ledger = await this.services.ledger().catch(() => undefined);
    this.#done = shownRun(record, this.#held?.describe(), error, uploadsForgotten);
    this.#tell();
  }

  #tell(): void {
    this.events.show(this.view);
  }

  /** A run that ended where nobody looks is told of, once and without taking the focus. */
  #notify(record: RunRecord): void {
    if (isVisible(this.panel)) return;
    const took = formatDuration((record.finishedAt ?? Date.now()) - record.startedAt, vscode.env.language);
    const text =
      record.state === 'finished'
        ? vscode.l10n.t('{0}: run finished in {1}.', record.modelName, took)
        : `${record.modelName}: ${this.#done?.message ?? record.state}`;
    const show = vscode.l10n.t('Show');
    void vscode.window.showInformationMessage(text, show).then((chosen) => {
      if (chosen === undefined) return;
      if (isOpen(this.panel)) this.panel.reveal();
      // Closed meanwhile: as the history opens it, with its response.
      else void executeCommand('modelBench.openRun', { id: record.id });
    });
  }
}

/** A disposed panel throws when asked anything. */
function isVisible(panel: vscode.WebviewPanel): boolean {
  try {
    return panel.visible;
  } catch {
    return false;
  }
}

function isOpen(panel: vscode.WebviewPanel): boolean {
  try {
    return panel.viewColumn !== undefined || !panel.visible;
  } catch {
    return false;
  }
}

/** A run that ended before it had a record: a file is gone, or a part could not be loaded. */
function notBegun(startedAt: number, environment: string, error: unknown): ShownRun {
  return {
    id: '',
    state: 'notSent',
    environment,
    startedAt,
    finishedAt: Date.now(),
    message: messageOf(error),
    attachments: [],
    nextStep: { step: 'showLog', title: vscode.l10n.t('Show Log') },
  };
}
