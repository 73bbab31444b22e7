import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { asText, firstOf, isAddress, members, pick, pickText, plainName, scalarText } from './records';

// Lists: "query parameters and body: not shown" (section 4). A bare array, or the first list of records in an envelope.
// The next page is an address; any other sign of more makes the list incomplete.

export interface ReadList {
  readonly items: readonly unknown[];
  /** The address of the next page, as in the body or the Link header. */
  readonly next: string | undefined;
  /** There are more items, but the body has no address of them (the query parameters are not documented). */
  readonly goesOn: boolean;
  /** How many items there are on all pages, where the body says it. */
  readonly total: number | undefined;
}

/** Names of the list in an envelope, the likelier first. */
const LISTS = words('models results items data entries records list rows');
const ENVELOPES = words('data response result payload');
/** Records beside a list about its pages. */
const ABOUT_PAGES = words('links paging pagination meta page pageinfo');
const NEXT = words('next nexturl nextlink nextpage nextpageurl');
/** A flag, a cursor or number of the next page. */
const MORE = /^(?:next(?!billing|date|time)|more$|has(?:next|more)|(?:is)?truncated$)/;
const PAGE = words('page currentpage number');
const PAGES = words('pages totalpages');
const TOTALS = words('totalcount totalitems total count');

/**
 * The list in a body, or undefined when there is none.
 * @param names under which it is looked for first
 */
export function readList(
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
  names: readonly string[] = LISTS,
): ReadList | undefined {
  const list = listIn(json, names);
  if (list === undefined) return undefined;
  const about = list.envelopes.flatMap((each) => [
    each,
    ...ABOUT_PAGES.map((name) => pick(each, name)).filter(isObject),
  ]);
  const next = linkHeader(headers.link) ?? firstOf(about, nextIn);
  const total =
    firstOf(about, (record) => count(pickText(record, ...TOTALS))) ?? count(headers['x-total-count']);
  return { items: list.items, next, goesOn: next === undefined && about.some(saysMore), total };
}

function listIn(
  json: unknown,
  names: readonly string[],
): { readonly items: readonly unknown[]; readonly envelopes: readonly UnknownObject[] } | undefined {
  if (Array.isArray(json)) return { items: json, envelopes: [] };
  if (!isObject(json)) return undefined;
  const inner = ENVELOPES.map((name) => pick(json, name)).filter(isObject);
  const levels: readonly (readonly UnknownObject[])[] = [[json], ...inner.map((record) => [json, record])];
  return (
    firstOf(levels, (envelopes) => {
      const named = names.map((name) => pick(envelopes.at(-1)!, name)).find((value) => Array.isArray(value));
      return named && { items: named, envelopes };
    }) ??
    firstOf(levels, (envelopes) => {
      const records = members(envelopes.at(-1)!).find(([, value]) => isOfRecords(value));
      return records && { items: records[1] as readonly unknown[], envelopes };
    })
  );
}

function isOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.slice(0, 5).every(isObject);
}

function nextIn(record: UnknownObject): string | undefined {
  return firstOf(NEXT, (name) => {
    const value = pick(record, name);
    const text = isObject(value) ? pickText(value, 'href', 'url') : asText(value);
    return isAddress(text) ? text : undefined;
  });
}

/** By a sign of its own, or a page below the number of pages. */
function saysMore(record: UnknownObject): boolean {
  const isSign = ([name, value]: readonly [string, unknown]) =>
    MORE.test(plainName(name)) && (isObject(value) || !/^(?:false|0|)$/i.test(scalarText(value)));
  const [page, pages] = [PAGE, PAGES].map((names) => count(pickText(record, ...names)));
  return (
    members(record).some(isSign) ||
    (page !== undefined && pages !== undefined && (page === 0 ? pages > 1 : page < pages))
  );
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** RFC 8288: the parameters have any order, and a link may have several relations. */
function linkHeader(header: string | undefined): string | undefined {
  for (const [, address, parameters] of (header ?? '').slice(0, 10_000).matchAll(/<([^<>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters ?? '')) return address;
  return undefined;
}
