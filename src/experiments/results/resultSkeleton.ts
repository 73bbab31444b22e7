import type { Json, JsonObject } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import { isObject, setOwn } from '../../domain/value';

/**
 * A long result without its long parts: the rest stays in the line, so that a label beside a vector is read from
 * there.
 */
export interface Skeleton {
  /** Members that are left out are missing, items of lists are null. */
  readonly rest: Json;
  /** JSON pointers to the parts that are left out. */
  readonly without: readonly string[];
}

/** Longer lists are left out whole. */
const LONGEST_LIST = 64;
/** Characters as JSON of a part that stays: the second is tried where a result has many parts. */
const LONGEST_PARTS = [1_000, 100];
/** More parts are no skeleton. */
const MOST_WITHOUT = 64;

/** @param longest characters of the skeleton as JSON. Undefined: the result has no skeleton that short. */
export function skeletonOf(result: Json, longest: number): Skeleton | undefined {
  if (!isObject(result) && !Array.isArray(result)) return undefined;
  for (const most of LONGEST_PARTS) {
    const without: string[] = [];
    const rest = shortened(result, '', most, without);
    if (rest === undefined || without.length > MOST_WITHOUT) continue;
    if (JSON.stringify(rest).length <= longest) return { rest, without };
  }
  return undefined;
}

/** Undefined: left out. */
function shortened(value: Json, pointer: string, most: number, without: string[]): Json | undefined {
  const leaveOut = () => {
    without.push(pointer);
    return undefined;
  };
  if (without.length > MOST_WITHOUT) return undefined;
  if (typeof value === 'string') return value.length <= most ? value : leaveOut();
  if (Array.isArray(value)) {
    if (value.length > LONGEST_LIST && JSON.stringify(value).length > most) return leaveOut();
    return value.map((item, at) => shortened(item, childPointer(pointer, at), most, without) ?? null);
  }
  if (!isObject(value)) return value;
  const rest: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const kept = shortened(member, childPointer(pointer, name), most, without);
    if (kept !== undefined) setOwn(rest, name, kept);
  }
  return rest;
}

/** Whether all of the value at a place is in the skeleton: nothing above, at or below that place is left out. */
export function isWhole(without: readonly string[], at: string): boolean {
  return !without.some((one) => one === at || isBelow(one, at) || isBelow(at, one));
}

function isBelow(pointer: string, other: string): boolean {
  return pointer.startsWith(`${other}/`);
}
