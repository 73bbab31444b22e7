/** Names of headers with values that may let somebody in. */
const SECRET = /auth|cookie|token|secret|api[-_]?key|session|signature|credential/i;

/** A response's headers by name, without those that may hold a secret. */
export function shownHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers)
    .filter(([name]) => !SECRET.test(name))
    .sort(([a], [b]) => a.localeCompare(b));
}
