/** A part of an address with its percent escapes read; unchanged where they are malformed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
