/** The first sentence of a description, on one line: a row has room for no more. */
export function firstSentence(description: string): string {
  const [line = ''] = description.trim().split(/[\r\n]/);
  return line.split(/(?<=[.!?])\s/)[0] ?? '';
}
