import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json';
import { betterPart, partVerdicts, verdictText } from '../../../../src/experiments/setup/partVerdicts';

const verdictsOf = (rows: readonly (readonly [Json, Json | undefined])[]) =>
  partVerdicts(
    rows.map(([result, expected]) => ({ result, expected })),
    true,
  );

describe('The parts of results that may be compared', () => {
  const rows = ['fra', 'eng', 'deu'].map((language): [Json, Json] => [
    { language, labels: [{ label: 'a', score: 0.9 }] },
    language,
  ]);

  it('begin with the one that is right most often, and end with the whole result', () => {
    const verdicts = verdictsOf(rows);
    assert.deepEqual(
      verdicts.map((one) => [one.at, verdictText(one)]),
      [
        ['/language', 'equals the expected value in 3 of 3'],
        ['/labels/0/label', 'equals in 0 of 3'],
        ['/labels/0/score', 'a number, not a label'],
        ['', 'an object: cannot equal a label'],
      ],
    );
    assert.equal(betterPart(verdicts)?.at, '/language');
  });

  it('contain no proposal where no part is ever right, or the whole result is', () => {
    assert.equal(betterPart(verdictsOf(rows.map(([result]) => [result, 'xyz']))), undefined);
    assert.equal(betterPart(verdictsOf([['a', 'a']])), undefined);
    assert.equal(betterPart(verdictsOf([])), undefined);
  });

  it('count only rows of which something is expected', () => {
    const [first] = verdictsOf([...rows, [{ language: 'spa' }, ''], [{ language: 'spa' }, undefined]]);
    assert.deepEqual([first!.equal, first!.of], [3, 3]);
  });

  it('appear in any results', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.jsonValue())), (any) => {
        for (const { equal, of } of verdictsOf(any as [Json, Json][])) assert.ok(equal <= of);
      }),
    );
  });
});
