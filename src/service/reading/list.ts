import { isObject, type UnknownObject } from '../../domain/value';
import { pick, pickEntry } from './records';

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
const ENVELOPES = [
  'models',
  'results',
  'items',
  'data',
  'entries',
  'records',
  'list',
  'rows',
  'content',
  'objects',
  'publishedmodels',
  'catalog',
];

/** The list in a body, or undefined when there is none of a known kind. */
export function readList(
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReadList | undefined {
  const found = listIn(json, 0);
  if (found === undefined) return undefined;
  const envelopes = found.envelopes;
  const next =
    linkHeader(headers.link) ?? envelopes.map(nextAddress).find((address) => address !== undefined);
  return { items: found.items, next, goesOn: next === undefined && envelopes.some(saysMore) };
}

function listIn(
  json: unknown,
  depth: number,
): { items: readonly unknown[]; envelopes: UnknownObject[] } | undefined {
  if (Array.isArray(json)) return { items: json, envelopes: [] };
  if (!isObject(json) || depth > 2) return undefined;
  // An array under a known name is the list; only then is a nested envelope looked into ({data: {items: []}}).
  for (const name of ENVELOPES) {
    const value = pick(json, name);
    if (Array.isArray(value)) return { items: value, envelopes: [json] };
  }
  for (const name of [...ENVELOPES, 'page', 'response', 'result', 'payload', 'embedded']) {
    const inner = listIn(pick(json, name), depth + 1);
    if (inner !== undefined) return { items: inner.items, envelopes: [json, ...inner.envelopes] };
  }
  // {models: {slug: {...}}}: the names are the slugs.
  const map = pickEntry(json, 'models', 'items', 'results')?.[1];
  if (isObject(map) && Object.keys(map).length > 0 && Object.values(map).every(isObject))
    return {
      items: Object.entries(map).map(([slug, model]) => ({ slug, ...(model as UnknownObject) })),
      envelopes: [json],
    };
  return undefined;
}

/** The link to the next page under its usual names; it may be an object with `href`. */
function nextAddress(envelope: UnknownObject): string | undefined {
  const direct = addressOf(
    pick(envelope, 'next', 'nexturl', 'nextlink', 'nextpageurl', 'nexthref', '@odata.nextlink'),
  );
  if (direct !== undefined) return direct;
  for (const name of ['links', 'paging', 'pagination', 'meta', 'pageinfo', 'page', 'cursor']) {
    const inner = pick(envelope, name);
    if (!isObject(inner)) continue;
    const address =
      addressOf(pick(inner, 'next', 'nexturl', 'nextlink', 'nextpageurl')) ??
      (isObject(pick(inner, 'links')) ? nextAddress(inner) : undefined);
    if (address !== undefined) return address;
  }
  return undefined;
}

function addressOf(value: unknown): string | undefined {
  if (isObject(value)) return addressOf(pick(value, 'href', 'url'));
  // A bare token ("eyJ...") is a cursor: the parameter that takes it is not known, so it is no address.
  return typeof value === 'string' && /^(?:https?:\/\/|\/|\?|\.{1,2}\/)/i.test(value) ? value : undefined;
}

function linkHeader(link: string | undefined): string | undefined {
  return /<([^<>]+)>\s*;[^,<]*\brel\s*=\s*"?next\b/i.exec(link ?? '')?.[1];
}

function saysMore(envelope: UnknownObject): boolean {
  const places = [
    envelope,
    ...['meta', 'paging', 'pagination', 'pageinfo'].map((name) => pick(envelope, name)).filter(isObject),
  ];
  return places.some((place) => {
    const more = pick(place, 'hasmore', 'hasnext', 'hasnextpage', 'more');
    if (more === true) return true;
    const cursor = pick(place, 'nextcursor', 'nextpagetoken', 'nexttoken', 'next', 'nextpage');
    return (typeof cursor === 'string' && cursor !== '') || (typeof cursor === 'number' && cursor > 0);
  });
}
