/** Rows of one height in a scrolling box: which of them to draw. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

export function placesIn({ first, last }: Window): number[] {
  return Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
}

/**
 * The rows in sight and more above and below, so that a quick scroll meets no gap.
 * @param more as a share of those in sight
 */
export function windowOf(
  scrollTop: number,
  height: number,
  rowHeight: number,
  rows: number,
  more = 1,
): Window {
  const inSight = Math.ceil(height / rowHeight);
  const beyond = Math.ceil(inSight * more);
  const top = Math.floor(scrollTop / rowHeight);
  return { first: Math.max(0, top - beyond), last: Math.min(rows, top + inSight + beyond) };
}

/** Where to scroll so that a row is in sight; undefined when it is. */
export function scrollToShow(
  row: number,
  scrollTop: number,
  height: number,
  rowHeight: number,
): number | undefined {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : undefined;
}

/** Browsers lay out boxes up to about 33 million pixels high; this many rows of 24 stay well below. */
export const MOST_ROWS = 1_000_000;
