/** The words of a table of names: `words('name title label')`. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** The beginning of a text in at most `most` characters, the sign that more follows among them. */
export function beginning(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** A string unchanged, and any other value as JSON. */
export function valueText(value: unknown, indent?: number): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, indent);
}

/** Characters of a text for each one of its line: the rest of a body is not looked through for a sentence. */
const MOST_BLANKS = 20;

/** A text as one line without control characters, cut at `most` characters; undefined when no character is left. */
export function oneLine(text: string | undefined, most: number): string | undefined {
  const line = text
    ?.slice(0, most * MOST_BLANKS)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === undefined || line === '') return undefined;
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
