import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StoreProblemKind } from '../domain/storeProblem';
import type { Database } from './database';
import { Datasets } from './datasets';
import { hasOldFiles, type Imported, type ImportPlaces } from './import/importOld';
import { Jobs } from './jobs';
import { type Opened, type OpenOptions, openDatabase } from './open';
import { Leases, type OwnerOptions, Owners } from './owners';
import { ResultFiles } from './resultFiles';
import { Revisions } from './revisions';
import { Runs, type RunsOptions } from './runs';
import { JobRuns, KeyChanges, SpendingTable, Uploads } from './smallTables';
import { StoreProblem } from './storeProblem';
import type { Reply, Task } from './worker';

export interface StoreOptions extends OpenOptions {
  /** The extension's global storage, in which version 0.1.0 kept its files. */
  readonly oldFolder?: string;
  /** Why what version 0.1.0 had sent without a response is unknown. */
  readonly closedReason?: string;
  /** The script of the worker thread, `worker.ts` bundled; for long work. */
  readonly worker: string | URL;
  readonly owner?: OwnerOptions;
  readonly runs?: RunsOptions;
  readonly log?: (message: string) => void;
}

/** What the product knows, in one database that every window and terminal shares. */
export class Store {
  readonly owners: Owners;
  readonly leases: Leases;
  readonly datasets: Datasets;
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly jobRuns: JobRuns;
  readonly uploads: Uploads;
  readonly spending: SpendingTable;
  readonly keys: KeyChanges;
  readonly changes: Revisions;

  constructor(
    private readonly opened: Opened,
    private readonly folder: string,
    private readonly options: StoreOptions,
  ) {
    const { database } = opened;
    this.owners = new Owners(database, options.owner);
    this.leases = new Leases(database, this.owners);
    this.datasets = new Datasets(database);
    this.jobs = new Jobs(database, this.leases, this.datasets);
    this.runs = new Runs(database, this.owners, new ResultFiles(resultsOf(folder)), options.runs);
    this.jobRuns = new JobRuns(database);
    this.uploads = new Uploads(database);
    this.spending = new SpendingTable(database);
    this.keys = new KeyChanges(database);
    this.changes = new Revisions(database, options.log ?? (() => undefined));
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
    await this.jobs.sweep();
    await this.runs.sweepFiles();
  }

  async close(): Promise<void> {
    this.changes.stop();
    await this.owners.end().catch(() => undefined);
    await this.database.close();
  }
}

/** Opens the store in a folder of its own; files of version 0.1.0 are imported first, by a worker thread. */
export async function openStore(folder: string, options: StoreOptions): Promise<Store> {
  const { oldFolder, closedReason = '', log = () => undefined } = options;
  const opened = await openDatabase(folder, options);
  if (oldFolder !== undefined && !opened.database.readOnly && hasOldFiles(oldFolder)) {
    const places: ImportPlaces = { folder: oldFolder, results: resultsOf(folder), closedReason };
    try {
      const task: Task = { task: 'import', storeFolder: folder, places };
      const { files, kept } = (await inWorker(task, options)) as Imported;
      log(`Imported ${files} files of version 0.1.0.`);
      for (const file of kept) log(`Some lines could not be read, and are kept in ${file}.`);
    } catch (error) {
      await opened.database.close();
      throw error;
    }
  }
  return new Store(opened, folder, options);
}

function resultsOf(folder: string): string {
  return join(folder, 'results');
}

function inWorker(task: Task, { worker }: StoreOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: task });
    thread.once('error', reject);
    thread.once('exit', () => reject(new StoreProblem('io', 'The worker ended without a result.')));
    thread.once('message', (reply: Reply) => {
      if ('result' in reply) resolve(reply.result);
      else if (reply.kind) reject(new StoreProblem(reply.kind as StoreProblemKind, reply.message));
      else reject(new Error(reply.message));
    });
  });
}
