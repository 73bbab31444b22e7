import { addAmounts } from '../../src/domain/amounts';
import { isSummable, type UsageSeries } from '../../src/domain/usage';
import type { UsageQuery } from '../../src/protocol/usage';

export type Granularity = NonNullable<UsageQuery['granularity']>;

const dayMs = 86_400_000;

/** The start of the UTC hour, day, ISO week (Monday) or month. */
export function bucketOf(at: number, granularity: Granularity): number {
  switch (granularity) {
    case 'hour':
      return at - (((at % 3_600_000) + 3_600_000) % 3_600_000);
    case 'day':
      return at - (((at % dayMs) + dayMs) % dayMs);
    case 'week': {
      const day = bucketOf(at, 'day');
      return day - ((new Date(day).getUTCDay() + 6) % 7) * dayMs;
    }
    case 'month': {
      const date = new Date(at);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    }
  }
}

/** Buckets that are further apart are days: one has 23 hours where clocks change. */
const SHORTEST_DAY = 20 * 3_600_000;
/** Midnight of any time zone is at one. */
const QUARTER_HOUR = 900_000;

/**
 * Where all times are those of days of a time zone, the UTC days of the same dates: the nearest ones. The day that begins
 * at 22:00 UTC in Berlin has two hours of the day before.
 */
function daysOf(times: readonly number[]): readonly number[] {
  const areDays =
    times.length > 1 &&
    times.every(
      (at, index) => at % QUARTER_HOUR === 0 && (index === 0 || at - times[index - 1]! >= SHORTEST_DAY),
    );
  return areDays ? times.map((at) => Math.round(at / dayMs) * dayMs) : times;
}

/** Only points inside the range: a service may have answered with more than the requested range. */
export function within(series: UsageSeries, from: number | undefined): UsageSeries {
  if (from === undefined) return series;
  const kept = series.times.flatMap((at, index) => (at >= from ? [index] : []));
  return {
    ...series,
    times: kept.map((index) => series.times[index]!),
    measures: series.measures.map((measure) => ({
      ...measure,
      values: kept.map((index) => measure.values[index]),
    })),
  };
}

/** Sums exactly by bucket; values that cannot be summed are left out. */
export function groupedBy(series: UsageSeries, granularity: Granularity): UsageSeries {
  const days = granularity === 'hour' ? series.times : daysOf(series.times);
  const starts = days.map((at) => bucketOf(at, granularity));
  const times = [...new Set(starts)];
  if (times.length === series.times.length) return { ...series, times };
  return {
    ...series,
    times,
    measures: series.measures
      .filter(({ name }) => isSummable(name))
      .map((measure) => {
        const sums = new Map<number, string>();
        measure.values.forEach((value, index) => {
          const start = starts[index]!;
          if (value !== undefined) sums.set(start, addAmounts(sums.get(start) ?? '0', value));
        });
        return { ...measure, values: times.map((start) => sums.get(start)) };
      }),
  };
}
