import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import type { JsonSchema } from '../../domain/json';
import { loggedError } from '../../domain/loggedError';
import { localRefs } from '../../domain/media';
import type { ModelContract } from '../../domain/model';
import type { RunResponse } from '../../domain/response';
import { type ResponseMapping, responseMappingOf } from '../../domain/responseMapping';
import type { RunDraft, RunStep } from '../../domain/run';
import type { RunRecord } from '../../domain/runRecord';
import { durationOf } from '../../domain/runTimes';
import { sameJson } from '../../domain/value';
import type { PageResult } from '../../platform/resultHost';
import { ResultViews } from '../../platform/resultViews';
import { RunResult } from '../../platform/runResult';
import type { RunStatus, ShownRun } from '../../protocol/run';
import type { PerformedRun } from '../../runs/runs';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import { executeCommand } from '../../vscode/commands';
import { showErrorMessage, showInformationMessage } from '../../vscode/messages/notifications';
import { readSetting } from '../../vscode/settings';
import { messageOf } from '../../vscode/showError';
import { noteStepDone } from '../../vscode/walkthrough';
import { formatDuration } from '../../wording/duration';
import { ofEnvironment } from '../../wording/ofEnvironment';
import type { Attachments } from './attachments';
import { noteIndexed } from './noteIndexed';
import { shownRun } from './shownRun';

interface RunEvents {
  readonly show: (status: RunStatus) => void;
  readonly ran: (recordId: string) => void;
  /** A run has ended, and is in the history. */
  readonly ended: (record: RunRecord) => Promise<void>;
  /** The schema of a mode's results. */
  readonly outputOf: (mode: string) => JsonSchema | undefined;
  /** The expectations of the panel's run file, checked; undefined: it has none. */
  readonly checks: (record: RunRecord, response: RunResponse | undefined) => ShownRun['checks'];
}

/** Runs among which the last result is looked for. */
const LOOKED_AT = 50;

/** The run of one panel: at most one at a time. Its steps are shown on the page, and its result is held for it. */
export class PanelRun {
  #working:
    | {
        readonly environment: Environment;
        readonly startedAt: number;
        step: RunStep;
        readonly stop: AbortController;
      }
    | undefined;
  #done: ShownRun | undefined;
  #result: RunResult | undefined;
  /** By which the shown run was read. */
  #mapping: ResponseMapping | undefined;
  readonly #views: ResultViews;
  /** Maps search hits to the user's files. */
  #datasets: Datasets | undefined;

  constructor(
    private readonly services: Services,
    private readonly panel: vscode.WebviewPanel,
    private readonly attachments: Attachments,
    private readonly events: RunEvents,
  ) {
    this.#views = new ResultViews(services.context.globalState);
  }

  get status(): RunStatus {
    if (this.#working) {
      const { environment, startedAt, step, stop } = this.#working;
      const elapsedMs = Date.now() - startedAt;
      return {
        state: 'running',
        elapsedMs,
        step,
        stopping: stop.signal.aborted,
        environment: environment.name,
      };
    }
    return this.#done ? { state: 'done', run: this.#done } : { state: 'idle' };
  }

  /** The response the page is asking about. */
  get runResult(): RunResult {
    if (this.#result) return this.#result;
    throw new Error(l10n.t('The response of this run is no longer stored.'));
  }

  pageResult(runId: string): PageResult | undefined {
    const result = this.#result;
    if (!result || result.record.id !== runId) return undefined;
    return result.forPage(this.#datasets, this.#views, this.events.outputOf(result.record.draft.mode));
  }

  /** Starts a run and returns; its progress and outcome are reported by events. */
  start(environment: Environment, contract: ModelContract, draft: RunDraft, anyway: boolean): void {
    if (this.#working) return;
    this.#working = {
      environment,
      startedAt: Date.now(),
      step: { step: 'checking' },
      stop: new AbortController(),
    };
    this.#show();
    this.#follow(environment, contract, draft, anyway).catch((error: unknown) => {
      this.services.log.error(loggedError(error));
      void showErrorMessage(messageOf(error));
    });
  }

  stopWaiting(): void {
    this.#working?.stop.abort();
    this.#show();
  }

  /** The cost of the shown run may be reported after its response, and its outcome may be set elsewhere. */
  async follow(changed: readonly RunRecord[]): Promise<void> {
    const record = changed.find(({ id }) => id === this.#done?.id);
    if (!record || !this.#done || this.#working) return;
    const isReadOtherwise = this.#mapping !== responseMappingOf(record.baseUrl);
    if (record.state !== this.#done.state || isReadOtherwise) return void (await this.#showKept(record.id));
    if (sameJson(record.cost ?? null, this.#done.cost ?? null)) return;
    this.#done = { ...this.#done, cost: record.cost };
    this.#show();
  }

  /** After a restart: the last run as history has it. */
  async restore(recordId: string | undefined): Promise<void> {
    if (recordId === undefined || this.#done) return;
    await this.#showKept(recordId);
  }

  /** The last result of a model in an environment, when it is opened: folded, since nothing asked for it. */
  async showLast(model: string, baseUrl: string): Promise<void> {
    const { runs } = await this.services.history();
    if (this.#done) return;
    const last = runs
      .ofModel(model, LOOKED_AT)
      .find((run) => run.baseUrl === baseUrl && run.state === 'finished' && run.result);
    if (last) await this.#showKept(last.id, true);
  }

  /** Another run of the history, in place of the one shown. */
  async show(recordId: string): Promise<void> {
    if (this.#working)
      throw new Error(l10n.t('A run is in progress in this panel. Its result will be shown here.'));
    if (!(await this.#showKept(recordId))) throw new Error(l10n.t('This run is no longer in the history.'));
    this.events.ran(recordId);
  }

  /** The id of the run shown, if it is in the history. */
  get shownId(): string | undefined {
    return this.#working || !this.#done?.id ? undefined : this.#done.id;
  }

  async #showKept(recordId: string, isLast = false): Promise<boolean> {
    const history = await this.services.history();
    const record = history.get(recordId);
    if (!record || this.#working) return false;
    const kept = record.result && (await history.runs.result(recordId));
    const result = kept ? RunResult.kept(record, kept) : undefined;
    if (this.#working) return false;
    this.#result = result;
    await this.#finish(record, undefined, false, isLast);
    return true;
  }

  async #follow(
    environment: Environment,
    contract: ModelContract,
    draft: RunDraft,
    anyway: boolean,
  ): Promise<void> {
    const working = this.#working!;
    let performed: PerformedRun;
    try {
      const uris = localRefs(draft.input, draft.params);
      const files = await this.attachments.localFiles(uris);
      const runs = await this.services.runs();
      performed = await runs.perform(
        {
          environment,
          contract,
          draft,
          files,
          check: { schema: anyway ? 'skip' : 'check' },
        },
        {
          signal: working.stop.signal,
          timeoutMs: readSetting('runTimeoutSeconds') * 1000,
          onStep: (step) => {
            working.step = step;
            this.#show();
          },
          // Before it is sent: a window that is closed meanwhile restores this run, as unconfirmed.
          onRecorded: this.events.ran,
        },
      );
    } catch (error) {
      this.#working = undefined;
      this.#done = notBegun(environment.name, error);
      this.#show();
      return;
    }
    this.#working = undefined;
    // The last result stays below the reason why this run was not sent.
    if (performed.record.state !== 'notSent') {
      this.#result = RunResult.of(performed.record, performed.response);
      this.events.ran(performed.record.id);
    }
    await this.services
      .store()
      .then(({ datasets }) =>
        noteIndexed(
          datasets,
          performed.record,
          performed.error === undefined ? performed.response : undefined,
        ),
      )
      .catch((error: unknown) => this.services.log.warn(loggedError(error)));
    await this.events
      .ended(performed.record)
      .catch((error: unknown) => this.services.log.warn(loggedError(error)));
    await this.#finish(performed.record, performed.error, performed.uploadsForgotten);
    if (performed.record.state === 'finished') void noteStepDone(this.services.context.globalState, 'run');
    noticeOutcome(this.panel, performed.record, this.#done?.message);
  }

  async #finish(
    record: RunRecord,
    error: unknown,
    uploadsForgotten?: boolean,
    isLast = false,
  ): Promise<void> {
    this.#datasets = await this.services.store().then(
      ({ datasets }) => datasets,
      () => undefined,
    );
    const checks = this.events.checks(record, this.#result?.response);
    this.#mapping = responseMappingOf(record.baseUrl);
    this.#done = {
      ...shownRun(record, this.#result?.describe(), error, uploadsForgotten),
      checks,
      isLast,
    };
    this.#show();
  }

  #show(): void {
    this.events.show(this.status);
  }
}

/** A run that ended before it was recorded: a file no longer exists, or a part could not be loaded. */
function notBegun(environment: string, error: unknown): ShownRun {
  return {
    id: '',
    state: 'notSent',
    environment,
    message: messageOf(error),
    attachments: [],
    nextStep: { step: 'showLog', title: l10n.t('Show Log') },
  };
}

/**
 * Reports a run that ended while its panel was hidden or closed, once and without taking the focus.
 * @param message why it did not finish
 */
function noticeOutcome(panel: vscode.WebviewPanel, record: RunRecord, message: string | undefined): void {
  if (visibilityOf(panel)) return;
  const duration = durationOf(record);
  const text =
    record.state === 'finished' && duration !== undefined
      ? l10n.t('{0}: run finished in {1}.', record.modelName, formatDuration(duration, vscode.env.language))
      : l10n.t('{0}: {1}', record.modelName, message ?? record.state);
  const show = l10n.t('Show');
  void showInformationMessage(ofEnvironment(record.environment, text), show).then((chosen) => {
    if (chosen === undefined) return;
    if (visibilityOf(panel) !== undefined) panel.reveal();
    // Closed meanwhile: opened from the history, with its response.
    else void executeCommand('modelBench.openRun', { id: record.id });
  });
}

/** Undefined: the panel was closed; it throws when it is used. */
function visibilityOf(panel: vscode.WebviewPanel): boolean | undefined {
  try {
    return panel.visible;
  } catch {
    return undefined;
  }
}
