import type { Json } from '../../domain/json';

/**
 * Differences of spelling that a metric may leave out. `width`: full and half width, compatibility forms, other spaces and
 * characters that are not seen. `number`: the signs between the digits of a number.
 */
export const IGNORABLE = ['case', 'punctuation', 'width', 'number'] as const;
export type Ignored = (typeof IGNORABLE)[number];

/** One text for all spellings that differ by these alone, in lists too; all other values unchanged. */
export function ignoring<T extends Json | undefined>(value: T, ignored: readonly Ignored[]): T {
  if (ignored.length === 0) return value;
  if (typeof value === 'string') return textWithout(value, new Set(ignored)) as T;
  return Array.isArray(value) ? (value.map((one) => ignoring(one, ignored)) as unknown as T) : value;
}

function textWithout(text: string, ignored: ReadonlySet<Ignored>): string {
  let left = text.normalize(ignored.has('width') ? 'NFKC' : 'NFC');
  if (ignored.has('width')) left = left.replaceAll(/(?!\s)\p{DI}|\p{Cf}/gu, '').replaceAll(/\s+/g, ' ');
  const number = ignored.has('number') ? plainNumber(left.trim()) : undefined;
  if (number !== undefined) return number;
  if (ignored.has('case')) left = left.toLowerCase();
  if (ignored.has('punctuation'))
    left = left.replaceAll(DASHES, ' ').replaceAll(MARKS, '').replaceAll(/\s+/g, ' ');
  return left.trim();
}

/** Between digits, and before them, signs belong to a number: 1.5 is not 15, and -5 is not 5. */
const DASHES = /(?<!\d)[\p{Pd}\p{Pc}](?!\d)|(?<=\p{L})[\p{Pd}\p{Pc}]/gu;
const MARKS =
  /(?<!\d)[\p{Term}\p{QMark}\p{Ps}\p{Pe}\p{Pi}\p{Pf}*…](?!\d)|(?<=\d)[\p{Term}\p{QMark}\p{Pe}\p{Pf}*…](?!\d)|(?<!\d)[\p{QMark}\p{Ps}\p{Pi}*](?=\d)/gu;

/**
 * A number with a decimal point and nothing between thousands: "1,5", "1 234,5", "1,234.5" and "1.234.567". Undefined where
 * the text is not a number, or may be either of two: "1,234".
 */
function plainNumber(text: string): string | undefined {
  const [, sign, body] = /^([+\-−]?)(\d[\d.,' \u00a0\u202f’]*)$/.exec(text) ?? [];
  if (body === undefined) return undefined;
  const points = body.replaceAll(/[^.,]/g, '');
  const last = points.at(-1);
  // The last of two kinds, and one alone that no group of three digits follows.
  const isDecimal = last !== undefined && points.indexOf(last) === points.length - 1;
  if (isDecimal && points.length === 1 && last === ',' && /^[1-9]\d{0,2},\d{3}$/.test(body)) return undefined;
  const [whole, decimals] = isDecimal ? (body.split(last) as [string, string]) : [body, undefined];
  if (
    !/^(?:0|[1-9]\d*)$|^[1-9]\d{0,2}(?:([.,' \u00a0\u202f’])\d{3})(?:\1\d{3})*$/.test(whole) ||
    /\D/.test(decimals ?? '')
  )
    return undefined;
  const digits = whole.replaceAll(/\D/g, '');
  let rest = decimals ?? '';
  while (rest.endsWith('0')) rest = rest.slice(0, -1);
  return `${sign === '' || sign === '+' ? '' : '-'}${digits}${rest === '' ? '' : `.${rest}`}`;
}

/** Rows that would be right if these differences did not count. */
export interface NearMisses {
  readonly rows: number;
  readonly ignored: readonly Ignored[];
}

/**
 * How many of these results would be right without differences of spelling, and without which.
 * @param isRight by the metric
 */
export function nearMisses<T>(
  wrong: Iterable<T>,
  isRight: (one: T, ignored: readonly Ignored[]) => boolean,
): NearMisses | undefined {
  const needed = new Set<Ignored>();
  let rows = 0;
  for (const one of wrong) {
    if (!isRight(one, IGNORABLE)) continue;
    rows += 1;
    const single = IGNORABLE.find((kind) => isRight(one, [kind]));
    const own = single ? [single] : IGNORABLE.filter((kind) => !isRight(one, without(kind)));
    for (const kind of own.length > 0 ? own : IGNORABLE) needed.add(kind);
  }
  return rows === 0 ? undefined : { rows, ignored: IGNORABLE.filter((kind) => needed.has(kind)) };
}

const without = (kind: Ignored) => IGNORABLE.filter((one) => one !== kind);
