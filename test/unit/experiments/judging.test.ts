import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agreementText } from '../../../src/experiments/figures/agreements';
import { summarise } from '../../../src/experiments/figures/summary';
import { judgementLines } from '../../../src/experiments/judges/judging';
import { compareColumns } from '../../../src/experiments/metrics/columns';
import type { JudgementLine } from '../../../src/experiments/results/judgements';
import { comparisonText, correctedComparisons } from '../../../src/experiments/table/figureTexts';
import { glanceRows } from '../../../src/experiments/table/glance';
import { metricsWithJudged } from '../../../src/experiments/table/measureRun';
import { ExperimentTable } from '../../../src/experiments/table/table';
import { tableCell } from '../../../src/experiments/table/tableCell';
import type { ShownJudgement } from '../../../src/protocol/experiment';
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
const good: ShownJudgement = {
  row: 0,
  column: 0,
  kind: 'thumbs_up',
  value: 1,
  columns: [0, 1],
  blind: false,
};

describe('Judging by hand', () => {
  it('withdraws a judgement, and drops one if its result was replaced later', () => {
    const given = judgementLines(base, good, at, 'Anna');
    const best = judgementLines(base, { ...good, kind: 'preferred' }, at, 'Anna');
    assert.deepEqual(best.map(({ value }) => value).join(), '1,0', 'the others of the row are not');
    const none = judgementLines(base, { ...good, kind: 'preferred', value: null }, at, 'Anna');
    assert.ok(none.length === 2 && none.every(({ value }) => value === null));
    const withdrawn = judgementLines(base, { ...good, value: null }, at, 'Anna');
    assert.deepEqual(tableCell(judgedWith(withdrawn), 0, 0, []).judged, {});
    const early = given.map((line) => ({ ...line, judged_at: '2026-11-22T08:00:00Z' }));
    assert.deepEqual(tableCell(judgedWith(early), 0, 0, []).judged, {});
  });

  it('adds a metric for each kind of judgement, with their mean', async () => {
    const judgement = fc.record({ row: fc.nat(2), column: fc.nat(1), value: fc.integer({ min: 1, max: 5 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(judgement, { minLength: 1, selector: ({ row, column }) => row * 2 + column }),
        async (given) => {
          const lines = given.flatMap((one) =>
            judgementLines(base, { ...good, ...one, kind: 'score' }, at, 'Anna'),
          );
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

  it('compares preferences by the sign test, with the rows that each has won', async () => {
    const preferred = { name: 'preferred', tolerance: 0 } as const;
    const items = (values: string) =>
      [...values].map((value, row) => ({ item: `${row}`, expected: undefined, got: [Number(value)] }));
    const [first, second] = [items(`${'1'.repeat(12)}${'0'.repeat(8)}`), items(`${'0'.repeat(12)}11111000`)];
    const compared = (await compareColumns(preferred, first, second))!;
    const { won, lost, tied, p } = compared.pairs!;
    assert.deepEqual([won, lost, tied, p.toFixed(4)], [12, 5, 3, '0.1435']);
    const [[own]] = correctedComparisons([[compared]], { metrics: [preferred], margin: undefined }) as [
      [never],
    ];
    assert.match(
      comparisonText('preferred', own, 'en') ?? '',
      /20 rows, 12 won, 5 lost, 3 tied: cannot tell yet.*p = 0\.143, sign test/,
    );
  });
});

describe('The judgements of two people', () => {
  const judgedBy = (by: string, value: number | null, kind: ShownJudgement['kind'] = 'score', row = 0) =>
    judgementLines(base, { ...good, kind, value, row }, at, by);

  it('agree as Cohen’s kappa says, with n, in each column and over all', async () => {
    const scores = [
      ['Anna', [1, 2, 5]],
      ['Ben', [1, 3, 5]],
    ] as const;
    const lines = scores.flatMap(([by, values]) =>
      values.flatMap((value, row) => judgedBy(by, value, 'score', row)),
    );
    const table = judgedWith(lines);
    const metrics = metricsWithJudged([], table);
    const summary = await summarise(table, metrics);
    const [only, ...others] = summary.agreements!;
    assert.deepEqual(
      [only!.first, only!.second, only!.count, only!.same, others],
      [...['score of Anna', 'score of Ben', 3, 2], []],
    );
    // Observed 1; by chance (0 + 4 + 16 + 1 + 1 + 9 + 16 + 4 + 0) / 3.
    assert.ok(Math.abs(only!.kappa! - (1 - 1 / 17)) < 1e-12);
    assert.equal(
      agreementText(only!, only!, 'en'),
      'score of Anna and score of Ben agree on 2 of 3 results: weighted Cohen’s kappa 0.941 (n 3)',
    );
    const rows = glanceRows(summary, {
      metrics,
      ...{ comparisons: [[], []], unbeaten: [] },
      placeOf: () => '',
      shown: [0, 1],
      locale: 'en',
    });
    const row = rows.find(({ kind }) => kind === 'agreement')!;
    assert.deepEqual(
      row.cells.map((cell) => cell && [cell.text, cell.note]),
      [['κ 0.94', 'n 3'], null],
    );
  });
});
