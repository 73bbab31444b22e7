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

/** The name of the built-in service's environment. */
export const SANDBOX = 'Sandbox';

/** Whether it is the built-in service, by its name and address. */
export function isSandbox({ name, baseUrl }: Environment): boolean {
  return name === SANDBOX && /^https?:\/\/127\.0\.0\.1(?=[:/]|$)/.test(baseUrl);
}
