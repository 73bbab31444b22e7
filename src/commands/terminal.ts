/** Where the command line writes: results to standard output, all else to standard error. */
export interface Terminal {
  print(line: string): void;
  /** The result for programs: one line of JSON. */
  printJson(value: unknown): void;
  /** A line about a problem. */
  warn(line: string): void;
  /** A line that takes the place of the one before it; shown only to people at a terminal. */
  progress(line: string): void;
}
