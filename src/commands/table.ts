/** Rows as lines with aligned columns; a column without a text takes no room. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(0, ...rows.map((row) => [...(row[at] ?? '')].length)),
  );
  return rows.map((row) =>
    row
      .flatMap((text, at) => (widths[at] === 0 ? [] : [text + ' '.repeat(widths[at]! - [...text].length)]))
      .join('  ')
      .trimEnd(),
  );
}
