import * as z from 'zod/mini';

/**
 * What became of one file in one dataset:
 * - `failed`: refused or could not be read; it is not in the dataset
 * - `unknown`: sent, and no answer tells whether it was indexed; it may have been paid for
 */
export const itemOutcome = z.enum(['indexed', 'failed', 'unknown']);
export type ItemOutcome = z.infer<typeof itemOutcome>;

/** One item of a dataset, as the ledger knows it. Image ids are workspace-relative POSIX paths (design, "Files on disk"). */
export const ledgerItem = z.object({
  /** Base URL of the environment: what identifies the dataset's service. */
  baseUrl: z.string(),
  model: z.string(),
  scope: z.string(),
  imageId: z.string(),
  /** URI of the file it came from. */
  file: z.string(),
  sha256: z.string(),
  sizeBytes: z.number(),
  /** Modification time in milliseconds when it was hashed. */
  modifiedMs: z.number(),
  mediaRef: z.optional(z.string()),
  /** Milliseconds since the epoch. */
  at: z.number(),
  outcome: itemOutcome,
  /** Why it failed or is not known. */
  reason: z.optional(z.string()),
});
export type LedgerItem = Readonly<z.infer<typeof ledgerItem>>;

/** A model's data in a scope of one service. */
export interface Dataset {
  readonly baseUrl: string;
  readonly model: string;
  readonly scope: string;
}

export interface DatasetSummary extends Dataset {
  /** Items of every outcome. */
  readonly items: number;
  readonly counts: Readonly<Record<ItemOutcome, number>>;
  /** When it was last written to, or added; milliseconds since the epoch. */
  readonly lastAt: number;
}

/** The ledger of what was indexed, over a journal in the extension's global storage. */
export interface Ledger {
  datasets(baseUrl: string): readonly DatasetSummary[];
  /** In the order they were first indexed. */
  items(dataset: Dataset): readonly LedgerItem[];
  /** The item of an id a search hit names, if this machine indexed it. */
  find(dataset: Dataset, imageId: string): LedgerItem | undefined;
  /** Every dataset a file is in. */
  ofFile(file: string): readonly LedgerItem[];
  record(items: readonly LedgerItem[]): Promise<void>;
  /** Adds a dataset that was made elsewhere, by name. */
  add(dataset: Dataset): Promise<void>;
  /** Forgets a dataset here; the service keeps its data. */
  forget(dataset: Dataset): Promise<void>;
  /** Reads what other windows have written since. */
  refresh(): Promise<void>;
  /** Told after every change (also another window's); returns how to stop listening. */
  onDidChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/** What two datasets are compared by. */
export function datasetKey({ baseUrl, model, scope }: Dataset): string {
  return JSON.stringify([baseUrl, model, scope]);
}
