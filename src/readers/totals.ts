import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { hasMore, pageName } from './morePages';
import { asText, firstOf, layersIn, members, pick } from './records';

// Whether a list is complete, by a body's hints at further pages and by its total.

/** Records beside a list that are about its pages. */
const PAGES = words('meta paging pagination pageinfo page');
/** Names of nothing but a number of items. */
const TOTALS =
  words(`totalcount totalitems totalrecords totalrows totalresults totalentries totalelements totalmodels
  totalhits totaldocs itemcount nbhits numfound`);
/** The same beside a list; elsewhere they may be money, or tokens. */
const LIST_TOTALS = [...TOTALS, 'total', 'count', 'found', 'estimatedtotalhits'];

/** How many items there are on all pages, as the records around a list or the headers say; undefined: they do not. */
export function listTotal(
  envelopes: readonly UnknownObject[],
  headers: Readonly<Record<string, string>> = {},
): number | undefined {
  return (
    firstOf(envelopes, (envelope) => countIn(envelope, LIST_TOTALS)) ??
    firstOf(envelopes, countOfPages) ??
    wholeNumber(
      headers['x-total-count'] ??
        headers['x-total'] ??
        /\/(\d+)\s*$/.exec(headers['content-range'] ?? '')?.[1],
    )
  );
}

/** The part that a body with lists of any name leaves out: the length of the longest list, and the total. */
export function readLeftOut(
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): { readonly received: number; readonly total?: number } | undefined {
  const layers = isObject(json) ? layersIn(json, words('data result response usage summary'), 2) : [];
  const lists = [json, ...layers.flatMap((layer) => Object.values(layer))].filter((value) =>
    Array.isArray(value),
  );
  const received = Math.max(0, ...lists.map((list) => list.length));
  if (received === 0) return undefined;
  const total =
    firstOf(layers, (layer) => countIn(layer, TOTALS) ?? countOfPages(layer)) ?? listTotal([], headers);
  if (total !== undefined && total > received) return { received, total };
  return layers.some(hasMore) ? { received } : undefined;
}

function countOfPages(envelope: UnknownObject): number | undefined {
  return firstOf(layersIn(envelope, PAGES, 2).slice(1), (inner) => countIn(inner, LIST_TOTALS));
}

function countIn(record: UnknownObject, names: readonly string[]): number | undefined {
  return (
    firstOf(names, (name) => wholeNumber(asText(pick(record, name)))) ??
    // @odata.count, hydra:totalItems
    firstOf(members(record), ([name, value]) =>
      /[.:]/.test(name) && names.includes(pageName(name)) ? wholeNumber(asText(value)) : undefined,
    )
  );
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
