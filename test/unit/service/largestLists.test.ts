import assert from 'node:assert/strict';
import { readingActivity } from '../../../src/readers/activity';
import { bodyContent } from '../../../src/readers/bodyContent';
import { hasSlug } from '../../../src/readers/catalog';
import { readListAnywhere } from '../../../src/readers/list';
import { readingUsage } from '../../../src/readers/usage';
import { Turns } from '../../../src/service/turns';
import { readUsage } from '../../support/atOnce';
import { withStall } from '../../support/stall';

/** The time that one input may keep everything else waiting. */
const LIMIT_MS = 100;

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
      const { json } = bodyContent(Buffer.from(text), 'application/json');
      assert.ok(json, 'it is small enough to be parsed');
      const readers: Record<string, () => unknown> = {
        activity: () => new Turns().through(readingActivity(json, {})),
        usage: () => new Turns().through(readingUsage(json)),
        catalog: () => readListAnywhere(json, {}, hasSlug),
      };
      for (const [reader, read] of Object.entries(readers)) {
        const { stallMs } = await withStall(async () => read(), LIMIT_MS);
        assert.ok(stallMs < LIMIT_MS, `${reader}: ${Math.round(stallMs)} ms`);
      }
    });

  const records = (count: number, record: (at: number) => object) => ({
    data: Array.from({ length: count }, (_, at) => record(at)),
  });
  const timeOf = (at: number) => new Date(at * 60_000);
  const names = (count: number, name: (at: number) => string, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), value]));
  /** Just below the limit of values. */
  const USAGES: Readonly<Record<string, () => object>> = {
    rows: () => records(7_000, (at) => ({ date: timeOf(at), cost: '0.1', runs: 3 })),
    'rows of two models': () => records(7_000, (at) => ({ date: timeOf(at >> 1), m: `m${at & 1}`, cost: 1 })),
    'rows with ever other names': () => records(9_000, (at) => ({ date: timeOf(at), [`cost${at}`]: '1' })),
    'rows with equal texts': () =>
      records(500, (at) => ({ ...names(56, (n) => `t${n}`, 'x'), date: timeOf(at >> 1), cost: '1' })),
    'lists of models': () =>
      records(3_500, (at) => ({ model: `m${at}`, points: [{ date: timeOf(1), n: 1 }] })),
    columns: () => ({
      times: Array.from({ length: 4_000 }, (_, at) => timeOf(at)),
      ...Object.fromEntries([...'abcdef'].map((name) => [`${name}_cost`, Array(4_000).fill('0.1')])),
    }),
    'amounts with long names': () => names(29_000, (at) => `cost${'x'.repeat(60)}${at}`, '1,234.00001 USD'),
    'names that end in many units': () => names(29_000, (at) => `cost${at}${'in'.repeat(50)}usd`, '0.1'),
  };
  for (const [what, usage] of Object.entries(USAGES))
    it(`usage of ${what} is read in short turns`, async () => {
      const json = JSON.parse(JSON.stringify(usage()));
      const { result, stallMs } = await withStall(() => new Turns().through(readingUsage(json)), LIMIT_MS);
      const { figures, series, tables } = result;
      assert.ok(figures.length + series.length + tables.length > 0, 'it is within the limit');
      assert.ok(stallMs < LIMIT_MS, `${Math.round(stallMs)} ms`);
    });

  it('a usage that is shown is read whole', () => {
    const rows = Array.from({ length: 7_000 }, (_, at) => ({ date: new Date(at * 864e5), cost: '0.1' }));
    const json = JSON.parse(JSON.stringify({ data: rows }));
    assert.equal(readUsage(json).series.length, 1);
  });
});
