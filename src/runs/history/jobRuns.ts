import { Listeners } from '../../domain/listeners';
import { loggedError } from '../../domain/loggedError';
import { type LogLine, logLine } from '../../domain/logLine';
import type { JobRun, PastRun } from '../../domain/runRecord';
import type { Store } from '../../store/store';

/** The last runs of jobs, by model and mode: for estimates and receipts. */
export class JobRuns {
  readonly #changed = new Listeners<readonly JobRun[]>();
  /**
   * Calls back after every change, with the runs that this window has measured since; returns a function to stop
   * that.
   */
  readonly onDidChange = this.#changed.add;
  /** Measured by this window, and not reported yet. */
  readonly #measured: JobRun[] = [];
  readonly close: () => void;

  constructor(
    private readonly store: Pick<Store, 'jobRuns' | 'changes'>,
    private readonly log: (line: LogLine) => void,
  ) {
    this.close = store.changes.on('jobRuns', () => this.#report());
  }

  get(id: string): JobRun | undefined {
    return this.store.jobRuns.get(id);
  }

  past(baseUrl: string, model: string, mode?: string): PastRun[] {
    return this.store.jobRuns.past(baseUrl, model, mode);
  }

  withRunId(baseUrl: string, runId: string): JobRun | undefined {
    return this.store.jobRuns.withRunId(baseUrl, runId);
  }

  /** Adds, or replaces those of the same ids. Never rejects: a measure that is lost must not lose the run's response. */
  async put(runs: readonly JobRun[]): Promise<void> {
    this.#measured.push(...runs);
    try {
      await this.store.jobRuns.put(runs);
      this.store.changes.report();
    } catch (error) {
      this.log(logLine`What a run cost could not be kept: ${loggedError(error)}`);
      this.#report();
    }
  }

  #report(): void {
    this.#changed.call(this.#measured.splice(0));
  }
}
