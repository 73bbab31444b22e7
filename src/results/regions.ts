import { childPointer } from '../domain/pointer';
import type { UnknownObject } from '../domain/value';
import { areShares, boxNumbers, cornersOf, labelAndScore } from './boxes';
import { limits } from './limits';
import { resultMedia } from './media';
import type { PartOf } from './resultView';

/** Boxes and masks, which are drawn over the input image. */

/**
 * Rectangles with labels and scores; undefined when the items are something else. Lists without a form are sizes when one
 * of them cannot be two corners; else they are read as corners, and marked as a guess. `sample` is part of `items`.
 */
export function resultBoxes(
  items: readonly UnknownObject[],
  sample: readonly UnknownObject[],
): PartOf<'boxes'> | undefined {
  if (!sample.every(boxNumbers)) return undefined;
  const read = items.slice(0, limits.boxes).flatMap((item) => {
    const numbers = boxNumbers(item);
    return numbers ? [{ item, numbers }] : [];
  });
  const lists = read.filter(({ numbers }) => numbers.form === undefined);
  const form = lists.every(({ numbers }) => cornersOf(numbers)) ? 'xyxy' : 'xywh';
  const known = read.flatMap(({ item, numbers }) => {
    const corners = cornersOf(numbers, form);
    return corners ? [{ corners, ...labelAndScore(item) }] : [];
  });
  if (known.length === 0) return undefined;
  return {
    kind: 'boxes',
    boxes: known.map(({ corners: [x, y, right, bottom], ...names }) => {
      return { x, y, width: right - x, height: bottom - y, ...names };
    }),
    total: items.length,
    unit: areShares(known.map(({ corners }) => corners)) ? 'fraction' : 'pixels',
    orderGuessed: lists.length > 0 && form === 'xyxy',
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
