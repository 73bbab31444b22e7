/** A body that publishes a model's contract, and the expected reading. */
export interface Layout {
  readonly name: string;
  /** The exact address of the documentation, the fixture or the source that was opened. */
  readonly source: string;
  /** The text there: the body itself, or a body made of prose or code. */
  readonly read: string;
  readonly body: unknown;
  /** Fields of the first mode's input with their types, required ones with "!"; missing: no contract in it. */
  readonly input?: Readonly<Record<string, string>>;
  readonly params?: readonly string[];
  readonly modes?: readonly string[];
  readonly examples?: number;
  /** Where the first mode's input was found. */
  readonly at?: string;
}

/** A file of a public repository at the commit that was opened. */
export function inRepository(repository: string, commit: string, path: string): string {
  return `https://github.com/${repository}/blob/${commit}/${path}`;
}
