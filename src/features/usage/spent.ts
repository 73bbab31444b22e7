import { addAmounts, readAmount } from '../../domain/amounts';
import type { Money } from '../../domain/money';
import { isSpending, type UsageFindings, type UsageMeasure, type UsageSeries } from '../../domain/usage';

const dayMs = 86_400_000;
/** Days of the longer figure, today among them. */
const RECENT_DAYS = 30;

export const runNames = /^(?:\w+\.)*(?:runs?|requests?|calls?|count)$/i;
export const failedNames = /^(?:\w+\.)*(?:failed|failures?|failed_runs|errors?)$/i;

interface Spent {
  readonly money: Money;
  /** Decimal strings, where the service counts them. */
  readonly runs?: string;
  readonly failed?: string;
}

export interface SpentLately {
  /** Missing before the service has data of today. `since`: the start of its day, if that is not midnight in UTC. */
  readonly today?: Spent & { readonly since?: number };
  /** `since`: the first day with data, if that is later than 30 days ago. */
  readonly recent?: Spent & { readonly since?: number };
  /** The last day with data, if that is before today: no sum covers the days after it. */
  readonly until?: number;
}

/** Midnight in UTC before the days that `spentLately` needs: a service's days may begin at another time. */
export function firstRecentDay(now: number): number {
  return Math.floor(now / dayMs) * dayMs - RECENT_DAYS * dayMs;
}

/** A day may begin up to two hours earlier than those after it, where clocks have changed. */
const CLOCK_CHANGE = 2 * 3_600_000;

/** Buckets that are further apart are days: one has 23 hours where clocks change. */
const SHORTEST_DAY = 20 * 3_600_000;

/**
 * The money spent today and in 30 days, out of a series over time. Empty if a sum may be wrong: several series may
 * count the same run twice, and a bucket of a week has no days.
 */
export function spentLately({ series }: UsageFindings, now: number): SpentLately {
  const spending = series.filter((one) => spendingOf(one) !== undefined);
  const [only] = spending;
  if (!only || spending.length > 1) return {};
  const { times } = only;
  const gaps = times.slice(1).map((at, index) => at - times[index]!);
  // A gap of several days is one without runs, unless each gap is one: then the buckets are weeks or months.
  if (gaps.length > 0 && gaps.every((gap) => gap >= 6 * dayMs)) return {};
  const midnight = Math.floor(now / dayMs) * dayMs;
  const last = times.findLast((at) => at <= now);
  const today = startOfToday(last, gaps, now);
  const areDays = gaps.every((gap) => gap >= SHORTEST_DAY);
  const first = (today ?? midnight) - (RECENT_DAYS - 1) * dayMs - (areDays ? CLOCK_CHANGE : 0);
  const firstDay = times.find((at) => at >= first);
  // Without a gap, nothing tells the length of a bucket: it may be a month that goes on.
  const isBehind = last !== undefined && today === undefined && gaps.length > 0;
  return {
    ...(isBehind && { until: last }),
    ...(today !== undefined && {
      today: { ...sumOf(only, today, now), ...(today !== midnight && { since: today }) },
    }),
    recent: {
      ...sumOf(only, first, now),
      ...(firstDay !== undefined &&
        times[0] === firstDay &&
        firstDay >= first + dayMs && { since: firstDay }),
    },
  };
}

/**
 * Midnight in UTC, or where the service's days begin at another time. Undefined where the last bucket is not of today:
 * a service may count its usage at night, so a day without a bucket is not a day without runs.
 */
function startOfToday(last: number | undefined, gaps: readonly number[], now: number): number | undefined {
  const midnight = Math.floor(now / dayMs) * dayMs;
  if (last === undefined) return undefined;
  if (last === midnight) return midnight;
  if (gaps.some((gap) => gap < SHORTEST_DAY)) return last > midnight ? midnight : undefined;
  return gaps.length > 0 && now - last < dayMs ? last : undefined;
}

/** The one measure of spent money, or nothing if several could be it. */
function spendingOf({ measures }: UsageSeries): UsageMeasure | undefined {
  const named = measures.filter(({ name }) => isSpending(name));
  const inMoney = named.filter(({ isMoney }) => isMoney);
  return inMoney.length === 1 ? inMoney[0] : undefined;
}

/** Of the buckets that begin from `from` to `to`: a service may name days to come. */
function sumOf(series: UsageSeries, from: number, to: number): Spent {
  const sum = (measure: UsageMeasure) =>
    series.times.reduce((total, at, index) => {
      const value = at < from || at > to ? undefined : readAmount(measure.values[index]);
      return value === undefined ? total : addAmounts(total, value);
    }, '0');
  const counted = (names: RegExp) => {
    const counts = series.measures.filter(({ name, isMoney }) => !isMoney && names.test(name));
    return counts.length === 1 ? sum(counts[0]!) : undefined;
  };
  const spending = spendingOf(series)!;
  const [runs, failed] = [counted(runNames), counted(failedNames)];
  return {
    money: {
      amount: sum(spending),
      ...(spending.currency !== undefined && { currency: spending.currency }),
    },
    runs,
    failed,
  };
}
