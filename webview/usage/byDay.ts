import { addAmounts } from '../../src/domain/amounts';
import { isSummable, type UsageSeries } from '../../src/domain/usage';

const dayMs = 86_400_000;
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

/** Exact sums by UTC day from a time on, of the measures that can be added up: a service may respond with more. */
export function byDay(series: UsageSeries, from: number): UsageSeries {
  const days = daysOf(series.times).map((at) => Math.floor(at / dayMs) * dayMs);
  const shown = days.flatMap((day, index) => (series.times[index]! >= from ? [[day, index] as const] : []));
  const times = [...new Set(shown.map(([day]) => day))];
  return {
    ...series,
    times,
    measures: series.measures
      .filter(({ name }) => isSummable(name))
      .map((measure) => {
        const sums = new Map<number, string>();
        for (const [day, index] of shown) {
          const value = measure.values[index];
          if (value !== undefined) sums.set(day, addAmounts(sums.get(day) ?? '0', value));
        }
        return { ...measure, values: times.map((day) => sums.get(day)) };
      }),
  };
}
