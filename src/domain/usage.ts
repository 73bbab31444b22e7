import type { Money } from './money';

/** The recognized parts of the service's usage figures: single values, series over time, and tables. */

export type UsageCell =
  | { readonly kind: 'money'; readonly money: Money }
  | { readonly kind: 'number'; readonly amount: string }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'time'; readonly at: number; readonly text: string }
  | { readonly kind: 'text'; readonly text: string };

export interface UsageMeasure {
  readonly name: string;
  /** Money if the body says so; every value then has `currency`. */
  readonly isMoney: boolean;
  readonly currency?: string | undefined;
  /** Decimal strings, one for each time; undefined where the body has none. */
  readonly values: readonly (string | undefined)[];
}

export interface UsageSeries {
  readonly name: string;
  /** Milliseconds since the epoch, ascending, each once. */
  readonly times: readonly number[];
  readonly measures: readonly UsageMeasure[];
}

export interface UsageTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (UsageCell | undefined)[])[];
}

export interface UsageFindings {
  /** Single values, named as in the body: `totals.cost`. */
  readonly figures: readonly { readonly name: string; readonly cell: UsageCell }[];
  readonly series: readonly UsageSeries[];
  readonly tables: readonly UsageTable[];
  /** Empty lists: an empty period, not an unrecognized body. */
  readonly emptyLists: number;
}

/** The words of a measure's name, in lower case: `metrics.avgCost_usd` → metrics, avg, cost, usd. */
export function nameWords(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

const AVERAGE =
  /^(?:mean|min|max|minimum|maximum|p\d\d+|percentile.*|(?:avg|average|median).*|.*(?:rate|ratio|percent|percentage|pct|balance|latency))$/;

/** Whether its values of several times or requests can be added up: medians and rates of hours are not those of a day. */
export function isSummable(name: string): boolean {
  return !nameWords(name).some((word) => AVERAGE.test(word));
}

const SPENDING = /cost|spen[dt]|charge|amount|price|^fees?$|usage/;
const OTHER_MONEY = /^(?:budget|limit|refund|top.?up)|^(?:per|top)$/;
const CREDIT = /credit/;
const USED = /spen[dt]|used|usage|charge|consum/;

/** Whether amounts of that name are money that was spent, and add up. */
export function isSpending(name: string): boolean {
  const words = nameWords(name);
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  return has(SPENDING) && isSummable(name) && !has(OTHER_MONEY) && (!has(CREDIT) || has(USED));
}
