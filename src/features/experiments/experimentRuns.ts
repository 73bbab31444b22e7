import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isDriftCheck } from '../../experiments/figures/driftFile';
import type { InterruptedExperiment, RunningExperiment } from '../../experiments/plan/experimentJobs';
import type { Offered } from '../../experiments/setup/offers';
import { interruptedCounts } from '../../jobs/interruptedCounts';
import type { JobProgress } from '../../jobs/progress';
import type { RunOffer } from '../../protocol/experimentSetUp';
import type { Services } from '../../services';
import { DisposableStore } from '../../vscode/disposables';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { showError } from '../../vscode/showError';
import { noteStepDone } from '../../vscode/walkthrough';

/**
 * Which runs of an experiment to start: those without a result, all or the first of them, those that failed, or those that were sent without a
 * response and may therefore be charged twice.
 */
export type WantedRuns = Offered | 'failed' | 'unconfirmed';

/** How far the runs of an experiment have come. `interrupted`: a closed or killed window has left them. */
export type ExperimentState =
  | JobProgress
  | { readonly state: 'interrupted'; readonly remaining: number; readonly unknown: number };

/** The runs of this window's experiments; each is named by the URI of its `NAME.experiment.json`. */
export class ExperimentRuns implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  /** The runs of an experiment started, moved or ended. */
  readonly onDidChange = this.#changed.event;
  readonly #asked = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  /** The table of an experiment is to show other results, or another cell. */
  readonly onDidAskForTable = this.#asked.event;
  /** Runs, by their IDs, whose cells the tables of experiments show next. */
  readonly #revealed = new Map<string, string>();
  /** Experiments with a page that begins with their setup. */
  readonly settingUp = new Set<string>();
  readonly #running = new Map<string, RunningExperiment>();
  /** Experiments with an open question. */
  readonly #starting = new Set<string>();
  #interrupted: readonly InterruptedExperiment[] = [];

  constructor(private readonly services: Services) {}

  /**
   * Checks the experiment, asks the one question, and starts. Resolves when it has started, or was not wanted: to
   * false.
   * @param seen the offer on the pressed button
   */
  async start(file: vscode.Uri, which: WantedRuns, seen?: RunOffer): Promise<boolean> {
    if (this.#running.get(file.toString())?.job.state === 'paused') {
      await this.resume(file);
      return true;
    }
    const running = await this.begin(file, async () => {
      const { startRuns } = await import('./startRuns');
      return startRuns(this.services, file, { which, seen }, this.interruptedOf(file));
    });
    return running !== undefined;
  }

  /** Starts runs that `plan` has planned, one job of an experiment at a time. Undefined: they were not wanted. */
  async begin(
    file: vscode.Uri,
    plan: () => Promise<RunningExperiment | undefined>,
  ): Promise<RunningExperiment | undefined> {
    const key = file.toString();
    if (this.#running.has(key) || this.#starting.has(key)) {
      void showInformationMessage(l10n.t('This experiment is running already.'));
      return undefined;
    }
    this.#starting.add(key);
    try {
      const running = await plan();
      if (running) this.#begin(file, running);
      return running;
    } finally {
      this.#starting.delete(key);
      await this.lookForInterrupted();
    }
  }

  /** Stops sending; requests in flight are awaited. */
  pause(file: vscode.Uri): void {
    this.#running.get(file.toString())?.job.pause();
  }

  /** Goes on after a pause, or with the remains of a closed window. */
  async resume(file: vscode.Uri): Promise<void> {
    const running = this.#running.get(file.toString());
    if (!running) {
      await this.start(file, 'missing');
      return;
    }
    (await this.services.guard()).approve(running.job.head.baseUrl);
    running.job.resume();
    this.#follow(file, running);
  }

  /** Ends the runs; those in flight are awaited, since they cost money. */
  async cancel(file: vscode.Uri): Promise<void> {
    const running = this.#running.get(file.toString());
    if (running) await (await import('./followRuns')).cancelRuns(running.job);
  }

  /** IDs of all runs of the experiment when the present runs were planned; undefined: there are none. */
  gridOf(file: vscode.Uri): ReadonlySet<string> | undefined {
    return this.#running.get(file.toString())?.grid;
  }

  /** @param customId of a run with a cell to show */
  askForTable(file: vscode.Uri, customId?: string): void {
    if (customId !== undefined) this.#revealed.set(file.toString(), customId);
    this.#asked.fire(file);
  }

  /** The run whose cell is to be shown; once. */
  takeRevealed(file: vscode.Uri): string | undefined {
    const id = this.#revealed.get(file.toString());
    this.#revealed.delete(file.toString());
    return id;
  }

  /** Undefined: it is not running, paused or interrupted. */
  stateOf(file: vscode.Uri): ExperimentState | undefined {
    const running = this.#running.get(file.toString());
    if (running) return running.job.progress;
    const counts = this.interruptedOf(file)?.counts;
    if (!counts) return undefined;
    const { remaining, unconfirmed } = interruptedCounts(counts);
    return { state: 'interrupted', remaining, unknown: unconfirmed };
  }

  /** Resolves when this window runs nothing of the experiment any more. */
  async ended(file: vscode.Uri): Promise<void> {
    await this.#running.get(file.toString())?.done.catch(() => undefined);
  }

  interruptedOf(file: vscode.Uri): InterruptedExperiment | undefined {
    return this.#interrupted.find(({ head }) => head.file === file.fsPath && !isDriftCheck(head));
  }

  /** Looks for runs that closed windows have left; `held`: experiments that another window works on, or died lately. */
  async lookForInterrupted(): Promise<{ interrupted: readonly InterruptedExperiment[]; held: number }> {
    const { interruptedExperiments } = await import('../../experiments/plan/experimentJobs');
    const interrupted = interruptedExperiments(await this.services.store());
    const before = this.#interrupted;
    const ours = new Set([...this.#running.values()].map(({ job }) => job.head.id));
    this.#interrupted = interrupted.interrupted.filter(({ head }) => !ours.has(head.id));
    for (const { head } of new Set([...before, ...this.#interrupted]))
      this.#changed.fire(vscode.Uri.file(head.file));
    return { interrupted: this.#interrupted, held: Math.max(0, interrupted.held - ours.size) };
  }

  dispose(): void {
    // Runs are not cancelled: the store has every step, and the next window continues.
    for (const { job } of this.#running.values()) job.detach();
    this.#running.clear();
    this.#store.dispose();
  }

  #begin(file: vscode.Uri, running: RunningExperiment): void {
    const key = file.toString();
    this.#running.set(key, running);
    const stop = running.job.onDidChange(() => this.#changed.fire(file));
    const forget = () => {
      stop();
      this.#running.delete(key);
      this.#changed.fire(file);
    };
    this.#ending(file, running, forget).catch((error: unknown) => showError(error, this.services.log));
    running.job.start();
    this.#follow(file, running);
  }

  /** Runs that were cancelled, or cannot be written, lead to no further ones. */
  async #ending(file: vscode.Uri, { done, next, job }: RunningExperiment, forget: () => void): Promise<void> {
    try {
      await done;
      await noteStepDone(this.services.context.globalState, 'experiment');
    } finally {
      forget();
    }
    if (next && job.progress.remaining === 0 && !job.isDetached) await this.begin(file, next);
  }

  #follow(file: vscode.Uri, { job, done }: RunningExperiment): void {
    import('./followRuns')
      .then(({ followRuns }) => followRuns(this, file, job, done))
      .catch((error: unknown) => showError(error, this.services.log));
  }
}
