import { addAmounts } from '../../domain/amounts';
import { isSummable, type UsageSeries } from '../../domain/usage';
import type { DayChart } from '../../protocol/usage';

const dayMs = 86_400_000;
/** Buckets that are further apart are days: one has 23 hours where clocks change. */
const SHORTEST_DAY = 20 * 3_600_000;
/** Midnight of any time zone is at one. */
const QUARTER_HOUR = 900_000;
/** To choose from; the raw response has all. */
const MOST_CHARTS = 100;

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

/**
 * Exact sums by UTC day, of each measure that can be added up. A service may respond with more than it was asked for,
 * and name days to come.
 */
export function chartsByDay(series: readonly UsageSeries[], from: number, to: number): readonly DayChart[] {
  return series
    .flatMap(({ name: seriesName, times, measures }) => {
      const days = daysOf(times).map((at) => Math.floor(at / dayMs) * dayMs);
      const shown = days.flatMap((day, index) =>
        times[index]! >= from && day <= to ? [[day, index] as const] : [],
      );
      return measures
        .filter(({ name }) => isSummable(name))
        .map(({ name, isMoney, currency, values }): DayChart => {
          const sums = new Map<number, string>();
          for (const [day, index] of shown) {
            const value = values[index];
            if (value !== undefined) sums.set(day, addAmounts(sums.get(day) ?? '0', value));
          }
          return {
            series: seriesName,
            name,
            isMoney,
            currency,
            days: [...sums].map(([at, amount]) => ({ at, amount })),
          };
        });
    })
    .filter(({ days }) => days.length > 0)
    .slice(0, MOST_CHARTS);
}
