import type { Json, JsonObject } from './json';
import { segmentsOf } from './pointer';

/**
 * Edits of a JSON value that leave the old value unchanged and share its unchanged parts, so that a form can tell by
 * identity what to render again. A place that is not there reads as undefined; writing to it makes the objects on the
 * way (never array items beyond the end: those are added at the end).
 */

export type UnknownObject = { readonly [key: string]: unknown };

/** Whether a value is an object, not an array and not null. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is UnknownObject;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether an object anywhere in a value has a member of this name, of its own. */
export function hasMember(value: unknown, name: string): boolean {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || ArrayBuffer.isView(next)) continue;
    if (Object.hasOwn(next, name)) return true;
    for (const inner of Object.values(next))
      if (typeof inner === 'object' && inner !== null) pending.push(inner);
  }
  return false;
}

/** How many objects, lists, strings, numbers and so on a value has, itself included. */
export function valuesIn(value: Json | undefined): number {
  const pending = [value];
  let count = 0;
  for (; pending.length > 0; count += 1) {
    const next = pending.pop();
    if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) pending.push(inner);
  }
  return count;
}

/** The own member of a record under a name: a service may choose any name, even `constructor`. */
export function ownOf<T>(record: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Sets a member as JSON.parse does: also one named `__proto__` is a member, and not another prototype. */
export function setOwn<T>(record: { [name: string]: T }, name: string, value: T): void {
  if (name === '__proto__')
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  else record[name] = value;
}

/** The value at a pointer, undefined when the place does not exist. */
export function getAt(value: Json | undefined, pointer: string): Json | undefined {
  return segmentsOf(pointer).reduce<Json | undefined>(own, value);
}

/** The value with `next` at the pointer. A value on the way that is neither object nor array is replaced. */
export function setAt(value: Json | undefined, pointer: string, next: Json): Json {
  return write(value, segmentsOf(pointer), next);
}

/** Loops, and no copies of the segments: a place may have any number of them. */
function write(value: Json | undefined, segments: readonly string[], next: Json): Json {
  const parents: (Json | undefined)[] = [];
  let place = value;
  for (const key of segments) {
    parents.push(place);
    place = own(place, key);
  }
  return parents.reduceRight<Json>(
    (child, parent, depth) => withChild(parent, segments[depth]!, child),
    next,
  );
}

function withChild(value: Json | undefined, key: string, child: Json): Json {
  if (Array.isArray(value)) {
    const at = /^\d+$/.test(key) ? Math.min(Number(key), value.length) : value.length;
    return value[at] === child && at < value.length ? value : value.toSpliced(at, 1, child);
  }
  if (isObject(value) && Object.hasOwn(value, key) && value[key] === child) return value;
  // A computed key, so that a property named __proto__ is a property.
  return { ...(isObject(value) ? value : {}), [key]: child };
}

/** The value without the part at the pointer: a member is left out, an item is removed from its array. */
export function removeAt(value: Json, pointer: string): Json {
  const segments = segmentsOf(pointer);
  const key = segments.pop();
  if (key === undefined) return value;
  const parent = segments.reduce<Json | undefined>(own, value);
  if (Array.isArray(parent)) {
    const at = Number(key);
    if (!(at in parent)) return value;
    return write(value, segments, parent.toSpliced(at, 1));
  }
  if (!isObject(parent) || !Object.hasOwn(parent, key)) return value;
  const { [key]: _removed, ...others } = parent;
  return write(value, segments, others);
}

/**
 * The value with `item` put into the array at `arrayPointer` before `index` (default: last). Makes the array when it
 * is missing.
 */
export function insertAt(value: Json, arrayPointer: string, item: Json, index?: number): Json {
  const array = getAt(value, arrayPointer);
  const items = Array.isArray(array) ? array : [];
  return setAt(value, arrayPointer, items.toSpliced(index ?? items.length, 0, item));
}

/** The value with an item of the array at `arrayPointer` moved; indexes outside the array change nothing. */
export function moveAt(value: Json, arrayPointer: string, from: number, to: number): Json {
  const array = getAt(value, arrayPointer);
  if (!Array.isArray(array) || !(from in array) || !(to in array) || from === to) return value;
  const item = array[from] as Json;
  return setAt(value, arrayPointer, array.toSpliced(from, 1).toSpliced(to, 0, item));
}

/** The object at `objectPointer` with a member renamed in place, so that the order stays. A name taken or missing changes nothing. */
export function renameAt(value: Json, objectPointer: string, from: string, to: string): Json {
  const object = getAt(value, objectPointer);
  if (!isObject(object) || !Object.hasOwn(object, from) || Object.hasOwn(object, to)) return value;
  const renamed = Object.entries(object).map(([key, item]): [string, Json] => [
    key === from ? to : key,
    item,
  ]);
  return setAt(value, objectPointer, Object.fromEntries(renamed));
}

/**
 * Whether two JSON values are the same, members in any order. Our own instead of dequal, which takes two objects with
 * a member named `constructor` for different.
 */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** A record or a list. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
