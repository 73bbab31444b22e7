import { join } from 'node:path';
import type { LogLine } from '../domain/logLine';
import { AgentGrants } from './agentGrants';
import type { Database } from './database';
import { Datasets } from './datasets';
import { ExperimentResults } from './experimentResults';
import type { Clocks } from './grantClock';
import type { JobHead, JobKind, JobOutcomes } from './jobKind';
import { StoredJobRuns } from './jobRuns';
import { Jobs } from './jobs';
import { type OpenOptions, openDatabase } from './open';
import { Leases, type OwnerOptions, Owners } from './owners';
import { PastJobs } from './pastJobs';
import { sweepJobs } from './removeJob';
import { ResultFiles } from './resultFiles';
import { Revisions } from './revisions';
import { StoredRuns, type StoredRunsOptions } from './runs';
import { SCHEMA_ID } from './schema';
import { SpendingTable } from './spending';
import { StoreProblem } from './storeProblem';
import { Uploads } from './uploads';

export interface StoreOptions extends OpenOptions {
  readonly owner?: OwnerOptions;
  readonly runs?: StoredRunsOptions;
  /** By which grants of agents end. */
  readonly clocks?: Clocks;
  readonly log?: (line: LogLine) => void;
  /** Another program deleted or replaced the open database, and it was opened again: changes may be missing. */
  readonly onReplaced?: (problem: StoreProblem) => void;
}

/** The product's data, in one database that every window and terminal shares. */
export class Store {
  readonly owners: Owners;
  readonly leases: Leases;
  readonly datasets: Datasets;
  readonly runs: StoredRuns;
  readonly jobRuns: StoredJobRuns;
  readonly pastJobs: PastJobs;
  readonly uploads: Uploads;
  readonly experimentResults: ExperimentResults;
  readonly spending: SpendingTable;
  readonly agentGrants: AgentGrants;
  readonly changes: Revisions;

  constructor(
    readonly database: Database,
    readonly folder: string,
    options: StoreOptions,
  ) {
    this.owners = new Owners(database, options.owner);
    this.leases = new Leases(database, this.owners);
    this.datasets = new Datasets(database);
    const { log, runs, onReplaced } = options;
    database.onDidReopen(() =>
      onReplaced?.(new StoreProblem('replaced', `The database in ${folder} was replaced.`, { folder })),
    );
    this.agentGrants = new AgentGrants(database, this.owners, options.clocks);
    this.runs = new StoredRuns(database, this.owners, new ResultFiles(resultsFolder(folder)), {
      log,
      ...runs,
      onPut: (record) => this.agentGrants.noteRun(record),
    });
    this.jobRuns = new StoredJobRuns(database);
    this.pastJobs = new PastJobs(database);
    this.uploads = new Uploads(database);
    this.experimentResults = new ExperimentResults(database);
    this.spending = new SpendingTable(database);
    this.changes = new Revisions(database, options.log ?? (() => undefined));
  }

  jobs<Head extends JobHead, Item, Payload = undefined>(
    kind: JobKind<Head, Item>,
    outcomes: JobOutcomes<Head, Item, Payload>,
  ): Jobs<Head, Item, Payload> {
    return new Jobs(this.database, this.leases, kind, outcomes);
  }

  /** Removes data that no longer has an owner, in steps. */
  async sweep(): Promise<void> {
    await this.datasets.sweep();
    await sweepJobs(this.database);
    await this.runs.sweep();
    await this.experimentResults.sweep();
    await this.agentGrants.sweep();
    await this.spending.sweep();
  }

  async close(): Promise<void> {
    this.changes.stop();
    await this.owners.end().catch(() => undefined);
    await this.database.close();
  }
}

/** The store's folder in the extension's global storage: the same for every window and terminal of this version. */
export function storeFolder(globalStorage: string): string {
  return join(globalStorage, `store-${SCHEMA_ID}`);
}

/** Opens the store in a folder of its own. */
export async function openStore(folder: string, options: StoreOptions = {}): Promise<Store> {
  return new Store(await openDatabase(folder, options), folder, options);
}

function resultsFolder(folder: string): string {
  return join(folder, 'results');
}
