import { greatestOf } from '../domain/many';
import { childPointer } from '../domain/pointer';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { labelKeys } from './labels';
import { limits } from './limits';
import { resultMedia } from './media';
import type { Box, PartOf } from './resultView';
import { commonKey, isNumber, scoreKeys } from './sampling';

/** Boxes and masks, which are drawn over the input image. */

const boxKeys = ['box', 'bbox', 'bounding_box', 'boundingBox', 'bounds', 'rect', 'xyxy', 'xywh'] as const;

/** Property names of a rectangle's sides: left, top, then right and bottom or width and height. */
const cornerNames = [
  'xmin ymin xmax ymax',
  'x_min y_min x_max y_max',
  'x1 y1 x2 y2',
  'left top right bottom',
];
const sizeNames = ['x y width height', 'x y w h', 'left top width height'];

type Rectangle = Pick<Box, 'x' | 'y' | 'width' | 'height'>;

function rectangleOfObject(object: UnknownObject): Rectangle | undefined {
  const fourUnder = (table: readonly string[]) =>
    table.map((names) => words(names).map((name) => object[name])).find(isFour);
  const sizes = fourUnder(sizeNames);
  if (sizes) return rectangleOf(sizes, 'xywh');
  const corners = fourUnder(cornerNames);
  return corners && rectangleOf(corners, 'xyxy');
}

type Four = [number, number, number, number];

function rectangleOf([x, y, right, bottom]: Four, order: 'xyxy' | 'xywh'): Rectangle {
  if (order === 'xywh') return { x, y, width: right, height: bottom };
  return { x, y, width: right - x, height: bottom - y };
}

const isFour = (value: unknown): value is Four =>
  Array.isArray(value) && value.length === 4 && value.every(isNumber);

/**
 * The last two of four bare numbers may be a corner or a size. The names `xyxy` and `xywh` decide; else they are sizes
 * when they would be a corner left of or above the first one; else they are read as corners, and marked as a guess.
 */
function orderOfFours(fours: readonly (readonly number[])[], key: string) {
  if (key === 'xyxy' || key === 'xywh') return { order: key, guessed: false } as const;
  const sizes = fours.some(([x, y, right, bottom]) => right! < x! || bottom! < y!);
  return { order: sizes ? 'xywh' : 'xyxy', guessed: !sizes } as const;
}

/** Rectangles with labels and scores; undefined when the items are something else. `sample` is part of `items`. */
export function resultBoxes(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
): PartOf<'boxes'> | undefined {
  const shown = items.slice(0, limits.boxes);
  const boxKey = commonKey(
    sample,
    boxKeys,
    (value) => (isObject(value) && !!rectangleOfObject(value)) || isFour(value),
  );
  if (!boxKey && !sample.every((item) => rectangleOfObject(item))) return undefined;
  const fours = boxKey ? shown.map((item) => item[boxKey]).filter(isFour) : [];
  const { order, guessed } = orderOfFours(fours, boxKey ?? '');
  const boxes = shown.flatMap((item) => {
    const value = boxKey ? item[boxKey] : item;
    const own = isObject(value) ? rectangleOfObject(value) : undefined;
    const rectangle = isFour(value) ? rectangleOf(value, order) : own;
    return rectangle ? [{ ...rectangle, ...labelAndScore(item) }] : [];
  });
  if (boxes.length === 0) return undefined;
  const far = greatestOf(boxes.map((box) => Math.max(box.x + box.width, box.y + box.height)));
  return {
    kind: 'boxes',
    boxes,
    total: items.length,
    unit: far <= 1.01 ? 'fraction' : 'pixels',
    orderGuessed: fours.length > 0 && guessed,
  };
}

function labelAndScore(item: UnknownObject): { label?: string; score?: number } {
  const labelKey = labelKeys.find((key) => typeof item[key] === 'string');
  const scoreKey = scoreKeys.find((key) => isNumber(item[key]));
  return {
    ...(labelKey && { label: item[labelKey] as string }),
    ...(scoreKey && { score: item[scoreKey] as number }),
  };
}

/** Masks with labels and scores; undefined when the items are something else. */
export function resultMasks(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
  pointer: string,
): PartOf<'masks'> | undefined {
  if (!sample.every((item) => resultMedia(item.mask, '', 'mask')?.medium === 'image')) return undefined;
  const masks = items.slice(0, limits.masks).flatMap((item, index) => {
    const media = resultMedia(item.mask, `${childPointer(pointer, index)}/mask`, 'mask');
    return media ? [{ media, ...labelAndScore(item) }] : [];
  });
  return { kind: 'masks', masks, total: items.length };
}
