/**
 * An append-only file of JSON lines: what must outlive a killed extension host. A torn last line (the host died
 * while writing) is dropped on opening and never loses another record. Several processes may append to one file.
 */
export interface Journal<T> {
  /** Every record that can be read, oldest first. The array is replaced, never changed, by `rewrite`. */
  readonly records: readonly T[];
  /** Grows when `records` was replaced as a whole, here or by another process: what was built on it must be rebuilt. */
  readonly generation: number;
  /** Lines that could not be read, so far: torn by a crash, or of a shape this version does not know. */
  readonly unreadable: number;
  /** Resolves when the record is on disk. What is appended while a batch is written goes with the next, in one write. */
  append(record: T): Promise<void>;
  /** As `append`, for several: one write, so that they stand together. */
  appendAll(records: readonly T[]): Promise<void>;
  /**
   * Replaces the file by these records, atomically. Give a function where records of other processes matter: it
   * is called under the lock with all there are.
   */
  rewrite(records: readonly T[] | ((current: readonly T[]) => readonly T[])): Promise<void>;
  /** Reads what another process has appended since, and returns only that; all records when the file was replaced. */
  refresh(): Promise<readonly T[]>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** Told of every line that is skipped. `line` is shortened. */
  readonly onUnreadable?: (line: string) => void;
}
