import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/domain/json';
import { summarise } from '../../../src/experiments/figures/summary';
import { readExperiment } from '../../../src/experiments/file/read';
import { type Metric, measureItem } from '../../../src/experiments/metrics/metrics';
import { comparingOf } from '../../../src/experiments/results/measuredValue';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { checkFrom, type TypedCheck } from '../../../src/experiments/setup/typedValues';
import { checkedValue } from '../../../src/experiments/table/checkedRun';
import { figureText } from '../../../src/experiments/table/figureTexts';
import { tableCell } from '../../../src/experiments/table/tableCell';
import { checkExpectations } from '../../../src/runFiles/expectations';
import type { ExpectedCheck } from '../../../src/runFiles/format';
import { rowOf, tableOf } from '../../support/experiments/table';

const problems = (experiment: object) =>
  readExperiment(JSON.stringify({ run: { model: 'm' }, ...experiment })).problems.map(
    ({ pointer }) => pointer,
  );
const lineOf = (facts: Partial<ResultLine>): ResultLine => ({
  ...{ custom_id: 'a', variation: {}, item: 'a', repeat: 0, request_sha256: 'a', state: 'finished' },
  ...facts,
});
const comparing = { ...comparingOf(undefined), at: '/label' };
const check = (of: ExpectedCheck, facts: Partial<ResultLine>, more: object = {}) =>
  checkedValue(lineOf(facts), of, { ...comparing, ...more });

describe('The checks of an experiment', () => {
  it('name the place of a check that results cannot be checked by', () => {
    for (const [at, one] of [
      ['/metrics/0/check', {}],
      ['/metrics/0/check/matches', { matches: '(a)\\1' }],
      ['/metrics/0/check/status', { status: 500 }],
      ['/metrics/0/check/in', { at: '', in: 'response', equals: 1 }],
      ['/metrics/0/check/at', { at: '/label' }],
    ] as const)
      assert.deepEqual(problems({ metrics: [{ check: one }] }), [at]);
    assert.deepEqual(problems({ metrics: [{ check: { maxCost: 1 } }, { check: { maxCost: 2 } }] }), [
      '/metrics/0',
      '/metrics/1',
    ]);
    assert.deepEqual(problems({ thresholds: { speed: '>= 1' }, metrics: [{ check: { maxCost: 1 } }] }), [
      '/thresholds/speed',
    ]);
  });

  it('agree with the expectations of a run file, for any result', () => {
    const value = fc.jsonValue({ maxDepth: 2 }).map((one) => one as Json);
    const any = fc.oneof<fc.Arbitrary<ExpectedCheck>[]>(
      value.map((equals) => ({ equals })),
      value.map((contains) => ({ contains })),
      fc.constant({ matches: '^[a-z]+$' }),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((one) => ({ near: { value: one, tolerance: 1 } })),
      fc.array(value).map((oneOf) => ({ oneOf })),
      fc.constant({ schema: { type: ['string', 'array'] as Json } }),
      fc.constant({ maxSeconds: 2 }),
    );
    const at = fc.constantFrom('', '/label', '/label/0');
    const result = fc.oneof(
      value,
      value.map((label) => ({ label })),
    );
    fc.assert(
      fc.property(any, at, result, fc.nat(4_000), (one, place, got, ms) => {
        const asked = 'maxSeconds' in one ? one : { ...one, at: place };
        const outcome = { state: 'finished', result: got, response: undefined, seconds: ms / 1_000 } as const;
        const wanted = checkExpectations([asked], outcome).every(({ passed }) => passed);
        assert.equal(check(asked, { result: got, duration_ms: ms }), Number(wanted));
      }),
    );
  });

  it('look at the compared part where they name no place', () => {
    assert.equal(check({ equals: 'a' }, { result: { label: 'a' } }), 1);
    assert.equal(check({ equals: 'a', at: '' }, { result: { label: 'a' } }), 0);
    assert.equal(check({ equals: 'a' }, { result: {} }), 0);
  });

  it('measure nothing where a cost or time is not known, and a failed run as wrong', () => {
    assert.equal(check({ maxCost: 1 }, {}), undefined);
    assert.equal(check({ maxCost: 1 }, { cost: { amount: '1.0' } }), 1);
    assert.equal(check({ maxCost: 1 }, { cost: { amount: '1.01' } }), 0);
    assert.equal(check({ maxSeconds: 1 }, {}), undefined);
    assert.equal(check({ maxSeconds: 1 }, { state: 'failed' }), 0);
    assert.equal(check({ maxSeconds: 1 }, { state: 'failed' }, { failedIsWrong: false }), undefined);
    assert.equal(check({ status: 'failed' }, { state: 'failed' }), 1);
    assert.equal(check({ maxSeconds: 1 }, { state: 'unconfirmed' }), undefined);
  });

  it('give the share of passing runs with its rows, and mark the cells', async () => {
    const metric: Metric = { name: 'English', check: { matches: '^eng?' } };
    const results: readonly Partial<ResultLine>[] = [
      { result: { label: 'eng' } },
      { result: { label: 'fra' } },
      { result: { label: 'en' } },
      { state: 'failed' },
    ];
    const table = tableOf({
      variations: [{}],
      items: results.map((_, at) => rowOf('x'.repeat(at + 1))),
      at: '/label',
      line: ({ item }) => results[item] ?? {},
    });
    const { columns } = await summarise(table, [metric]);
    const { measured, blank } = columns[0]!.metrics[0]!;
    assert.deepEqual([measured?.value, measured?.count, measured?.failed, blank], [0.5, 4, 1, 0]);
    assert.match(figureText(metric, columns[0]!.metrics[0]!, '', 'en')!, /^English 0\.500, 4 rows/);
    assert.deepEqual(
      results.map((_, row) => tableCell(table, row, 0, [metric]).isRight),
      [true, false, true, false],
    );
  });

  it('give no figure where they can look at no result of a column', async () => {
    const tableWith = (results: readonly Json[]) =>
      tableOf({
        variations: [{}],
        items: results.map((_, at) => rowOf('x'.repeat(at + 1))),
        line: ({ item }) => ({ result: results[item]! }),
      });
    const figure = async (of: ExpectedCheck, results: readonly Json[]) => {
      const metric: Metric = { name: 'a', check: of };
      const table = tableWith(results);
      const [column] = (await summarise(table, [metric])).columns;
      const { measured, fault } = column!.metrics[0]!;
      return [fault?.kind, measured?.value, tableCell(table, 0, 0, [metric]).isRight];
    };
    const objects = [{ text: 'eng' }, { text: 'fra' }];
    assert.deepEqual(await figure({ matches: 'eng' }, objects), ['object', undefined, undefined]);
    assert.deepEqual(await figure({ matches: 'eng', at: '/label' }, objects), [
      'missing',
      undefined,
      undefined,
    ]);
    assert.deepEqual(await figure({ matches: 'eng', at: '/text' }, objects), [undefined, 0.5, true]);
    assert.deepEqual(await figure({ matches: 'eng' }, [...objects, 'eng']), [undefined, 1 / 3, false]);
    assert.deepEqual(await figure({ equals: 'eng' }, objects), [undefined, 0, false]);
    assert.deepEqual(await figure({ maxSeconds: 1 }, objects), [undefined, undefined, undefined]);
  });
});

describe('Text metrics', () => {
  const by = (name: 'matches' | 'rouge_l' | 'similarity', got: Json | undefined, expected: Json) =>
    measureItem({ name, tolerance: 0 }, got, expected);

  it('give the similarity as the share of characters that stay', () => {
    assert.equal(by('similarity', 'kitten', 'sitting'), 1 - 3 / 7);
    assert.equal(by('similarity', 'abc', 'xyz'), 0);
    assert.equal(by('similarity', undefined, 'a'), 0);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (a, b) => {
        const [one, other] = [by('similarity', a, `${b}!`), by('similarity', `${b}!`, a === '' ? '!' : a)];
        assert.ok(one! >= 0 && one! <= 1);
        if (a.trim() !== '') assert.equal(one, other);
        assert.equal(by('similarity', `${b}!`, `${b}!`), 1);
      }),
    );
  });

  it('give ROUGE-L as in the examples of its paper', () => {
    const reference = 'police killed the gunman';
    assert.equal(by('rouge_l', 'police kill the gunman', reference), 0.75);
    assert.equal(by('rouge_l', 'the gunman kill police', reference), 0.5);
    assert.equal(by('rouge_l', 'The gunman police killed.', reference), 0.5);
    assert.equal(by('rouge_l', '', reference), 0);
    assert.equal(by('rouge_l', '!?', reference), 0);
    assert.ok(by('rouge_l', '東京は雨です', '東京は晴れです')! > 0.5);
  });

  it('match the regular expression of each row', () => {
    assert.equal(by('matches', 'eng', '^en'), 1);
    assert.equal(by('matches', 12, '^\\d+$'), 1);
    assert.equal(by('matches', 'fra', '^en'), 0);
    assert.equal(by('matches', { a: 1 }, '^en'), 0);
    assert.equal(by('matches', 'eng', '('), undefined, 'no regular expression');
  });
});

describe('A check that is added in the table', () => {
  it('rejects typed text that does not fit its kind', () => {
    const wrong = {
      matches: '(',
      near: '3',
      schema: '3',
      maxSeconds: 'a',
      maxCost: '-1',
      contains: ' ',
    } as const;
    for (const [kind, value] of Object.entries(wrong))
      assert.equal(checkFrom(kind as TypedCheck, value), undefined, kind);
  });
});
