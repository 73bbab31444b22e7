/** A run serves several rows, which may expect different values. */
export function judgedKey(customId: string, item: number): string {
  return `${item} ${customId}`;
}
