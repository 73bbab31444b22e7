import * as z from 'zod/mini';
import { money } from './money';

/** The recognized parts of the service's usage figures: single values, series over time, and tables. */

const list = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item));

const usageCell = z.union([
  z.object({ kind: z.literal('money'), money }),
  z.object({ kind: z.literal('number'), amount: z.string() }),
  /** Milliseconds since the epoch. */
  z.object({ kind: z.literal('time'), at: z.number(), text: z.string() }),
  z.object({ kind: z.literal('text'), text: z.string() }),
]);
export type UsageCell = Readonly<z.infer<typeof usageCell>>;

const measure = z.object({
  name: z.string(),
  /** Money if the body says so; every value then has `currency`. */
  isMoney: z.boolean(),
  currency: z.optional(z.string()),
  /** Decimal strings, one for each time; undefined where the body has none. */
  values: list(z.optional(z.string())),
});
export type UsageMeasure = Readonly<z.infer<typeof measure>>;

export const usageSeries = z.object({
  name: z.string(),
  /** Milliseconds since the epoch, ascending, each once. */
  times: list(z.number()),
  measures: list(measure),
});
export type UsageSeries = Readonly<z.infer<typeof usageSeries>>;

export interface UsageTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (UsageCell | undefined)[])[];
}

/** A single value, named as in the body: `totals.cost`. */
export const usageFigure = z.object({ name: z.string(), cell: usageCell });
export type UsageFigure = Readonly<z.infer<typeof usageFigure>>;

export interface UsageFindings {
  readonly figures: readonly UsageFigure[];
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
