import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  JUDGEMENT_KINDS,
  type JudgementLine,
  judgementKey,
} from '../../../src/experiments/results/judgements';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { resultText } from '../../../src/experiments/results/results';
import { mergeResults, readResults } from '../../support/atOnce';

const line = fc.record({
  custom_id: fc.constantFrom('aa-0', 'ab-0', 'ab-1', 'ff-0'),
  variation: fc.dictionary(
    fc.constantFrom('/model', '/params/k', '/input/__proto__'),
    fc.constantFrom('a', 1, null),
  ),
  item: fc.constantFrom('row 2', 'photos/ä.png'),
  repeat: fc.nat(3),
  request_sha256: fc.constantFrom('aa', 'ab'),
  state: fc.constantFrom('finished', 'failed', 'unconfirmed'),
  started_at: fc.constantFrom('2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z'),
  result: fc.jsonValue() as never,
}) as fc.Arbitrary<ResultLine>;
/** The outcome of a killed job's request, in the words of the job that finds it. */
const unconfirmed = fc.record({
  custom_id: fc.constantFrom('aa-0', 'ab-0', 'ff-0'),
  state: fc.constant('unconfirmed'),
  started_at: fc.constantFrom('2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z', '2026-11-22T12:00:00Z'),
  sender: fc.constantFrom('a', 'b'),
  reason: fc.constantFrom('closed', 'lost'),
}) as fc.Arbitrary<never>;
/** The lines of a sender before and instead of an outcome. */
const sent = fc.record({
  custom_id: fc.constantFrom('aa-0', 'ab-0', 'ff-0'),
  state: fc.constantFrom('sent', 'returned'),
  started_at: fc.constantFrom('2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z', '2026-11-22T12:00:00Z'),
  sender: fc.constantFrom('a', 'b'),
}) as fc.Arbitrary<never>;
const judgement = fc.record({
  custom_id: fc.constantFrom('aa-0', 'ab-0', 'ff-0'),
  judgement: fc.constantFrom(...JUDGEMENT_KINDS),
  value: fc.constantFrom(0, 1, 5, null),
  judged_at: fc.constantFrom('2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z'),
  by: fc.constantFrom('Anna', 'Ben', ''),
  note: fc.constantFrom('kept', 'too'),
}) as fc.Arbitrary<JudgementLine>;
/** A line with a member of another version of this extension, or of another program. */
const withUnknown = (of: fc.Arbitrary<ResultLine | JudgementLine>) =>
  fc
    .tuple(
      of,
      fc.constantFrom('note', '__proto__', 'constructor', 'toString'),
      fc.constantFrom('a', { custom_id: 'b' }),
    )
    .map(([known, name, value]) => ({ ...known, [name]: value }));
const text = fc
  .array(fc.oneof(withUnknown(fc.oneof(line, judgement)), sent, unconfirmed), { maxLength: 8 })
  .map((lines) => lines.map(resultText).join(''));

describe('The results of an experiment', () => {
  it('count the newest 200 paid requests of one run', () => {
    const at = (n: number) => new Date(Date.UTC(2026, 10, 26) + 1_000 * n).toISOString();
    const lines = Array.from({ length: 205 }, (_, n) =>
      JSON.stringify({
        ...{ custom_id: 'a', state: 'failed', started_at: at(n), run_id: `${n}`, cost: { amount: `${n}` } },
      }),
    );
    for (const text of [lines, lines.toReversed()].map((all) => all.join('\n'))) {
      const paid = [...readResults(text).costs.values()].flat().map(({ amount }) => Number(amount));
      assert.deepEqual(
        paid.toSorted((a, b) => a - b),
        Array.from({ length: 200 }, (_, n) => n + 5),
      );
    }
  });

  it('keep the digits of numbers that JavaScript would change', () => {
    const line = '{"custom_id":"a","state":"finished","result":{"id":1234567890123456788,"size":1e400}}';
    const [one] = readResults(line).results;
    assert.deepEqual(one!.result, { id: '1234567890123456788', size: '1e400' });
  });

  it('keep members that another program has added to a line', () => {
    fc.assert(
      fc.property(withUnknown(fc.oneof(line, judgement)), (one) => {
        assert.deepEqual(JSON.parse(mergeResults([resultText(one)])), JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  it('merge to the same bytes in any order, and when merged again', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const merged = mergeResults([a, b, c]);
        assert.equal(mergeResults([c, a, b]), merged);
        assert.equal(mergeResults([mergeResults([a, b]), c]), merged);
        assert.equal(mergeResults([merged, a]), merged);
        const states = (file: string) =>
          new Map(readResults(file).results.map((one) => [one.custom_id, one.state]));
        assert.deepEqual([...states(merged)].sort(), [...states(a + b + c)].sort(), 'nothing is lost');
        const kinds = new Set([a, b, c].flatMap((part) => readResults(part).judgements.map(judgementKey)));
        assert.deepEqual(new Set(readResults(merged).judgements.map(judgementKey)), kinds);
      }),
    );
  });

  it('keep a finished run before another outcome, then the later one, then the certain one', () => {
    fc.assert(
      fc.property(line, line, (one, other) => {
        const same = { ...other, custom_id: one.custom_id };
        const [kept] = readResults(resultText(one) + resultText(same)).results;
        const states = [one.state, same.state];
        if (states.includes('finished')) return assert.equal(kept!.state, 'finished');
        const [late] = [one, same].sort((a, b) => (a.started_at! < b.started_at! ? 1 : -1));
        if (one.started_at !== same.started_at) return assert.equal(kept!.state, late!.state);
        return assert.equal(kept!.state, states.includes('failed') ? 'failed' : 'unconfirmed');
      }),
    );
  });

  it('keep the latest of several judgements of one person and kind for a run', () => {
    fc.assert(
      fc.property(fc.array(judgement, { minLength: 1, maxLength: 8 }), (lines) => {
        for (const kept of readResults(lines.map(resultText).join('')).judgements) {
          const same = lines.filter((one) => judgementKey(one) === judgementKey(kept));
          assert.ok(same.every(({ judged_at: at }) => at <= kept.judged_at));
        }
      }),
    );
  });

  it('include both sides of a conflict of git, and lose its marks with the next merge', () => {
    const [ours, theirs] = ['aa-0', 'ab-0'].map((id) =>
      resultText({ ...fc.sample(line, { seed: 1, numRuns: 1 })[0]!, custom_id: id }),
    );
    const file = `<<<<<<< HEAD\n${ours}||||||| base\n=======\n${theirs}>>>>>>> theirs\n`;
    const { results, unreadable } = readResults(file);
    assert.deepEqual(
      results.map(({ custom_id: id }) => id),
      ['aa-0', 'ab-0'],
    );
    assert.equal(unreadable.length, 4);
    assert.equal(mergeResults([file]), mergeResults([ours! + theirs!]));
    const others = '======== eight\n<<<<<<<<\n{"custom_id":1}\n';
    assert.equal(mergeResults([others]).split('\n').length, 4, 'only its own marks');
  });

  it('count as unconfirmed for a sent run until its outcome, or until its sender takes that back', () => {
    const at = (minute: number) => `2026-11-22T10:0${minute}:00Z`;
    const of = (state: string, minute: number, sender?: string, more = {}) =>
      `${JSON.stringify({ custom_id: 'a', state, started_at: at(minute), ...(sender && { sender }), ...more })}\n`;
    const states = (...lines: string[]) =>
      [lines, lines.toReversed()].map((all) => readResults(all.join('')).results[0]?.state);
    const both = (state: string | undefined) => [state, state];
    assert.deepEqual(states(of('sent', 1, 's')), both('unconfirmed'));
    assert.deepEqual([...readResults(of('sent', 1, 's')).sent], ['a']);
    for (const [one, other] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const [latest] = readResults(of('sent', one, 's') + of('sent', other, 'other')).results;
      assert.equal(latest?.started_at, at(2), 'the later of two requests');
    }
    assert.deepEqual(states(of('sent', 1, 's'), of('returned', 1, 's')), both(undefined));
    assert.deepEqual(states(of('sent', 1, 's'), of('returned', 1, 'other')), both('unconfirmed'));
    assert.deepEqual(states(of('sent', 1, 's'), of('failed', 1)), both('failed'));
    assert.deepEqual(states(of('sent', 2, 's'), of('finished', 1)), both('finished'));
    // A failed run that is sent again, and then not executed, has failed as before.
    assert.deepEqual(states(of('failed', 1), of('sent', 2, 's')), both('unconfirmed'));
    assert.deepEqual(states(of('failed', 1), of('sent', 2, 's'), of('returned', 2, 's')), both('failed'));
    for (const settled of [of('sent', 1, 's'), of('failed', 1)])
      assert.equal(mergeResults([settled + of('finished', 2)]), of('finished', 2));
    // A job that is killed after it took the run back, and before its store knew, calls it unconfirmed later.
    const killed = [of('sent', 2, 's'), of('returned', 2, 's'), of('unconfirmed', 2, 's')];
    assert.deepEqual(states(...killed), both(undefined));
    // A response has come: its run may have been paid.
    for (const response of [{ run_id: 'r' }, { cost: { amount: '1' } }])
      assert.deepEqual(states(...killed, of('unconfirmed', 2, 's', response)), both('unconfirmed'));
    assert.deepEqual(states(of('failed', 1), ...killed), both('failed'));
    assert.deepEqual(states(of('failed', 1), of('unconfirmed', 2, 's')), both('unconfirmed'));
    assert.deepEqual(states(...killed, of('sent', 1, 'other')), both('unconfirmed'));
    // It was sent again since, on a clock that was set back too.
    assert.deepEqual(states(...killed, of('unconfirmed', 1, 's')), both('unconfirmed'));
  });

  it('count by their ID and state, for any value of other members', () => {
    const members = ['variation', 'item', 'repeat', 'request_sha256', 'result_file', 'reason', 'cost'];
    const names = fc.constantFrom(
      ...members,
      'started_at',
      'duration_ms',
      'run_id',
      'metrics',
      'item_sha256',
    );
    fc.assert(
      fc.property(line, fc.dictionary(names, fc.jsonValue(), { maxKeys: 4 }), (one, odd) => {
        const text = resultText({ ...one, ...odd } as ResultLine);
        const { results, unreadable } = readResults(text);
        assert.deepEqual(
          [results[0]?.custom_id, results[0]?.state, unreadable.length],
          [one.custom_id, one.state, 0],
        );
        assert.deepEqual(results[0]?.result, JSON.parse(JSON.stringify(one.result)));
        assert.equal(mergeResults([text]), text);
      }),
    );
  });

  it('survive a torn line, which stays in the file', () => {
    const whole = resultText({ ...fc.sample(line, { seed: 1, numRuns: 1 })[0]!, custom_id: 'aa-0' });
    for (const cut of [1, 10, whole.length - 2]) {
      const torn = whole.slice(0, cut);
      const { results, unreadable } = readResults(whole + torn);
      assert.equal(results.length, 1);
      assert.deepEqual(unreadable, [{ line: 2, text: torn }]);
      assert.ok(mergeResults([whole + torn, whole]).includes(torn));
    }
    assert.deepEqual(readResults('null\n[]\n{"custom_id":1}\n').unreadable.length, 3);
    assert.throws(() => readResults('x\n'.repeat(100_001)), /More than 100,000 lines/);
  });

  it('count without members of another kind than theirs', () => {
    const of = (more: object) =>
      readResults(`${JSON.stringify({ custom_id: 'a', state: 'finished', ...more })}\n`);
    const plain = of({}).results;
    for (const odd of [
      ...[{ cost: null }, { cost: '5' }, { cost: { amount: 5 } }, { cost: { amount: 'NaN' } }, { run_id: 5 }],
      ...[{ result_without: ['', 1] }, { other_files: ['a', 1] }, { odd_values: 1 }, { variation: [] }],
      ...[{ duration_ms: 1e12 + 1 }, { duration_ms: -1 }, { duration_ms: '5' }, { repeat: 0.5 }],
      ...['-5', '-0.01', 'free', '1e999999999'].map((amount) => ({ cost: { amount } })),
    ])
      assert.deepEqual(of(odd).results, plain, JSON.stringify(odd));
    for (const known of [
      { duration_ms: 1e12 },
      { duration_ms: 0 },
      { cost: { amount: '1e-3' } },
      { other_files: ['a'] },
    ])
      assert.deepEqual(of(known).results, [{ ...plain[0], ...known }]);
    assert.deepEqual(of({ cost: { amount: '5', currency: 5 } }).costs.get('a'), [{ amount: '5' }]);
  });
});
