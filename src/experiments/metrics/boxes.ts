/** A box in any unit: its upper left corner, and the lower right one. One with other corners has no area. */
export type Box = readonly [x1: number, y1: number, x2: number, y2: number];

/** Intersection over union of two boxes (Jaccard index): 1 for the same box, 0 for boxes that share no area. */
export function intersectionOverUnion(a: Box, b: Box): number {
  // Also without any area.
  if (a.every((value, at) => value === b[at])) return 1;
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  const shared = Math.max(0, width) * Math.max(0, height);
  const union = area(a) + area(b) - shared;
  return union > 0 ? Math.min(1, shared / union) : 0;
}

function area([x1, y1, x2, y2]: Box): number {
  return Math.max(0, x2 - x1) * Math.max(0, y2 - y1);
}

/** Reads `[x1, y1, x2, y2]`, `{x1, y1, x2, y2}`, `{xmin, …}`, `{left, …}` and `{x, y, width, height}`. */
export function readBox(value: unknown): Box | undefined {
  if (Array.isArray(value)) return boxOf(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const member = (name: string) =>
    Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  for (const names of CORNERS) {
    const box = boxOf(names.map(member));
    if (box) return box;
  }
  for (const names of SIZES) {
    const sized = boxOf(names.map(member));
    if (sized) return [sized[0], sized[1], sized[0] + sized[2], sized[1] + sized[3]];
  }
  return undefined;
}

const CORNERS = [
  ['x1', 'y1', 'x2', 'y2'],
  ['xmin', 'ymin', 'xmax', 'ymax'],
  ['x_min', 'y_min', 'x_max', 'y_max'],
  ['left', 'top', 'right', 'bottom'],
];
const SIZES = [
  ['x', 'y', 'width', 'height'],
  ['x', 'y', 'w', 'h'],
  ['left', 'top', 'width', 'height'],
];

function boxOf(values: readonly unknown[]): Box | undefined {
  return values.length === 4 && values.every((value) => Number.isFinite(value))
    ? (values as unknown as Box)
    : undefined;
}
