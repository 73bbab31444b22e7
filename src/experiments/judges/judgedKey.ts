/** A run serves several rows, which may expect different values. */
export function judgedKey(customId: string, item: number): string {
  return `${item} ${customId}`;
}

/** The ID of the run in such a key. */
export function judgedRun(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}
