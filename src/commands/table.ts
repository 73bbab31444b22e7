import { greatestOf } from '../domain/many';

/**
 * Rows as lines with aligned columns, two spaces apart; a column without a text takes no room.
 * @param rightAt the column that is aligned to the right
 */
export function table(rows: readonly (readonly string[])[], rightAt?: number): string[] {
  const count = greatestOf(rows.map((row) => row.length));
  const widths = Array.from({ length: Math.max(0, count) }, (_, at) =>
    greatestOf(rows.map((row) => [...(row[at] ?? '')].length)),
  );
  return rows.map((row) =>
    row
      .flatMap((text, at) => {
        if (widths[at] === 0) return [];
        const blank = ' '.repeat(widths[at]! - [...text].length);
        return at === rightAt ? blank + text : text + blank;
      })
      .join('  ')
      .trimEnd(),
  );
}
