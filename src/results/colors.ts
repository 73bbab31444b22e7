import { isObject } from '../domain/value';
import { limits } from './limits';
import type { PartOf } from './resultView';
import { commonKey, isNumber } from './sampling';

const colorKeys = ['hex', 'color', 'colour', 'rgb'] as const;
const shareKeys = ['share', 'weight', 'fraction', 'percentage', 'percent', 'proportion', 'score'] as const;
const isColor = (value: unknown) => typeof value === 'string' && /^#(?:[0-9a-f]{3,4}){1,2}$/i.test(value);

/** Colours, bare or with their shares. */
export function colorsOf(
  items: readonly unknown[],
  sample: readonly unknown[],
): PartOf<'colors'> | undefined {
  const shown = items.slice(0, limits.labels);
  if (sample.every(isColor))
    return { kind: 'colors', colors: shown.map((color) => ({ color: String(color) })) };
  if (!sample.every(isObject)) return undefined;
  const colorKey = commonKey(sample, colorKeys, isColor);
  if (!colorKey) return undefined;
  const shareKey = commonKey(sample, shareKeys, isNumber);
  const colors = shown.flatMap((item) => {
    if (!isObject(item) || !isColor(item[colorKey])) return [];
    const share = shareKey ? item[shareKey] : undefined;
    return [{ color: item[colorKey] as string, ...(isNumber(share) && { share }) }];
  });
  return { kind: 'colors', colors };
}
