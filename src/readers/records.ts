import { isObject, type UnknownObject } from '../domain/value';
import { oneLine } from '../domain/words';

// Looking into bodies with open names and nesting.

/** The first result of `read` other than undefined. */
export function firstOf<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = read(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** A name without case and separators, so that `input_schema`, `inputSchema` and `Input-Schema` are one. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, '');
}

/** The words of a name: "isSuccess", "is_success" and "is-success" have the same. */
export function nameWords(name: string): readonly string[] {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_');
  return words.toLowerCase().split(/[^a-z\d]+/);
}

/**
 * The first of `names` (given in plain form: `inputschema`) that the record has with a value other than null.
 * The order is that of `names`: the more specific name comes first.
 */
export function pick(record: UnknownObject, ...names: readonly string[]): unknown {
  return pickEntry(record, ...names)?.[1];
}

/** As `pick`, with the name as the record spells it. */
export function pickEntry(record: UnknownObject, ...names: readonly string[]): Member | undefined {
  const byName = entriesByName(record);
  return firstOf(names, (name) => byName.get(name));
}

/** Records with more members are data: the members that readers look for are among the first. */
const MOST_MEMBERS = 2000;
export const LONGEST_NAME = 200;

type Member = [name: string, value: unknown];
const knownMembers = new WeakMap<UnknownObject, readonly Member[]>();

/** The members of a record, as far as readers look; listed once, for many readers go over one record. */
export function members(record: UnknownObject): readonly Member[] {
  const known = knownMembers.get(record);
  if (known !== undefined) return known;
  const listed: Member[] = [];
  for (const name in record) {
    if (listed.length >= MOST_MEMBERS) break;
    if (name.length <= LONGEST_NAME) listed.push([name, record[name]]);
  }
  knownMembers.set(record, listed);
  return listed;
}

/** Made once for each record: readers ask one record for dozens of names, and a body may have thousands. */
const byPlainName = new WeakMap<UnknownObject, ReadonlyMap<string, Member>>();

function entriesByName(record: UnknownObject): ReadonlyMap<string, Member> {
  const known = byPlainName.get(record);
  if (known !== undefined) return known;
  const byName = new Map<string, Member>();
  for (const member of members(record)) {
    const name = plainName(member[0]);
    if (member[1] !== null && member[1] !== undefined && !byName.has(name)) byName.set(name, member);
  }
  byPlainName.set(record, byName);
  return byName;
}

/** The first of `names` that is text, or a number where an identifier may be one. */
export function pickText(record: UnknownObject, ...names: readonly string[]): string | undefined {
  return firstOf(names, (name) => asText(pick(record, name)));
}

/** An address with a scheme or a path, no plain word. */
export function isAddress(text: string | undefined): text is string {
  return text !== undefined && /^(?:https?:\/\/|\/|\?|\.{1,2}\/)/i.test(text);
}

export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return undefined;
}

/** A value of any kind as text; empty for lists and records, whose own members could decide how they are written. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** The values of a record in words: "amount 1250, unit widgets". */
export function inWords(record: UnknownObject, most: number): string | undefined {
  const texts = members(record).flatMap(([key, value]) => {
    const text = asText(value) ?? (Array.isArray(value) ? valueWords(value.slice(0, 5)).join(' ') : '');
    return text === '' ? [] : [`${key} ${text}`];
  });
  return oneLine(texts.join(', '), most);
}

/** The words of comma-separated text, or of a list of strings or of objects with a name. */
export function valueWords(value: unknown): string[] {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  const list = Array.isArray(value) ? value : isObject(value) ? [value] : [];
  return list.flatMap((entry) => {
    const word = isObject(entry)
      ? pickText(entry, 'displayname', 'name', 'title', 'label', 'slug', 'value', 'id')
      : asText(entry);
    return word === undefined ? [] : [word];
  });
}
