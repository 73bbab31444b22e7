import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { firstOf, pick, pickEntry } from './records';

// Lists: "query parameters and body: not shown" (section 4). Seen in the field: a bare array, or an envelope
// with or without a link to the next page.

export interface ReadList {
  readonly items: readonly unknown[];
  /** The address of the next page, as in the body or the Link header. */
  readonly next?: string;
  /** There are more items, but the body has no address of them (the query parameters are not documented). */
  readonly goesOn: boolean;
}

/** Envelope names, the likelier first. */
const ENVELOPES = words(
  'models results items data entries records list rows content objects publishedmodels catalog',
);
/** Names around an envelope, which hold no list themselves. */
const OUTER = words('data page response result payload embedded');
const NEXT_ADDRESSES = words('next nexturl nextlink nextpageurl nexthref @odata.nextlink');

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
  const found = listIn(json, names, 0);
  if (found === undefined) return undefined;
  const { items, envelopes } = found;
  const next = linkHeader(headers.link) ?? firstOf(envelopes, nextAddress);
  return { items, next, goesOn: next === undefined && envelopes.some(hasMore) };
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

/** The link to the next page under its usual names; it may be an object with `href`. */
function nextAddress(envelope: UnknownObject): string | undefined {
  const direct = addressOf(pick(envelope, ...NEXT_ADDRESSES));
  if (direct !== undefined) return direct;
  return firstOf(words('links paging pagination meta pageinfo page cursor'), (name) => {
    const inner = pick(envelope, name);
    if (!isObject(inner)) return undefined;
    const nested = isObject(pick(inner, 'links')) ? nextAddress(inner) : undefined;
    return addressOf(pick(inner, ...NEXT_ADDRESSES)) ?? nested;
  });
}

function addressOf(value: unknown): string | undefined {
  if (isObject(value)) return addressOf(pick(value, 'href', 'url'));
  // A bare token ("eyJ...") is a cursor: the parameter that takes it is not known, so it is no address.
  return typeof value === 'string' && /^(?:https?:\/\/|\/|\?|\.{1,2}\/)/i.test(value) ? value : undefined;
}

function linkHeader(link: string | undefined): string | undefined {
  return /<([^<>]+)>\s*;[^,<]*\brel\s*=\s*"?next\b/i.exec(link ?? '')?.[1];
}

function hasMore(envelope: UnknownObject): boolean {
  const inner = words('meta paging pagination pageinfo').map((name) => pick(envelope, name));
  return [envelope, ...inner.filter(isObject)].some((place) => {
    if (pick(place, 'hasmore', 'hasnext', 'hasnextpage', 'more') === true) return true;
    const cursor = pick(place, 'nextcursor', 'nextpagetoken', 'nexttoken', 'next', 'nextpage');
    return (typeof cursor === 'string' && cursor !== '') || (typeof cursor === 'number' && cursor > 0);
  });
}
