import type { Dataset } from '../domain/dataset';
import type { ItemOutcome, LedgerItem } from './ledgerItem';

export type { ItemOutcome, LedgerItem };

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
  /** Adds a dataset that another program has made. */
  add(dataset: Dataset): Promise<void>;
  /** Forgets a dataset here; the service keeps its data. */
  forget(dataset: Dataset): Promise<void>;
  /** Reads what other windows have written since. */
  refresh(): Promise<void>;
  /** Calls back after every change, also another window's; returns what ends that. */
  onDidChange(listener: () => void): () => void;
  close(): Promise<void>;
}
