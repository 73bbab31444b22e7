import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JudgementLine } from '../../../src/experiments/judgements';
import { type Judgement, judgementLines } from '../../../src/experiments/judging';
import { summarise } from '../../../src/experiments/summary';
import { cellView } from '../../../src/experiments/table/cellView';
import { metricsWithJudged } from '../../../src/experiments/table/measureRun';
import { rowOrder } from '../../../src/experiments/table/rowOrder';
import { ExperimentTable } from '../../../src/experiments/table/table';
import { rowOf, tableOf } from '../../support/experiments/table';

const at = new Date('2026-11-22T10:00:00Z');
const base = tableOf({
  items: ['one', 'two', 'three', 'four'].map((text) => rowOf(text)),
  line: ({ item, variation }) => {
    if (item === 3 && variation === 1) return { state: 'failed', reason: 'down' };
    return { result: `${item}`, started_at: '2026-11-22T09:00:00Z' };
  },
});
const judgedWith = (lines: readonly JudgementLine[]) =>
  new ExperimentTable(base.plan, base.results, base.comparing, lines);
const good: Judgement = { row: 0, column: 0, kind: 'thumbs_up', value: 1, columns: [0, 1], blind: false };

describe('Judging by hand', () => {
  it('concerns only the run that the cell shows', () => {
    const lines = judgementLines(base, good, at);
    assert.deepEqual(
      lines.map(({ judgement, value }) => [judgement, value]),
      [['thumbs_up', 1]],
    );
    const table = judgedWith(lines);
    assert.deepEqual(cellView(table, 0, 0, []).judged, { thumbs_up: 1 });
    assert.deepEqual(cellView(table, 0, 1, []).judged, {});
    assert.deepEqual(judgementLines(base, { ...good, row: 3, column: 1 }, at), [], 'a failed run');
  });

  it('prefers one of the shown columns of a row', () => {
    const table = judgedWith(judgementLines(base, { ...good, kind: 'preferred', column: 1 }, at));
    assert.deepEqual(
      [0, 1].map((column) => cellView(table, 0, column, []).judged),
      [{ preferred: 0 }, { preferred: 1 }],
    );
  });

  it('withdraws a judgement, and drops one if its result was replaced later', () => {
    const given = judgementLines(base, good, at);
    const withdrawn = judgementLines(base, { ...good, value: null }, at);
    assert.deepEqual(cellView(judgedWith(withdrawn), 0, 0, []).judged, {});
    const early = given.map((line) => ({ ...line, judged_at: '2026-11-22T08:00:00Z' }));
    assert.deepEqual(cellView(judgedWith(early), 0, 0, []).judged, {});
  });

  it('adds a metric for each kind of judgement, with their mean', async () => {
    const judgement = fc.record({
      row: fc.nat(2),
      column: fc.nat(1),
      value: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(judgement, { minLength: 1, selector: ({ row, column }) => row * 2 + column }),
        async (given) => {
          const lines = given.flatMap((one) => judgementLines(base, { ...good, ...one, kind: 'score' }, at));
          const table = judgedWith(lines);
          const metrics = metricsWithJudged([], table);
          assert.deepEqual(
            metrics.map(({ name }) => name),
            ['score'],
          );
          const { columns } = await summarise(table, metrics);
          for (const [
            column,
            {
              metrics: [figure],
            },
          ] of columns.entries()) {
            const measured = figure?.measured;
            const values = given.filter((one) => one.column === column).map(({ value }) => value);
            assert.equal(measured?.count, values.length === 0 ? undefined : values.length);
            if (!measured) continue;
            const sum = values.reduce((total, value) => total + value, 0);
            assert.ok(Math.abs(measured.value - sum / values.length) < 1e-9);
            const { interval } = measured;
            assert.equal(typeof interval, 'string', 'four rows are too few for an interval');
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('leaves the rows of which a cell is still to be judged', () => {
    const lines = [
      ...judgementLines(base, { ...good, kind: 'preferred' }, at),
      ...judgementLines(base, { ...good, row: 1 }, at),
      ...judgementLines(base, { ...good, row: 3 }, at),
    ];
    const query = { text: '', show: 'unjudged' as const, fold: false, columns: [0, 1] };
    assert.deepEqual(rowOrder(judgedWith(lines), query, []).rows, [1, 2]);
  });
});
