/** What long work asks between its steps, so that others go on; the client's `Turns` are such. */
export interface Pauses {
  /** Whether it is time for `next`. */
  readonly isOver: boolean;
  /** Lets everything else have a turn; throws when the work is no longer wanted. */
  next(): Promise<void>;
  /** A sorted copy of a list of any length. */
  sorted<T>(list: readonly T[], compare: (a: T, b: T) => number): Promise<T[]>;
}
