import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { hasMore, nextAddress, pageHeaders } from './morePages';
import { firstOf, members, pick, pickEntry } from './records';
import { listTotal } from './totals';

// Lists: "query parameters and body: not shown" (section 4). Seen in the field: a bare array, or an envelope
// with or without a link to the next page.

export interface ReadList {
  readonly items: readonly unknown[];
  /** The address of the next page, as in the body or the Link header. */
  readonly next?: string;
  /** There are more items, but the body has no address of them (the query parameters are not documented). */
  readonly goesOn: boolean;
  /** How many items there are on all pages, where the body says it. */
  readonly total?: number;
}

/** Envelope names, the likelier first. */
const ENVELOPES = words(
  'models results items data entries records list rows content objects publishedmodels catalog',
);
/** Names around an envelope, which hold no list themselves. */
const OUTER = words('data page response result payload embedded');

/**
 * The list in a body, or undefined when there is none of a known kind.
 *
 * @param names under which the list is looked for
 */
export function readList(
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
  names: readonly string[] = ENVELOPES,
): ReadList | undefined {
  const list = listIn(json, names, 0);
  if (list === undefined) return undefined;
  return readItems(list, headers);
}

function readItems({ items, envelopes }: Found, headers: Readonly<Record<string, string>>): ReadList {
  const next = nextAddress(envelopes, headers);
  const about = [...envelopes, pageHeaders(headers)];
  const total = listTotal(about, headers);
  return {
    ...{ items, next, goesOn: next === undefined && about.some(hasMore) },
    ...(total !== undefined && { total }),
  };
}

/** Arrays and records that are looked at for a list under an unknown name. */
const MOST_LOOKED_AT = 500;

/**
 * The longest array anywhere in a body whose items are of a kind: for bodies in which `readList` finds none.
 *
 * @param isItem whether an item is of that kind
 */
export function readListAnywhere(
  json: unknown,
  headers: Readonly<Record<string, string>>,
  isItem: (item: unknown) => boolean,
): ReadList | undefined {
  const queue: { readonly value: unknown; readonly envelopes: readonly UnknownObject[] }[] = [
    { value: json, envelopes: [] },
  ];
  const lists: Found[] = [];
  for (let next = 0; next < queue.length && next < MOST_LOOKED_AT; next++) {
    const { value, envelopes } = queue[next] as (typeof queue)[number];
    if (Array.isArray(value)) {
      // The first items tell: a list may have thousands.
      const isList = value.length > 0 && value.slice(0, 5).every(isItem);
      if (isList) lists.push({ items: value, envelopes });
    } else if (isObject(value) && envelopes.length < 5)
      for (const [, member] of members(value))
        if (typeof member === 'object') queue.push({ value: member, envelopes: [...envelopes, value] });
  }
  const longest = lists.toSorted((a, b) => b.items.length - a.items.length)[0];
  if (longest === undefined) return undefined;
  // {image: [...], text: [...]}: groups of one list, for their items are alike.
  const groups = lists.filter(
    ({ items, envelopes }) =>
      envelopes.at(-1) === longest.envelopes.at(-1) && namesOf(items[0]) === namesOf(longest.items[0]),
  );
  return readItems({ ...longest, items: groups.flatMap(({ items }) => items) }, headers);
}

function namesOf(item: unknown): string {
  return isObject(item)
    ? members(item)
        .map(([name]) => name)
        .join('\n')
    : '';
}

const MEMBERS = words('models publishedmodels items entries results children');
/** Groups that are looked into. */
const MOST_GROUPS = 1000;

/** [{name: "Image", models: [...]}, ...]: the items of all groups; undefined unless every item has some. */
export function itemsOfGroups(items: readonly unknown[]): readonly unknown[] | undefined {
  if (items.length === 0 || items.length > MOST_GROUPS) return undefined;
  const groups = items.map((item) => (isObject(item) ? pick(item, ...MEMBERS) : undefined));
  return groups.every(Array.isArray) ? groups.flat() : undefined;
}

interface Found {
  readonly items: readonly unknown[];
  readonly envelopes: readonly UnknownObject[];
}

function listIn(json: unknown, names: readonly string[], depth: number): Found | undefined {
  if (Array.isArray(json)) return { items: json, envelopes: [] };
  if (!isObject(json) || depth > 2) return undefined;
  // An array under a known name is the list; only then is a nested envelope looked into ({data: {items: []}}).
  const items = names.map((name) => pick(json, name)).find((value) => Array.isArray(value));
  if (items !== undefined) return { items, envelopes: [json] };
  const inner = firstOf([...names, ...OUTER], (name) => listIn(pick(json, name), names, depth + 1));
  if (inner !== undefined) return { items: inner.items, envelopes: [json, ...inner.envelopes] };
  // {models: {slug: {...}}}: the names are the slugs.
  const map = pickEntry(json, 'models', 'items', 'results')?.[1];
  if (!isObject(map) || Object.keys(map).length === 0 || !Object.values(map).every(isObject))
    return undefined;
  const models = Object.entries(map).map(([slug, model]) => ({ slug, ...(model as UnknownObject) }));
  return { items: models, envelopes: [json] };
}
