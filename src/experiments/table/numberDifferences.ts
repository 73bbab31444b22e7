import type { Json } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import type { ShownNumberDifferences } from '../../protocol/experiment';
import { formatDifference } from '../../wording/number';
import { mean } from '../metrics/statistics';
import { numberText } from './outcome';

/** Numbers that are read of one result, and values that are looked at for them: a result may have millions. */
const MOST_NUMBERS = 2_000;
const MOST_VALUES = 20_000;
/** The editor of differences has all. */
const MOST_SHOWN = 50;
/** A longer list of numbers is a vector, or a sound: no place in it means anything alone. */
const LONGEST_LIST = 64;

/**
 * The numbers that differ between the results of two cells, in the order of the first one.
 * @param first results of the cell's finished repeats, of which a number is the mean; one that one of them lacks is
 * left out
 */
export function numberDifferences(first: readonly Json[], second: readonly Json[]) {
  const others = meansOf(second);
  return [...meansOf(first)].flatMap(([pointer, one]) => {
    const other = others.get(pointer);
    return other === undefined || other === one ? [] : { pointer, first: one, second: other };
  });
}

/** The same in words, the first of them. @param locale BCP 47 */
export function shownDifferences(
  first: readonly Json[],
  second: readonly Json[],
  locale?: string,
): ShownNumberDifferences {
  const all = numberDifferences(first, second);
  const rows = all.slice(0, MOST_SHOWN).map((row) => ({
    pointer: row.pointer,
    first: numberText(row.first, locale),
    second: numberText(row.second, locale),
    difference: formatDifference(row.second - row.first, locale),
  }));
  return { rows, more: all.length - rows.length };
}

function meansOf(results: readonly Json[]): ReadonlyMap<string, number> {
  const [first, ...others] = results.map(numbersIn);
  const means = new Map<string, number>();
  for (const [pointer, number] of first ?? []) {
    const all = others.flatMap((numbers) => numbers.get(pointer) ?? []);
    if (all.length === others.length) means.set(pointer, mean([number, ...all]));
  }
  return means;
}

function numbersIn(result: Json): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  let looked = 0;
  const left: [string, Json][] = [['', result]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [pointer, value] = next;
    if (++looked > MOST_VALUES || numbers.size >= MOST_NUMBERS) break;
    if (typeof value === 'number') numbers.set(pointer, value);
    else if (Array.isArray(value) ? !isVector(value) : isObject(value)) {
      for (const [name, member] of firstMembers(value as Json[] | Record<string, Json>).reverse()) {
        left.push([childPointer(pointer, name), member]);
      }
    }
  }
  return numbers;
}

/** As many as are looked at, without a copy of all. */
function firstMembers(value: Json[] | Record<string, Json>): [string | number, Json][] {
  if (Array.isArray(value)) return [...value.slice(0, MOST_VALUES).entries()];
  const members: [string, Json][] = [];
  for (const name in value) {
    if (members.length >= MOST_VALUES) break;
    if (Object.hasOwn(value, name)) members.push([name, value[name]!]);
  }
  return members;
}

function isVector(list: readonly Json[]): boolean {
  return list.length > LONGEST_LIST && list.every((value) => typeof value === 'number');
}
