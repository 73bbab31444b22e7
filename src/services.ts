import type * as vscode from 'vscode';
import type { Catalog } from './connection/catalog';
import type { Connection } from './connection/connection';
import type { WalletReader } from './connection/walletReader';
import type { Environment } from './domain/environment';
import type { JsonObject } from './domain/json';
import type { IndexingJob, InterruptedIndexingJob } from './indexing/indexingJobs';
import type { JobFile } from './indexing/indexKind';
import type { VectorMode } from './indexing/vectorMode';
import type { Guard } from './runs/budget/guard';
import type { Estimates } from './runs/estimates/estimates';
import type { History } from './runs/history/history';
import type { JobRuns } from './runs/history/jobRuns';
import type { Runs } from './runs/perform';
import type { Store } from './store/store';
import type { Log } from './vscode/log';

export interface IndexingJobs {
  readonly running: readonly IndexingJob[];
  readonly onDidProgress: vscode.Event<IndexingJob>;
  readonly onDidChangeList: vscode.Event<void>;
  of(id: string): IndexingJob | undefined;
  /** Interrupted jobs of all environments, from the last look. */
  readonly interrupted: readonly InterruptedIndexingJob[];
  /** Jobs that another window or terminal works on, from the last look. */
  readonly elsewhere: readonly InterruptedIndexingJob[];
  /** Looks for interrupted jobs and those of other windows; resolves to how many jobs a window is still working on, or died lately. */
  lookForInterrupted(): Promise<number>;
  /** The files of an interrupted job that were sent without a response, up to a limit. */
  unconfirmedIn(interrupted: InterruptedIndexingJob, most: number): Promise<readonly JobFile[]>;
  /** Makes a job of these files and starts it. It belongs to this environment, even if another becomes active. */
  begin(
    environment: Environment,
    scope: string,
    model: VectorMode,
    files: readonly JobFile[],
    params: JsonObject,
  ): Promise<IndexingJob>;
  /** Resumes an interrupted job. Undefined: another window has resumed it. */
  resume(interrupted: InterruptedIndexingJob): Promise<IndexingJob | undefined>;
  /** Ends an interrupted job, even when its environment was removed. False: another window has resumed it. */
  discard(interrupted: InterruptedIndexingJob): Promise<boolean>;
}

/**
 * The services that extension.ts builds for every feature. Features never import one another: they meet here, in
 * commands (contributions.ts) and in these events. Members that are functions load on first use.
 */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly connection: Connection;
  readonly catalog: Catalog;
  /** The balance of the active environment: the status bar, the usage page and the budgets follow it. */
  readonly wallet: WalletReader;
  readonly jobs: IndexingJobs;
  /** The product's data, in one database that all windows share; its first use opens it. */
  store(): Promise<Store>;
  readonly onDidOpenStore: vscode.Event<Store>;
  /** Differs when the store may have changed; undefined: there is nothing in it. Opens and reads nothing. */
  storeVersion(): Promise<string | undefined>;
  runs(): Promise<Runs>;
  history(): Promise<History>;
  /** The kept facts of the runs of jobs, which are not in the history. */
  jobRuns(): Promise<JobRuns>;
  /** Set by the run panels, for commands without a run. */
  readonly runPanels: {
    active?: () => { readonly shownRunId: string | undefined; saveAsRunFile(): void } | undefined;
  };
  /** The user has asked for new data of the service. */
  readonly refreshed: vscode.EventEmitter<void>;
  guard(): Promise<Guard>;
  estimates(): Promise<Estimates>;
}
