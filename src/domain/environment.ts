/** A service the user has named: `modelBench.environments`, name → base URL. */
export interface Environment {
  readonly name: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** Tells environments apart: two names may share a base URL, with a key each. */
export function environmentId({ name, baseUrl }: Environment): string {
  return `${name}\n${baseUrl}`;
}
