import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JUDGEMENT_KINDS, type JudgementLine, judgementKey } from '../../../src/experiments/judgements';
import {
  costOf,
  isMergeMark,
  mergeResults,
  type ResultLine,
  ResultsReader,
  readResults,
  resultText,
} from '../../../src/experiments/results';

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
const judgement = fc.record({
  custom_id: fc.constantFrom('aa-0', 'ab-0', 'ff-0'),
  judgement: fc.constantFrom(...JUDGEMENT_KINDS),
  value: fc.constantFrom(0, 1, 5, null),
  judged_at: fc.constantFrom('2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z'),
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
  .array(withUnknown(fc.oneof(line, judgement)), { maxLength: 8 })
  .map((lines) => lines.map(resultText).join(''));

describe('The results of an experiment', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(line, (one) => {
        const { results, unreadable } = readResults(resultText(one));
        assert.deepEqual(unreadable, []);
        assert.deepEqual(JSON.parse(JSON.stringify(results)), JSON.parse(JSON.stringify([one])));
      }),
    );
  });

  it('keep what another program has added to a line', () => {
    fc.assert(
      fc.property(withUnknown(fc.oneof(line, judgement)), (one) => {
        assert.deepEqual(JSON.parse(mergeResults([resultText(one)])), JSON.parse(JSON.stringify(one)));
      }),
    );
  });

  it('of several people merge to the same bytes in any order, and when merged again', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const merged = mergeResults([a, b, c]);
        assert.equal(mergeResults([c, a, b]), merged);
        assert.equal(mergeResults([mergeResults([a, b]), c]), merged);
        assert.equal(mergeResults([merged, a]), merged);
        const ids = new Set(
          [a, b, c].flatMap((part) => readResults(part).results.map((one) => one.custom_id)),
        );
        assert.deepEqual(
          new Set(readResults(merged).results.map((one) => one.custom_id)),
          ids,
          'nothing is lost',
        );
        const kinds = new Set([a, b, c].flatMap((part) => readResults(part).judgements.map(judgementKey)));
        assert.deepEqual(new Set(readResults(merged).judgements.map(judgementKey)), kinds);
      }),
    );
  });

  it('keep a finished run before another outcome, then the later one, then what is certain', () => {
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

  it('keep of several judgements of one kind and run the latest', () => {
    fc.assert(
      fc.property(fc.array(judgement, { minLength: 1, maxLength: 8 }), (lines) => {
        for (const kept of readResults(lines.map(resultText).join('')).judgements) {
          const same = lines.filter((one) => judgementKey(one) === judgementKey(kept));
          assert.ok(same.every(({ judged_at: at }) => at <= kept.judged_at));
        }
      }),
    );
  });

  it('are read anew only where their file has grown, and whole where it is another', () => {
    const torn = fc.constantFrom('', '{"custom_id": "to', '\r\n', '\n\ufeff');
    fc.assert(
      fc.property(fc.array(fc.tuple(text, torn, fc.boolean()), { maxLength: 6 }), (steps) => {
        const reader = new ResultsReader();
        let file = '\ufeff';
        for (const [more, end, isOther] of steps) {
          file = isOther ? more : `${file}${more}${end}`;
          assert.deepEqual(reader.read(file), readResults(file));
        }
      }),
    );
    const [one, other] = ['aa-0', 'ab-0'].map((id) =>
      resultText({ ...fc.sample(line, { seed: 1, numRuns: 1 })[0]!, custom_id: id }),
    );
    const reader = new ResultsReader();
    const [first] = reader.read(one!).results;
    assert.equal(reader.read(one! + other!).results[0], first, 'what was read of a line is kept with it');
  });

  it('are those of both sides where git could not merge, and the marks go with the next merge', () => {
    const [ours, theirs] = ['aa-0', 'ab-0'].map((id) =>
      resultText({ ...fc.sample(line, { seed: 1, numRuns: 1 })[0]!, custom_id: id }),
    );
    const file = `<<<<<<< HEAD\n${ours}||||||| base\n=======\n${theirs}>>>>>>> theirs\n`;
    const { results, unreadable } = readResults(file);
    assert.deepEqual(
      results.map(({ custom_id: id }) => id),
      ['aa-0', 'ab-0'],
    );
    assert.ok(unreadable.length === 4 && unreadable.every(({ text }) => isMergeMark(text)));
    assert.equal(mergeResults([file]), mergeResults([ours! + theirs!]));
    assert.ok(!['======== eight', '<<<<<<<<', '{"custom_id":1}'].some(isMergeMark));
  });

  it('are read whatever a line holds: what could not be written again is no line', () => {
    const [one] = fc.sample(line, { seed: 1, numRuns: 1 });
    const deep = resultText({ ...one!, result: 0 as never }).replace(
      '"result":0',
      `"result":${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    );
    assert.deepEqual(readResults(deep + deep).unreadable.length, 2);
    assert.equal(mergeResults([deep, deep]), deep);
    const wide = resultText({ ...one!, result: Array.from({ length: 5_000 }, () => [[[1]]]) });
    assert.equal(readResults(wide).results.length, 1);
    const cost = (amount: string) => costOf({ ...one!, cost: { amount } });
    assert.deepEqual(
      [cost('0.5'), cost('free'), cost('1e999999999')],
      [{ amount: '0.5' }, undefined, undefined],
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
  });
});
