import { childPointer } from '../domain/pointer';
import { isObject, type UnknownObject } from '../domain/value';
import { limits } from './limits';
import { mediaOf } from './media';
import type { Box, PartOf } from './resultView';
import { commonKey, isNumber, scoreKeys } from './sampling';

/** Boxes and masks: what is drawn over the picture that went in. */

const boxKeys = ['box', 'bbox', 'bounding_box', 'boundingBox', 'bounds', 'rect', 'xyxy', 'xywh'] as const;
export const labelKeys = [
  'label',
  'class',
  'class_name',
  'className',
  'category',
  'name',
  'tag',
  'language',
  'lang',
  'sentiment',
  'emotion',
  'topic',
  'answer',
  'sequence',
  'token_str',
  'word',
  'value',
] as const;

/** Property names of a rectangle's sides: left, top, then right and bottom or width and height. */
const cornerNames = [
  ['xmin', 'ymin', 'xmax', 'ymax'],
  ['x_min', 'y_min', 'x_max', 'y_max'],
  ['x1', 'y1', 'x2', 'y2'],
  ['left', 'top', 'right', 'bottom'],
] as const;
const sizeNames = [
  ['x', 'y', 'width', 'height'],
  ['x', 'y', 'w', 'h'],
  ['left', 'top', 'width', 'height'],
] as const;

type Rectangle = Pick<Box, 'x' | 'y' | 'width' | 'height'>;

function rectangleOfObject(object: UnknownObject): Rectangle | undefined {
  const numbers = (names: readonly string[]) =>
    names.every((name) => isNumber(object[name])) ? names.map((name) => object[name] as number) : undefined;
  for (const names of sizeNames) {
    const [x, y, width, height] = numbers(names) ?? [];
    if (x !== undefined) return { x, y: y!, width: width!, height: height! };
  }
  for (const names of cornerNames) {
    const [x, y, right, bottom] = numbers(names) ?? [];
    if (x !== undefined) return { x, y: y!, width: right! - x, height: bottom! - y! };
  }
  return undefined;
}

const isFour = (value: unknown): value is [number, number, number, number] =>
  Array.isArray(value) && value.length === 4 && value.every(isNumber);

/**
 * Four bare numbers do not say whether the last two are a corner or a size. Under `xyxy` and `xywh` the name
 * tells; else a corner that lies left of or above the first one tells that they are sizes; else they are read
 * as corners and the part says that it is a guess.
 */
function orderOfFours(fours: readonly (readonly number[])[], key: string) {
  if (key === 'xyxy' || key === 'xywh') return { order: key, guessed: false } as const;
  const sizes = fours.some(([x, y, right, bottom]) => right! < x! || bottom! < y!);
  return { order: sizes ? 'xywh' : 'xyxy', guessed: !sizes } as const;
}

/** Rectangles with labels and scores; undefined when the items are none. `sample` is taken of `items`. */
export function boxesOf(
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
    const rectangle = isFour(value)
      ? order === 'xywh'
        ? { x: value[0], y: value[1], width: value[2], height: value[3] }
        : { x: value[0], y: value[1], width: value[2] - value[0], height: value[3] - value[1] }
      : isObject(value)
        ? rectangleOfObject(value)
        : undefined;
    return rectangle ? [{ ...rectangle, ...labelAndScore(item) }] : [];
  });
  if (boxes.length === 0) return undefined;
  const far = Math.max(...boxes.map((box) => Math.max(box.x + box.width, box.y + box.height)));
  return {
    kind: 'boxes',
    boxes,
    total: items.length,
    unit: far <= 1.01 ? 'fraction' : 'pixels',
    orderGuessed: fours.length > 0 && guessed,
  };
}

/** What one item says of itself. */
function labelAndScore(item: UnknownObject): { label?: string; score?: number } {
  const labelKey = labelKeys.find((key) => typeof item[key] === 'string');
  const scoreKey = scoreKeys.find((key) => isNumber(item[key]));
  return {
    ...(labelKey && { label: item[labelKey] as string }),
    ...(scoreKey && { score: item[scoreKey] as number }),
  };
}

/** Pictures of regions with labels and scores; undefined when the items are none. */
export function masksOf(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
  pointer: string,
): PartOf<'masks'> | undefined {
  if (!sample.every((item) => mediaOf(item.mask, '', 'mask')?.medium === 'image')) return undefined;
  const masks = items.slice(0, limits.masks).flatMap((item, index) => {
    const media = mediaOf(item.mask, `${childPointer(pointer, index)}/mask`, 'mask');
    return media ? [{ media, ...labelAndScore(item) }] : [];
  });
  return { kind: 'masks', masks, total: items.length };
}
