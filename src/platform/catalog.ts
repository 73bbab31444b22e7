import type * as vscode from 'vscode';
import type { ModelContract, ModelSummary } from '../domain/model';
import type { RawResponse } from '../service/client';

/** Something the user has to know about the list: what it lacks, or what of it was not understood. */
export interface CatalogNote {
  readonly message: string;
  /** The response it is about, unchanged. */
  readonly response?: RawResponse;
}

/** The models of the active environment, as far as they were read. */
export interface Catalog {
  /** What has been listed so far; undefined before the first listing. */
  readonly models: readonly ModelSummary[] | undefined;
  /** About the last listing; empty when all of it was understood. */
  readonly notes: readonly CatalogNote[];
  readonly onDidChange: vscode.Event<void>;
  /** Lists again, page after page, for all callers that ask meanwhile; resolves when all pages are in. */
  refresh(): Promise<readonly ModelSummary[]>;
  /** The detail of one model: cached per environment; `fresh` requests it from the service again. */
  contract(slug: string, options?: { fresh?: boolean; signal?: AbortSignal }): Promise<ModelContract>;
  /** The detail as it was last read, also before a restart, without a request: for a first paint. */
  cachedContract(slug: string): Promise<ModelContract | undefined>;
}
