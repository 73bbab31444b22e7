import type * as vscode from 'vscode';
import type { ModelContract, ModelSummary } from './domain/model';
import type { Ledger } from './indexing/ledger';
import type { Connection } from './platform/connection';
import type { JobRuns } from './runs/jobRuns';
import type { Estimates, Guard, History, Runs } from './runs/runs';
import type { RawResponse } from './service/client';

/** Something the user has to know about the list: what it lacks, or what of it was not understood. */
export interface CatalogNote {
  readonly message: string;
  /** The response it is about, as it came. */
  readonly response?: RawResponse;
}

/** The models of the active environment, as far as they were read. */
export interface Catalog {
  /** What has been listed so far; undefined before the first listing. */
  readonly models: readonly ModelSummary[] | undefined;
  /** About the last listing; empty when all of it was understood. */
  readonly notes: readonly CatalogNote[];
  readonly onDidChange: vscode.Event<void>;
  /** Lists again, page after page, for all who ask meanwhile; resolves when all pages are in. */
  refresh(): Promise<readonly ModelSummary[]>;
  /** The detail of one model: cached per environment; `fresh` asks the service again. */
  contract(slug: string, options?: { fresh?: boolean; signal?: AbortSignal }): Promise<ModelContract>;
  /** The detail as it was last read, also before a restart, without asking the service: for a first paint. */
  cachedContract(slug: string): Promise<ModelContract | undefined>;
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
  runs(): Promise<Runs>;
  history(): Promise<History>;
  /** What is kept of the runs of jobs, which are not in the history. */
  jobRuns(): Promise<JobRuns>;
  guard(): Promise<Guard>;
  estimates(): Promise<Estimates>;
  ledger(): Promise<Ledger>;
}
