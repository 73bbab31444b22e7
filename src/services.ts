import type * as vscode from 'vscode';
import type { Dataset } from './domain/dataset';
import type { IndexingJob, InterruptedIndexingJob } from './indexing/indexingJobs';
import type { JobFile } from './indexing/indexKind';
import type { Ledger } from './indexing/ledger';
import type { VectorMode } from './indexing/vectorMode';
import type { Catalog } from './platform/catalog';
import type { Connection } from './platform/connection';
import type { Guard } from './runs/budget/guard';
import type { Estimates } from './runs/estimates/estimates';
import type { History } from './runs/history/history';
import type { JobRuns } from './runs/history/jobRuns';
import type { Runs } from './runs/perform';

/** The indexing jobs of this window. */
export interface IndexingJobs {
  readonly running: readonly IndexingJob[];
  /** A job made progress. */
  readonly onDidProgress: vscode.Event<IndexingJob>;
  /** A job started or ended. */
  readonly onDidChangeList: vscode.Event<void>;
  /** Folder of the journals: all windows share it. */
  readonly folder: string;
  of(id: string): IndexingJob | undefined;
  /** Makes a job of these files and starts it. */
  begin(dataset: Dataset, model: VectorMode, files: readonly JobFile[]): Promise<IndexingJob>;
  /** Resumes an interrupted job. Undefined: another window has resumed it. */
  resume(interrupted: InterruptedIndexingJob): Promise<IndexingJob | undefined>;
  /** Ends an interrupted job, even when its environment was removed. False: another window has resumed it. */
  discard(interrupted: InterruptedIndexingJob): Promise<boolean>;
}

/**
 * What extension.ts builds and every feature is given. Features never import one another: they meet here, in
 * commands (contributions.ts) and in these events. What is a function loads on first use.
 */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly connection: Connection;
  readonly catalog: Catalog;
  readonly jobs: IndexingJobs;
  runs(): Promise<Runs>;
  history(): Promise<History>;
  /** What is kept of the runs of jobs, which are not in the history. */
  jobRuns(): Promise<JobRuns>;
  guard(): Promise<Guard>;
  estimates(): Promise<Estimates>;
  ledger(): Promise<Ledger>;
  /** This window has opened the ledger. */
  readonly onDidOpenLedger: vscode.Event<Ledger>;
  /** Differs when the ledger has changed; undefined: nothing was ever indexed. Reads no content. */
  ledgerVersion(): Promise<string | undefined>;
}
