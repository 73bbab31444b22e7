import type { Json } from '../domain/json';

/**
 * Whether JSON is nested deeper than this. Real input and responses never are; reading on, or writing it again, would
 * overflow the stack somewhere.
 * @param text the source of the value, or its bytes: a short one cannot be deep
 */
export function isDeeper(value: Json, text: { readonly length: number }, most: number): boolean {
  if (text.length < 2 * most) return false;
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
