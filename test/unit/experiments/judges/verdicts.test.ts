import assert from 'node:assert/strict';
import { agreements, type RatersAgreement } from '../../../../src/experiments/figures/agreements';
import { judgedKey } from '../../../../src/experiments/judges/judgedKey';
import type { JudgeVerdict } from '../../../../src/experiments/judges/verdicts';
import type { JudgeMetric, JudgeRule } from '../../../../src/experiments/metrics/metrics';
import type { JudgementLine } from '../../../../src/experiments/results/judgements';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { ExperimentTable } from '../../../../src/experiments/table/table';
import { rowOf, tableOf } from '../../../support/experiments/table';

const base = tableOf({
  items: ['one', 'two', 'three', 'four'].map((text) => rowOf(text)),
  line: ({ item, variation }) =>
    item === 3 && variation === 1 ? { state: 'failed', reason: 'down' } : { result: `${item}` },
});
const idAt = (row: number, column = 0) => base.runs(row, column)[0]!.customId;

/** "01:4 20:?": row, column and value; "?" is no value. */
const placesIn = (places: string) =>
  places.split(' ').map((one) => {
    const [, row, column, value] = /^(\d)(\d):(.+)$/.exec(one)!;
    return { row: Number(row), id: idAt(Number(row), Number(column)), value: Number(value) };
  });
const rated = (by: string, kind: JudgementLine['judgement'], places: string) =>
  placesIn(places).map(
    ({ id, value }): JudgementLine => ({
      ...{ custom_id: id, judgement: kind, value, judged_at: '2026-11-22T10:00:00Z' },
      ...(by !== '' && { by }),
    }),
  );

/** With the values that a judge gave. */
function judgedTable(places: string, lines: readonly JudgementLine[] = []): ExperimentTable {
  const own = placesIn(places).map(({ id, row, value }): [string, JudgeVerdict] => [
    judgedKey(id, row),
    Number.isNaN(value) ? { state: 'unclear', lines: [] } : { state: 'judged', lines: [], value },
  ]);
  const judging = { lines: new Map<string, ResultLine>(), verdicts: new Map([['judge', new Map(own)]]) };
  return new ExperimentTable(base.plan, base.results, base.comparing, lines, undefined, judging);
}
const metricOf = (judge: JudgeRule): JudgeMetric => ({ name: 'judge', judge });
const pairwise = (baseline: object): JudgeRule => ({
  ...{ kind: 'pairwise', first: 'A', second: 'B', tie: 'tie' },
  baseline: baseline as Extract<JudgeRule, { kind: 'pairwise' }>['baseline'],
});
const shortOf = (all: readonly RatersAgreement[]) =>
  all.map(({ first, second, same, count, isWeighted }) => [
    `${first} and ${second}: ${same} of ${count}`,
    isWeighted,
  ]);

describe('The agreement of a judge with people', () => {
  const scores = rated('Anna', 'score', '00:4 10:5 20:1');

  it('compares a rubric from 1 to 5 with scores, each rounded to a grade', () => {
    const table = judgedTable('00:3.6 10:4.4 20:? 01:3', scores);
    const of = (from: number, to: number) =>
      shortOf(agreements(table, [metricOf({ kind: 'rubric', from, to })]));
    assert.deepEqual(of(1, 5), [['judge and score of Anna: 1 of 2', true]]);
    assert.deepEqual([of(1, 4), of(0, 5)], [[], []], 'another scale cannot be compared');
    const [all] = agreements(table, [metricOf({ kind: 'rubric', from: 1, to: 5 })]);
    const counts = all!.columns.map(({ count, same }) => `${same} of ${count}`);
    assert.deepEqual(counts, ['1 of 2', '0 of 0']);
  });

  it('compares choices of 0 and 1 with good and bad, of each person alone', () => {
    const lines = [...rated('Ben', 'thumbs_up', '00:1'), ...rated('', 'thumbs_up', '00:0 10:0')];
    const table = judgedTable('00:1 10:0', lines);
    const of = (scores: Readonly<Record<string, number>>) =>
      shortOf(agreements(table, [metricOf({ kind: 'choices', scores })]));
    const people = ['thumbs_up without a name and thumbs_up of Ben: 0 of 1', false];
    assert.deepEqual(of({ polite: 1, rude: 0 }), [
      people,
      ['judge and thumbs_up without a name: 1 of 2', false],
      ['judge and thumbs_up of Ben: 1 of 1', false],
    ]);
    assert.deepEqual(of({ polite: 1, so: 0.5, rude: 0 }), [people]);
  });

  it('compares pairs with the best of the row, a tie where neither is', () => {
    const lines = rated('Anna', 'preferred', '00:0 01:1 10:1 11:0 20:0 21:0');
    const table = judgedTable('01:1 11:0 21:0.5', lines);
    const of = (baseline: object) => shortOf(agreements(table, [metricOf(pairwise(baseline))]));
    assert.deepEqual(of({}), [['judge and preferred of Anna: 3 of 3', true]]);
    assert.deepEqual(of({ '/model': 'c' }), [], 'there is no such baseline');
    const swapped = judgedTable('00:0', lines);
    const pairs = agreements(swapped, [metricOf(pairwise({ '/model': 'b' }))]);
    assert.deepEqual(shortOf(pairs), [['judge and preferred of Anna: 1 of 1', true]]);
  });

  it('counts a run of several rows once, and no pair of which one is not rated', () => {
    const shared = [{ customId: idAt(0), repeat: 0, serves: [0, 1].map((item) => ({ variation: 0, item })) }];
    const lines = [...scores, ...rated('Ben', 'score', '00:4')];
    const plan = { ...base.plan, runs: shared };
    const table = new ExperimentTable(plan, base.results, base.comparing, lines);
    assert.deepEqual(shortOf(agreements(table, [])), [['score of Anna and score of Ben: 1 of 1', true]]);
    const half = judgedTable('01:1', rated('Anna', 'preferred', '01:1'));
    assert.deepEqual(agreements(half, [metricOf(pairwise({}))]), []);
  });
});
