/** What became of one file in one dataset. */
export type ItemOutcome = 'indexed' | 'failed' | 'unknown' | 'inFlight';

/** One item of a dataset, as the ledger knows it. Image ids are workspace-relative POSIX paths (design, "Files on disk"). */
export interface LedgerItem {
  /** Base URL of the environment: what identifies the dataset's service. */
  readonly baseUrl: string;
  readonly model: string;
  readonly scope: string;
  readonly imageId: string;
  /** URI of the file it came from. */
  readonly file: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Modification time in milliseconds when it was hashed. */
  readonly modifiedMs: number;
  readonly mediaRef?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly outcome: ItemOutcome;
  /** Why it failed. */
  readonly reason?: string;
}

/** A model's data in a scope of one service. */
export interface Dataset {
  readonly baseUrl: string;
  readonly model: string;
  readonly scope: string;
}

/** The ledger of what was indexed, over a journal in the extension's global storage. */
export interface Ledger {
  datasets(baseUrl: string): readonly (Dataset & { readonly items: number; readonly lastAt: number })[];
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
  /** Told after every change (also another window's); returns how to stop listening. */
  onDidChange(listener: () => void): () => void;
}
