import type { Json } from '../domain/json';
import type { TextFault } from './text';

/** A row of a table: column → value. Text from CSV and TSV; JSON from JSONL. */
export interface TableRow {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly values: Readonly<Record<string, Json>>;
  /** Of JSONL: columns with a number that cannot be sent exactly as written, and its digits. */
  readonly inexact?: Readonly<Record<string, string>>;
}

/** Why a table, or a line of it, cannot be used. */
export type TableFault =
  | TextFault
  | { readonly fault: 'empty' | 'noRows' | 'oneJson' }
  | { readonly fault: 'kind'; readonly extension: string }
  | { readonly fault: 'tooLarge'; readonly bytes: number; readonly most: number }
  | { readonly fault: 'tooManyRows' | 'tooManyColumns' | 'tooManyCells'; readonly most: number }
  | { readonly fault: 'column'; readonly column: string; readonly line: number }
  | { readonly fault: 'line'; readonly line: number; readonly detail: string }
  | { readonly fault: 'openQuote'; readonly line: number }
  /** `spans`: the line in which a cell of the row began, which goes over several lines or is not closed. */
  | {
      readonly fault: 'ragged';
      readonly line: number;
      readonly cells: number;
      readonly columns: number;
      readonly spans?: number;
    };

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly faults: readonly TableFault[];
  /** Lines whose cells are all blank: they are no rows. */
  readonly blankRows?: number;
  /** Of CSV and TSV: the character between cells, where it is not that of the file's ending. */
  readonly delimiter?: string;
}

/** A table after reading; of a long one only the beginning. */
export interface ReadTable extends Table {
  readonly isCut: boolean;
}

/** Work in short turns, so that the rest of the process waits for one turn at most. */
export interface WorkInTurns {
  readonly isOver: boolean;
  next(): Promise<void>;
}

/** A larger table would be held in memory whole, and a million rows are too many to look at. */
export const LARGEST_TABLE = 50_000_000;
export const MOST_ROWS = 200_000;
/** More are no inputs of a model, and each is a member of every row. */
export const MOST_COLUMNS = 5_000;
/** Cells that are kept take some 50 bytes each, for any content. */
export const MOST_CELLS = 4_000_000;
/** Characters of JSON that are read at once: more take longer than a turn, and many times their size in memory. */
export const LONGEST_JSON = 4_000_000;
/** More faults of one file than this are not useful to show. */
export const MOST_FAULTS = 20;

export interface KeptPart {
  /** Missing: all. Composed names, in any order. */
  readonly columns?: ReadonlySet<string>;
  /** Reading ends after one more. */
  readonly mostRows?: number;
}
