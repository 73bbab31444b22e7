import assert from 'node:assert/strict';
import { readingActivity } from '../../../src/readers/activity';
import { contentOf } from '../../../src/readers/bodyContent';
import { hasSlug } from '../../../src/readers/catalog';
import { readListAnywhere } from '../../../src/readers/list';
import { readUsage } from '../../../src/readers/usage';
import { Turns } from '../../../src/service/turns';
import { withStall } from '../../support/stall';

/** A list of one record over and over: longer ones only take more turns. */
const listOf = (record: object) => {
  const text = JSON.stringify(record);
  return `{"data":[${Array.from({ length: 1_500_000 / text.length }, () => text).join(',')}]}`;
};
const LISTS = {
  days: listOf({ date: '2026-01-01', cost: '0.1', model: 'm' }),
  models: listOf({ slug: 'm', name: 'n', price: { amount: '1', currency: 'USD' } }),
  entries: listOf({ id: '1', created_at: '2026-01-01T00:00:00Z', amount: '0.1', currency: 'USD' }),
  numbers: `{"data":[${Array.from({ length: 200_000 }, (_, at) => at).join(',')}]}`,
};

describe('The largest list of', function () {
  this.timeout(60_000);
  for (const [what, text] of Object.entries(LISTS))
    it(`${what} is read as usage, activity and catalog in short turns`, async () => {
      const { json } = contentOf(Buffer.from(text), 'application/json');
      assert.ok(json, 'it is small enough to be parsed');
      const readers: Record<string, () => unknown> = {
        activity: () => new Turns().through(readingActivity(json, {})),
        usage: () => readUsage(json),
        catalog: () => readListAnywhere(json, {}, hasSlug),
      };
      for (const [reader, read] of Object.entries(readers)) {
        const { stallMs } = await withStall(async () => read());
        assert.ok(stallMs < 100, `${reader}: ${Math.round(stallMs)} ms`);
      }
    });

  it('a usage that is shown is read whole', () => {
    const rows = Array.from({ length: 7_000 }, (_, at) => ({ date: new Date(at * 864e5), cost: '0.1' }));
    const json = JSON.parse(JSON.stringify({ data: rows }));
    assert.equal(readUsage(json).series.length, 1);
  });
});
