import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/domain/runRecord';
import { activitySince, mostPages } from '../../../src/runs/receipts/activitySince';
import { findReceipts } from '../../../src/runs/receipts/findReceipts';

const baseUrl = 'https://models.test';
const minute = 60_000;
const now = Date.UTC(2026, 0, 1, 12);
const run = (
  runId: string,
  startedAt = now,
): Pick<RunRecord, 'runId' | 'baseUrl' | 'cost' | 'startedAt'> => ({ runId, baseUrl, startedAt });
const entry = (runId: string, at: number) => ({
  run_id: runId,
  amount: '0.02',
  currency: 'USD',
  created_at: new Date(at).toISOString(),
});
/** Pages that name one another, the newest entries first; `asked` lists the requests. */
function pages(...bodies: readonly unknown[][]) {
  const asked: (string | undefined)[] = [];
  const page = async (next?: string) => {
    asked.push(next);
    const at = next === undefined ? 0 : Number(next.slice(1));
    const more = at + 1 < bodies.length ? { next: `/${at + 1}` } : {};
    return { json: { items: bodies[at], ...more }, headers: {} };
  };
  return { asked, page };
}

describe('The search for receipts', () => {
  it('goes on to further pages until the identifier is found', async () => {
    const other = Array.from({ length: 50 }, (_, at) => entry(`other-${at}`, now + minute));
    const { asked, page } = pages(other, other, [entry('a', now)], other);
    const entries = await activitySince([run('a')], baseUrl, page);
    const [found] = findReceipts(entries, [run('a')], baseUrl);
    assert.deepEqual(found?.cost, { amount: '0.02', currency: 'USD' });
    assert.deepEqual(asked, [undefined, '/1', '/2']);
  });

  it('does not look among entries that are older than the run', async () => {
    const old = [entry('old-1', now - 30 * minute), entry('old-2', now - 31 * minute)];
    const { asked, page } = pages(old, old, old);
    await activitySince([run('a')], baseUrl, page);
    assert.deepEqual(asked, [undefined]);
  });

  it('goes back to the time of the oldest run', async () => {
    const { asked, page } = pages(
      [entry('new', now)],
      [entry('mid', now - 20 * minute)],
      [entry('a', now - 30 * minute)],
      [entry('x', now - 40 * minute)],
    );
    await activitySince([run('new'), run('gone', now - 30 * minute)], baseUrl, page);
    assert.deepEqual(asked, [undefined, '/1', '/2', '/3']);
  });

  it('ends after a number of pages, in a circle, and at a page that fails, and keeps the entries so far', async () => {
    const endless = pages(...Array.from({ length: 40 }, () => [entry('other', now)]));
    await activitySince([run('a')], baseUrl, endless.page);
    assert.equal(endless.asked.length, mostPages);
    let asked = 0;
    const circle = async () => {
      asked += 1;
      return { json: { items: [entry('other', now)], next: '/same' }, headers: {} };
    };
    await activitySince([run('a')], baseUrl, circle);
    assert.equal(asked, 2);
    const broken = async (next?: string) => {
      if (next !== undefined) throw new Error('another origin');
      return { json: { items: [entry('other', now)], next: '/1' }, headers: {} };
    };
    assert.equal((await activitySince([run('a')], baseUrl, broken)).length, 1);
    const unreadable = async (next?: string) =>
      next === undefined
        ? { json: { items: [entry('other', now)], next: '/1' }, headers: {} }
        : { json: { message: 'try later' }, headers: {} };
    assert.equal((await activitySince([run('a')], baseUrl, unreadable)).length, 1);
    assert.deepEqual(await activitySince([run('a')], baseUrl, async () => ({ headers: {} })), []);
    await assert.rejects(
      activitySince([run('a')], baseUrl, () => Promise.reject(new Error('down'))),
      /down/,
    );
  });
});
