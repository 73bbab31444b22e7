/**
 * An append-only file of JSON lines: what must outlive a killed extension host. A torn last line (the host died
 * while writing) is dropped on opening and never loses another record.
 */
export interface Journal<T> {
  /** Every record that can be read, oldest first. */
  readonly records: readonly T[];
  /** Resolves when the record is on disk. */
  append(record: T): Promise<void>;
  /** Replaces the file by these records, atomically. */
  rewrite(records: readonly T[]): Promise<void>;
  /** Reads what another window has appended since, and returns only that. */
  refresh(): Promise<readonly T[]>;
  close(): Promise<void>;
}
