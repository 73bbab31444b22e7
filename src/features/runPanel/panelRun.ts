import * as vscode from 'vscode';
import { localMedia } from '../../contract/media';
import type { ModelContract } from '../../contract/model';
import type { RunDraft } from '../../contract/runRequest';
import { executeCommand } from '../../platform/commands';
import type { ShownResult } from '../../platform/resultHost';
import { messageOf } from '../../platform/showError';
import type { RunView, ShownRun } from '../../protocol/run';
import type { FinishedRun, RunRecord, RunStep } from '../../runs/runs';
import type { Services } from '../../services';
import type { Attachments } from './attachments';
import { HeldAnswer } from './heldAnswer';
import { resultOf } from './resultOf';
import { shownRun } from './shownRun';

interface RunEvents {
  readonly show: (view: RunView) => void;
  readonly ran: (recordId: string) => void;
}

/** The run of one panel: at most one at a time, its steps told to the page, its answer held for it. */
export class PanelRun {
  #working: { readonly startedAt: number; step: RunStep; readonly stop: AbortController } | undefined;
  #done: ShownRun | undefined;
  #held: HeldAnswer | undefined;
  #result: { readonly id: string; readonly shown: ShownResult } | undefined;

  constructor(
    private readonly services: Services,
    private readonly panel: vscode.WebviewPanel,
    private readonly answers: vscode.Uri,
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

  /** The answer the page is asking about. */
  get heldAnswer(): HeldAnswer {
    if (this.#held) return this.#held;
    throw new Error(vscode.l10n.t('The answer of this run is not kept any more.'));
  }

  /** The result the page is asking about; none when another run took its place. */
  resultOf(id: string): ShownResult | undefined {
    return this.#result?.id === id ? this.#result.shown : undefined;
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

  /** After a restart: the last run as history has it. */
  async restore(recordId: string | undefined): Promise<void> {
    if (recordId === undefined || this.#working || this.#done) return;
    const history = await this.services.history();
    const record = history.get(recordId);
    if (!record) return;
    const kept = record.result && (await history.result(recordId));
    if (kept && record.result) this.#held = await heldFromHistory(record, kept);
    await this.#finish(record, undefined);
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
    this.#held = HeldAnswer.of(finished);
    this.events.ran(finished.record.id);
    await this.#finish(finished.record, finished.error);
    this.#notify(finished.record);
  }

  async #finish(record: RunRecord, error: unknown): Promise<void> {
    const answer = await this.#held?.describe(this.panel.webview, this.answers);
    const shown = this.#held && (await resultOf(this.services, record, this.#held));
    this.#result = shown && { id: record.id, shown };
    this.#done = shownRun(record, answer, error);
    this.#tell();
  }

  #tell(): void {
    this.events.show(this.view);
  }

  /** A run that ended where nobody looks is told of, once and without taking the focus. */
  #notify(record: RunRecord): void {
    if (isVisible(this.panel)) return;
    const seconds = ((record.finishedAt ?? Date.now()) - record.startedAt) / 1000;
    const text =
      record.state === 'finished'
        ? vscode.l10n.t('{0}: run finished in {1} s.', record.modelName, seconds.toFixed(1))
        : `${record.modelName}: ${this.#done?.message ?? record.state}`;
    const show = vscode.l10n.t('Show');
    void vscode.window.showInformationMessage(text, show).then((chosen) => {
      if (chosen === undefined) return;
      if (isOpen(this.panel)) this.panel.reveal();
      else void executeCommand('modelBench.runModel', { model: record.draft.model });
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

/** What history kept is read again as the answer was read then; a copy that was cut is shown as far as it goes. */
async function heldFromHistory(record: RunRecord, bytes: Uint8Array): Promise<HeldAnswer> {
  const { contentType, truncated } = record.result!;
  const json = truncated ? undefined : jsonOf(bytes);
  const { readRunAnswer } = await import('../../service/reading/run');
  const raw = { status: record.status ?? 200, contentType, headers: {}, bytes, json };
  const { output, recognised } = readRunAnswer(raw, new URL(record.baseUrl));
  return new HeldAnswer(record.id, contentType, bytes, {
    output,
    json: json !== undefined,
    recognised,
    truncated,
  });
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
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
