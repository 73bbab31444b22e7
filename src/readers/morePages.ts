import { addAll } from '../domain/many';
import { isObject, type UnknownObject } from '../domain/value';
import { asText, firstOf, members, overlaid, parsedJson, plainName } from './records';

// Further pages of a list, by evidence: an address of one anywhere in a body, and every other sign of more.

/** Records within the envelopes of a list, which may be about its pages; larger ones are data. */
const MOST_MEMBERS = 40;
const DEEPEST = 2;

const ADDRESS = /^(?:https?:\/\/|\/|\?|\.{1,2}\/)|^[\w./-]{1,80}\?[\w.[\]-]+=/i;
/** A bare token ("eyJ...") is a cursor: the parameter that takes it is not known, so it is no address. */
const isAddress = (value: unknown): value is string => typeof value === 'string' && ADDRESS.test(value);

/** Names of the next page, its address or its token. */
const NEXT =
  /^next(?:page|results?|set)?(?:token|cursor|offset|marker|link|url|uri|href|path|key|start|skip|index|id)?$/;
/** Names of a token that leads on: pageToken, continuationToken, LastEvaluatedKey, scroll_id, NextMarker. */
const TOKEN =
  /^(?:cursor|endcursor|after|marker|bookmark|scrollid|lastevaluatedkey|resumptiontoken|offset)$|^(?!prev|before|start|self|first|current|back)\w*(?:continuation|page|sync|resume|scroll|next)\w*(?:token|cursor|marker|key)$|^(?!prev|before|start|self|first|current|back)\w*(?:continuation|nextmarker)$/;
const MORE =
  /^(?:is|has|are)?(?:more|next|nextpage|moreresults|moreitems|morepages|moreavailable|truncated|incomplete|incompleteresults)$|^(?:there)?(?:is|are)more$/;
const LAST = /^(?:is)?(?:last|lastpage|final|finalpage|complete|end|endoflist|done|exhausted)$/;
const PAGE = /^(?:page|pagenumber|pageno|pageindex|currentpage|pagecurrent|current|number)$/;
const PAGES =
  /^(?:pages|totalpages|pagestotal|lastpage|pagecount|numpages|numberofpages|totalpagecount|maxpage|pagetotal|nbpages)$/;

/** A name without its namespace: @odata.nextLink, hydra:next. */
export function pageName(name: string): string {
  return plainName(name).replace(/^[@$]?(?:\w+[.:])?/, '');
}

/** Headers about pages as members of a body: X-Next-Page of GitLab, X-Pagination of ASP.NET. */
export function pageHeaders(headers: Readonly<Record<string, string>>): UnknownObject {
  const named = Object.entries(headers).filter(([name]) =>
    /^x-.*(?:page|next|more|cursor|continuation|pagination)/.test(name),
  );
  const json = named.map(([, value]) => parsedJson(value)).filter(isObject);
  return overlaid([Object.fromEntries(named.map(([name, value]) => [name.slice(2), value])), ...json]);
}

/** The address of the next page in the envelopes of a list, the outermost first, or in the header Link. */
export function nextAddress(
  envelopes: readonly UnknownObject[],
  headers: Readonly<Record<string, string>>,
): string | undefined {
  return (
    linkHeader(headers.link) ??
    firstOf(envelopes, (envelope) =>
      firstOf(recordsAbout(envelope, envelopes), ({ record }) => addressIn(record)),
    )
  )?.replaceAll(TEMPLATE, '');
}

/** Of RFC 6570, as Spring writes it into links: {&page,size}. Without values it is empty. */
const TEMPLATE = /\{[?&/;][^{}]*\}/g;

/** Whether an envelope of a list says that there is more than the list. */
export function hasMore(envelope: UnknownObject): boolean {
  return recordsAbout(envelope, []).some(({ record, name }) => saysMore(record, name));
}

interface About {
  readonly record: UnknownObject;
  /** Of the member that holds it; empty for the envelope itself. */
  readonly name: string;
}

function recordsAbout(envelope: UnknownObject, others: readonly UnknownObject[]): About[] {
  const records: About[] = [{ record: envelope, name: '' }];
  let level = records;
  for (let depth = 0; depth < DEEPEST; depth++) {
    level = level.flatMap(({ record }) =>
      members(record).flatMap(([name, value]) =>
        isObject(value) && !others.includes(value) && members(value).length <= MOST_MEMBERS
          ? { record: value, name: pageName(name) }
          : [],
      ),
    );
    addAll(records, level);
    if (records.length > 200) break;
  }
  return records;
}

function addressIn(record: UnknownObject): string | undefined {
  return firstOf(members(record), ([key, value]) => {
    const name = pageName(key);
    if (NEXT.test(name)) return isObject(value) ? hrefOf(value) : isAddress(value) ? value : undefined;
    // {links: [{rel: "next", href: "…"}]} of HATEOAS and Siren.
    return Array.isArray(value) && /link/.test(name)
      ? firstOf(value.slice(0, 50), (link) => (isObject(link) && isNext(link) ? hrefOf(link) : undefined))
      : undefined;
  });
}

function isNext({ rel, relation }: UnknownObject): boolean {
  const rels = [rel ?? relation].flat();
  return rels.some((one) => typeof one === 'string' && /(?:^|[\s#/])next$/i.test(one.trim()));
}

function hrefOf(link: UnknownObject): string | undefined {
  return firstOf(members(link), ([key, value]) =>
    /^(?:href|url|uri|link|path)$/.test(plainName(key)) && isAddress(value) ? value : undefined,
  );
}

/** RFC 8288: the parameters have any order, and a link may have several relations. */
function linkHeader(header: string | undefined): string | undefined {
  for (const [, address, parameters] of (header ?? '').slice(0, 10_000).matchAll(/<([^<>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters ?? '')) return address;
  return undefined;
}

function saysMore(record: UnknownObject, place: string): boolean {
  const all = Object.entries(record).slice(0, 200);
  const named = all.map(([key, value]) => [pageName(key), value] as const);
  // {hasNextPage: false, endCursor: "x"} of GraphQL: a cursor is the end of this page.
  const isLast = named.some(([name, value]) => MORE.test(name) && isFalse(value));
  if (named.some(([name, value]) => isSign(name, value) && !(isLast && TOKEN.test(name)))) return true;
  // A `next` of null marks the last page, even if pages are counted from 0.
  const isEnd = named.some(([name, value]) => NEXT.test(name) && value === null);
  return !isEnd && isBelowPages(named, place);
}

function isSign(name: string, value: unknown): boolean {
  if (MORE.test(name) && isTrue(value)) return true;
  if (LAST.test(name) && isFalse(value)) return true;
  if (NEXT.test(name)) return isThere(value) && !isTrue(value);
  // A number is where this page begins.
  return TOKEN.test(name) && typeof value !== 'number' && !isNumeric(value) && isThere(value);
}

/** Text, a number from 1, or a record. */
function isThere(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && !/^(?:null|none|0|false)$/i.test(value);
  if (typeof value === 'number') return value > 0;
  return isObject(value) && members(value).some(([, inner]) => isThere(inner));
}

/** {page: 1, total_pages: 3}, {current: 1, last_page: 3}, {number: 0, totalPages: 3}; `total` counts pages in a record called page. */
function isBelowPages(named: readonly (readonly [string, unknown])[], place: string): boolean {
  const numberNamed = (names: RegExp) =>
    firstOf(named, ([name, value]) => (names.test(name) && isNumeric(value) ? Number(value) : undefined));
  const page = numberNamed(PAGE);
  const pages = numberNamed(PAGES) ?? (/^pages?$/.test(place) ? numberNamed(/^total$/) : undefined);
  if (page === undefined || pages === undefined) return false;
  return page === 0 ? pages > 1 : page < pages;
}

function isNumeric(value: unknown): boolean {
  return /^\s*\d{1,12}\s*$/.test(asText(value) ?? '');
}

function isTrue(value: unknown): boolean {
  return (
    value === true || value === 1 || (typeof value === 'string' && /^\s*(?:true|yes|1)\s*$/i.test(value))
  );
}

function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^\s*(?:false|no)\s*$/i.test(value));
}
