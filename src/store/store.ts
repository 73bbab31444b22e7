import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LogLine } from '../domain/logLine';
import type { StoreProblemKind } from '../domain/storeProblem';
import { Checkpoints } from './checkpoints';
import type { Database } from './database';
import { Datasets } from './datasets';
import { ExperimentResults } from './experimentResults';
import type { JobHead, JobKind, JobOutcomes } from './jobKind';
import { JobRuns } from './jobRuns';
import { Jobs } from './jobs';
import { type Opened, type OpenOptions, openDatabase } from './open';
import { Leases, type OwnerOptions, Owners } from './owners';
import { PastJobs } from './pastJobs';
import { sweepJobs } from './removeJob';
import { ResultFiles } from './resultFiles';
import { Revisions } from './revisions';
import { Runs, type RunsOptions } from './runs';
import { SpendingTable } from './spending';
import { asProblem, StoreProblem } from './storeProblem';
import { Uploads } from './uploads';
import type { Reply, Task } from './worker';

export interface StoreOptions extends OpenOptions {
  /** The script of the worker thread, `worker.ts` bundled; for long work. */
  readonly worker: string | URL;
  readonly owner?: OwnerOptions;
  readonly runs?: RunsOptions;
  readonly log?: (line: LogLine) => void;
}

/** What the product knows, in one database that every window and terminal shares. */
export class Store {
  readonly owners: Owners;
  readonly leases: Leases;
  readonly datasets: Datasets;
  readonly runs: Runs;
  readonly jobRuns: JobRuns;
  readonly pastJobs: PastJobs;
  readonly uploads: Uploads;
  readonly experimentResults: ExperimentResults;
  readonly spending: SpendingTable;
  readonly changes: Revisions;

  readonly #checkpoints: Checkpoints | undefined;

  constructor(
    private readonly opened: Opened,
    readonly folder: string,
    private readonly options: StoreOptions,
  ) {
    const { database, journal } = opened;
    if (journal === 'wal' && !database.readOnly)
      this.#checkpoints = new Checkpoints(database, folder, options.worker);
    this.owners = new Owners(database, options.owner);
    this.leases = new Leases(database, this.owners);
    this.datasets = new Datasets(database);
    const { log, runs } = options;
    this.runs = new Runs(database, this.owners, new ResultFiles(resultsOf(folder)), { log, ...runs });
    this.jobRuns = new JobRuns(database);
    this.pastJobs = new PastJobs(database);
    this.uploads = new Uploads(database);
    this.experimentResults = new ExperimentResults(database);
    this.spending = new SpendingTable(database);
    this.changes = new Revisions(database, options.log ?? (() => undefined));
  }

  /** The jobs of one kind. */
  jobs<Head extends JobHead, Item, Payload = undefined>(
    kind: JobKind<Head, Item>,
    outcomes: JobOutcomes<Head, Item, Payload>,
  ): Jobs<Head, Item, Payload> {
    return new Jobs(this.database, this.leases, kind, outcomes);
  }

  get database(): Database {
    return this.opened.database;
  }

  get journal(): Opened['journal'] {
    return this.opened.journal;
  }

  /** Looks at every page of the file; resolves to what is damaged. */
  async check(): Promise<string[]> {
    return (await inWorker({ task: 'check', storeFolder: this.folder }, this.options)) as string[];
  }

  /** Removes what nothing owns any more, in steps. */
  async sweep(): Promise<void> {
    if (this.database.readOnly) return;
    await this.datasets.sweep();
    await sweepJobs(this.database);
    await this.runs.sweep();
    await this.experimentResults.sweep();
  }

  async close(): Promise<void> {
    this.changes.stop();
    await this.owners.end().catch(() => undefined);
    await this.#checkpoints?.stop();
    await this.database.close();
  }
}

/** The store's folder in the extension's global storage: the same for every window and terminal. */
export function storeFolder(globalStorage: string): string {
  return join(globalStorage, 'store');
}

/** Opens the store in a folder of its own. */
export async function openStore(folder: string, options: StoreOptions): Promise<Store> {
  return new Store(await openDatabase(folder, options), folder, options);
}

function resultsOf(folder: string): string {
  return join(folder, 'results');
}

function inWorker(task: Task, { worker }: StoreOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: task });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The worker of the store ended without a result.')));
    thread.once('message', (reply: Reply) => {
      if ('result' in reply) resolve(reply.result);
      else if (reply.kind) {
        const problem = new StoreProblem(reply.kind as StoreProblemKind, reply.message);
        reject(asProblem(problem, task.storeFolder));
      } else reject(new Error(reply.message));
    });
  });
}
