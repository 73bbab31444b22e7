import { isObject, type UnknownObject } from '../domain/value';
import { limits } from './limits';
import type { PartOf } from './resultView';
import { commonKey, isNumber } from './sampling';
import { shortJson } from './tree';

/** Of a name or another fact of a colour. */
const LONGEST_NAME = 60;

const colorKeys = ['hex', 'color', 'colour', 'rgb'] as const;
const shareKeys = ['share', 'weight', 'fraction', 'percentage', 'percent', 'proportion', 'score'] as const;
const nameKeys = ['name', 'label', 'title', 'color_name', 'colour_name'] as const;
const isColor = (value: unknown) => typeof value === 'string' && /^#(?:[0-9a-f]{3,4}){1,2}$/i.test(value);

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME && !isColor(value);

/** The other members of a colour, in one line. */
function factsBeside(item: UnknownObject, shown: readonly (string | undefined)[]): string {
  const others = Object.entries(item).filter(([key]) => !shown.includes(key));
  return others.map(([key, value]) => `${key}: ${shortJson(value, LONGEST_NAME)}`).join(', ');
}

/** Colours, bare or with their shares. */
export function labelColors(
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
  const nameKey = commonKey(sample, nameKeys, isName);
  const shareOf = (item: unknown) => (isObject(item) && shareKey ? item[shareKey] : undefined);
  // One per cent and the whole are both 1: the others tell.
  const whole = shown.some((item) => Number(shareOf(item)) > 1) ? 100 : 1;
  const colors = shown.flatMap((item) => {
    if (!isObject(item) || !isColor(item[colorKey])) return [];
    const share = shareOf(item);
    const name = nameKey ? item[nameKey] : undefined;
    const about = factsBeside(item, [colorKey, shareKey, nameKey]);
    return [
      {
        color: item[colorKey] as string,
        ...(isNumber(share) && { share: share / whole }),
        ...(isName(name) && { name }),
        ...(about !== '' && { about }),
      },
    ];
  });
  return { kind: 'colors', colors };
}
