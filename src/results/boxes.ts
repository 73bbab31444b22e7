import type { Json } from '../domain/json';
import { isObject } from '../domain/value';
import { words } from '../domain/words';
import { labelKeys } from './labels';
import { isNumber, scoreKeys, spelled } from './sampling';

/** The one reader of boxes, for previews, metrics and reports. */

/** Orders of four numbers: two corners, a corner and sizes, or the center and sizes. */
export const BOX_FORMS = ['xyxy', 'xywh', 'cxcywh'] as const;
export type BoxForm = (typeof BOX_FORMS)[number];

/** Left, top, right and bottom: in pixels, or in shares of the picture. */
export type Box = readonly [x1: number, y1: number, x2: number, y2: number];

export interface Region {
  readonly box: Box;
  readonly label?: string;
  readonly score?: number;
}

const BOX_KEYS = words('box bbox bounding_box bounds rect xyxy xywh cxcywh');

/** Names of the four numbers of an object. */
const SIDES: readonly (readonly [BoxForm, readonly string[]])[] = [
  ['xywh', words('x y width height')],
  ['xywh', words('x y w h')],
  ['xywh', words('left top width height')],
  ['xyxy', words('xmin ymin xmax ymax')],
  ['xyxy', words('x1 y1 x2 y2')],
  ['xyxy', words('left top right bottom')],
  ['cxcywh', words('cx cy width height')],
  ['cxcywh', words('cx cy w h')],
];

type Four = readonly [number, number, number, number];

/** Four numbers of a value, and their form where a name tells it. */
interface Numbers {
  readonly four: Four;
  readonly form?: BoxForm;
}

export function isForm(name: string | undefined): name is BoxForm {
  return BOX_FORMS.some((form) => form === name);
}

const isFour = (value: unknown): value is Four =>
  Array.isArray(value) && value.length === 4 && value.every(isNumber);

/** The numbers of a box: a list, an object of sides, or a record that has one of these under a usual name. */
export function boxNumbers(value: unknown): Numbers | undefined {
  const own = numbersOf(value, undefined);
  if (own || !isObject(value)) return own;
  for (const key of spelled(value, BOX_KEYS)) {
    const under = numbersOf(value[key], key);
    if (under) return under;
  }
  return undefined;
}

function numbersOf(value: unknown, name: string | undefined): Numbers | undefined {
  if (isFour(value)) return isForm(name) ? { four: value, form: name } : { four: value };
  if (!isObject(value)) return undefined;
  for (const [form, names] of SIDES) {
    const four = spelled(value, names).map((side) => value[side]);
    if (isFour(four)) return { four, form };
  }
  return undefined;
}

/**
 * The corners; undefined where the numbers cannot be a box of that form.
 * @param form the form of lists. `x` and `y` of an object may be its center, too
 */
export function cornersOf({ four, form: named }: Numbers, form: BoxForm = 'xyxy'): Box | undefined {
  const [x, y, c, d] = four;
  const box: Record<BoxForm, Box> = {
    xyxy: [x, y, c, d],
    xywh: [x, y, x + c, y + d],
    cxcywh: [x - c / 2, y - d / 2, x + c / 2, y + d / 2],
  };
  const isCenter = named === 'xywh' && form === 'cxcywh';
  const corners = box[named === undefined || isCenter ? form : named];
  return corners[2] >= corners[0] && corners[3] >= corners[1] ? corners : undefined;
}

/** Boxes of a result or an expected value, with the doubts about them. */
export interface ReadBoxes {
  readonly regions: readonly Region[];
  /** Lists without a form, read as two corners. */
  readonly isGuessed: boolean;
  /** Some cannot be boxes of their form. */
  readonly isImpossible: boolean;
}

/** One box, or a list of boxes; undefined for other values. */
export function readBoxes(value: Json | undefined, form?: BoxForm): ReadBoxes | undefined {
  const one = boxNumbers(value);
  const items: readonly unknown[] | undefined = one ? [value] : Array.isArray(value) ? value : undefined;
  const numbers = items?.flatMap((item) => boxNumbers(item) ?? []);
  if (!items || !numbers || numbers.length < items.length) return undefined;
  const regions = numbers.flatMap((read, at) => {
    const box = cornersOf(read, form);
    return box ? [{ box, ...labelAndScore(items[at]) }] : [];
  });
  return {
    regions,
    isGuessed: form === undefined && numbers.some((read) => read.form === undefined),
    isImpossible: regions.length < numbers.length,
  };
}

/** The label and the score of a record. */
export function labelAndScore(item: unknown): { label?: string; score?: number } {
  if (!isObject(item)) return {};
  const labelKey = labelKeys.find((key) => typeof item[key] === 'string');
  const scoreKey = scoreKeys.find((key) => isNumber(item[key]));
  return {
    ...(labelKey && { label: item[labelKey] as string }),
    ...(scoreKey && { score: item[scoreKey] as number }),
  };
}

/** Whether boxes are in shares of the picture; some models draw a little beyond it. */
export function areShares(boxes: readonly Box[]): boolean {
  return boxes.every(([, , x2, y2]) => Math.max(x2, y2) <= 1.01);
}

/** Whether some are certainly in shares of the picture, and the others certainly in pixels. */
export function differInUnit(some: readonly Region[], others: readonly Region[]): boolean {
  const [a, b] = [some, others].map((regions) => regions.map(({ box }) => box)) as [Box[], Box[]];
  const inShares = (boxes: Box[]) => areShares(boxes) && boxes.flat().some((side) => !Number.isInteger(side));
  const inPixels = (boxes: Box[]) => boxes.flat().some((side) => side > 2);
  return (inShares(a) && inPixels(b)) || (inPixels(a) && inShares(b));
}

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
  return (x2 - x1) * (y2 - y1);
}

/**
 * How many boxes find an expected one: the best score first, each takes the free one of its label that it overlaps most,
 * from 0.5 on (as PASCAL VOC and COCO at IoU 0.5).
 */
export function foundBoxes(got: readonly Region[], expected: readonly Region[]): number {
  const free = new Set(expected);
  for (const { box, label } of got.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))) {
    let best: { readonly region: Region; readonly overlap: number } | undefined;
    for (const region of free) {
      if (label !== undefined && region.label !== undefined && region.label !== label) continue;
      const overlap = intersectionOverUnion(box, region.box);
      if (overlap >= 0.5 && overlap > (best?.overlap ?? 0)) best = { region, overlap };
    }
    if (best) free.delete(best.region);
  }
  return expected.length - free.size;
}
