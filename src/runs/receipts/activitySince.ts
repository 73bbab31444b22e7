import { addAll } from '../../domain/many';
import type { RunRecord } from '../../domain/runRecord';
import { type ActivityEntry, type ReadActivity, readingActivity } from '../../readers/activity';
import { Turns } from '../../service/turns';
import { clockDifferenceMs, findReceipts } from './findReceipts';

/** Pages that one search asks for at most: a cost is booked soon after its run, so it is near the beginning. */
export const mostPages = 10;

type Wanted = Pick<RunRecord, 'runId' | 'baseUrl' | 'cost' | 'startedAt'>;

/**
 * The newest entries of the activity, read back page after page until every one of `runs` (all of `baseUrl`) has its
 * receipt among them, or they are older than the runs, or there are no more.
 *
 * @param page asks for the first page, or for the one at an address that a page named
 */
export async function activitySince(
  runs: readonly Wanted[],
  baseUrl: string,
  page: (
    next?: string,
  ) => Promise<{ readonly json?: unknown; readonly headers: Readonly<Record<string, string>> }>,
): Promise<readonly ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  const asked = new Set<string | undefined>();
  const since = Math.min(...runs.map(({ startedAt }) => startedAt)) - clockDifferenceMs;
  let next: string | undefined;
  while (asked.size < mostPages && !asked.has(next)) {
    asked.add(next);
    let read: ReadActivity | undefined;
    try {
      const raw = await page(next);
      read = await new Turns().through(readingActivity(raw.json, raw.headers));
    } catch (error) {
      // A further page that fails, or is on another origin, takes nothing from those before it.
      if (next === undefined) throw error;
      break;
    }
    addAll(entries, read?.entries ?? []);
    next = read?.next;
    if (next === undefined || isOlder(entries, since)) break;
    if (findReceipts(entries, runs, baseUrl).length === runs.length) break;
  }
  return entries;
}

/** Whether later pages are older still; of a list that begins with the oldest, the newest are yet to come. */
function isOlder(entries: readonly ActivityEntry[], since: number): boolean {
  const times = entries.flatMap(({ at }) => at ?? []);
  const [first, last] = [times[0], times.at(-1)];
  return first !== undefined && last !== undefined && first >= last && last < since;
}
