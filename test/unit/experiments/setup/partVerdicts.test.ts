import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import { betterPart, partVerdicts, verdictText } from '../../../../src/experiments/setup/partVerdicts';

const verdictsOf = (rows: readonly (readonly [Json, Json | undefined])[]) =>
  partVerdicts(
    rows.map(([result, expected]) => ({ result, expected, model: 'm' })),
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

  it('count only rows of which something is expected', () => {
    const [first] = verdictsOf([...rows, [{ language: 'spa' }, ''], [{ language: 'spa' }, undefined]]);
    assert.deepEqual([first!.equal, first!.of], [3, 3]);
  });
});
