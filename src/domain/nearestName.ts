/** The name that is at most a third of its letters away, if there is exactly one such. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const near = names.filter((other) => distance(name, other) <= Math.max(1, Math.floor(other.length / 3)));
  return near.length === 1 ? near[0] : undefined;
}

/** Edit distance of two names with swapped neighbours as one edit (optimal string alignment); case and separators do not count. */
function distance(a: string, b: string): number {
  const [from, to] = [plain(a), plain(b)];
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i++) {
    const above = rows[i - 1]!;
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = above[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
}

/** Names longer than this are not compared in full. */
const LONGEST_NAME = 64;

function plain(name: string): string {
  return name
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replaceAll(/[_\s-]/g, '');
}
