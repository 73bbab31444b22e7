import * as l10n from '@vscode/l10n';
import { Listeners } from '../../domain/listeners';
import { loggedError } from '../../domain/loggedError';
import { type LogLine, logLine } from '../../domain/logLine';
import type { ResponseBody } from '../../domain/response';
import type { PastRun, RunRecord } from '../../domain/runRecord';
import type { RunMark } from '../../store/runs';
import type { Store } from '../../store/store';

export interface HistoryOptions {
  /** Runs kept, or undefined for all; called when runs are removed, so that a changed setting applies soon. */
  readonly limit: () => number | undefined;
  /** Called with errors that do not keep a run from being recorded. */
  readonly log: (line: LogLine) => void;
}

type HistoryStore = Pick<Store, 'runs' | 'pastJobs' | 'changes' | 'database'>;

/** From the record of a run to the removal of those over the limit: runs end in bursts. */
const TIDY_AFTER_MS = 1_000;
/** How often runs of other windows are looked at while there are any: a window that is gone shows in a few looks. */
const LOOK_AGAIN_MS = 1_000;

/** The history in the store that all windows share. */
export async function openHistory(store: HistoryStore, options: HistoryOptions): Promise<History> {
  const history = new History(store, options);
  await history.refresh();
  return history;
}

/** Keeps runs and reports changes. Reads only the requested records. */
export class History {
  readonly #changed = new Listeners<readonly RunRecord[]>();
  /**
   * Calls back after every change, in this window or another, with the runs that were recorded; returns a function to
   * stop that.
   */
  readonly onDidChange = this.#changed.add;
  /** Reads of runs. */
  readonly runs: Pick<
    Store['runs'],
    | 'list'
    | 'search'
    | 'ofModel'
    | 'accepted'
    | 'unsettled'
    | 'unresolved'
    | 'pinned'
    | 'count'
    | 'countEnded'
    | 'result'
  >;
  /** Reads of jobs that ended. */
  readonly jobs: Pick<Store['pastJobs'], 'list' | 'get' | 'count' | 'requests'>;
  readonly #stopHearing: () => void;
  #revision: number;
  #tidying: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly store: HistoryStore,
    private readonly options: HistoryOptions,
  ) {
    this.runs = store.runs;
    this.jobs = store.pastJobs;
    this.#revision = store.runs.revision();
    this.#stopHearing = store.changes.on('runs', () => this.#announce());
  }

  past(baseUrl: string, model: string, mode?: string): PastRun[] {
    return this.store.runs.past(baseUrl, model, mode);
  }

  withRunId(baseUrl: string, runId: string): RunRecord | undefined {
    return this.store.runs.withRunId(baseUrl, runId);
  }

  get(id: string): RunRecord | undefined {
    return this.store.runs.get(id);
  }

  /** Adds, or replaces the record of the same id; resolves when it is on the disk. `response`: kept bounded. */
  async put(record: RunRecord, response?: ResponseBody): Promise<RunRecord> {
    await this.store.runs.put(record, response);
    this.#announce();
    this.#tidySoon();
    return this.get(record.id) ?? record;
  }

  /** Keeps the user's notes on a run; later records of the run do not change them. */
  async mark(id: string, mark: RunMark): Promise<void> {
    await this.store.runs.mark(id, mark);
    this.#announce();
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.store.runs.delete(ids);
    this.#announce();
  }

  async deleteJobs(ids: readonly string[]): Promise<void> {
    await this.store.pastJobs.delete(ids);
    this.#announce();
  }

  /** Deletes all but those under way. */
  async clear(): Promise<void> {
    await this.store.runs.clear();
    await this.store.pastJobs.prune(0);
    this.#announce();
  }

  /** Reports records of other windows since, and looks for runs without their window. */
  async refresh(): Promise<void> {
    this.#announce();
    await this.#settleLeft();
    this.#lookAgain();
  }

  /** Removes the oldest runs over the limit, and the oldest copies of responses. */
  async tidy(): Promise<void> {
    const limit = this.options.limit();
    await this.store.runs.prune(limit);
    if (limit !== undefined) await this.store.pastJobs.prune(limit);
    this.#announce();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#tidying);
    clearTimeout(this.#looking);
    this.#stopHearing();
    this.#changed.clear();
  }

  #announce(): void {
    const revision = this.store.runs.revision();
    if (this.#closed || revision === this.#revision) return;
    const changed = this.store.runs.changedSince(this.#revision);
    this.#revision = revision;
    this.#changed.call(changed);
    this.#lookAgain();
  }

  /** A run that a closed window left under way was sent, and may have been executed and billed: it is unknown now. */
  async #settleLeft(): Promise<void> {
    const message = l10n.t(
      'The window was closed before the response was received. The run may have been executed and billed.',
    );
    if ((await this.store.runs.settleLeft(message)) > 0) this.#announce();
  }

  /** Looks once more after a while, if another window says that it has a run under way. */
  #lookAgain(): void {
    if (this.#closed || this.#looking) return;
    if (!this.store.runs.areRunningElsewhere()) return;
    this.#looking = setTimeout(() => {
      this.#looking = undefined;
      this.#quietly(async () => {
        await this.#settleLeft();
        this.#lookAgain();
      });
    }, LOOK_AGAIN_MS).unref();
  }

  #tidySoon(): void {
    if (this.#closed) return;
    this.#tidying ??= setTimeout(() => {
      this.#tidying = undefined;
      this.#quietly(() => this.tidy());
    }, TIDY_AFTER_MS).unref();
  }

  #quietly(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!this.#closed)
        this.options.log(logLine`The history could not be kept in order: ${loggedError(error)}`);
    });
  }
}
