import assert from 'node:assert/strict';
import { completeAt, type Known } from '../../../src/runFiles/complete';
import { problemsIn, readRunFile } from '../../../src/runFiles/read';
import { contractOf, modeWith } from '../../support/runFiles/contract';
import { threadTime } from '../../support/threadTime';

/** The shortest of some runs: the first ones are those of code that is not compiled yet. */
function shortest(act: () => void): number {
  return Math.min(...Array.from({ length: 5 }, () => threadTime(act)));
}

describe('A key pressed in a run file', () => {
  const models = Array.from({ length: 10_000 }, (_, index) => ({
    ...{
      slug: `publisher-${index % 97}/model-${index}`,
      name: `Model ${index}`,
      description: 'What it does. '.repeat(8),
    },
    ...{ tags: ['image'], modeNames: ['execute'], raw: {} },
    price: { money: { amount: `0.${index + 1}`, currency: 'USD' }, per: 'image' },
  }));
  const fields = Object.fromEntries(
    Array.from({ length: 836 }, (_, index) => [
      `field_${index}`,
      {
        anyOf: [{ type: 'string', pattern: '^[a-z]+(?:-[a-z]+)*$' }, { type: 'null' }],
        description: 'A field.',
      },
    ]),
  );
  const contract = contractOf(modeWith({ type: 'object', properties: fields, additionalProperties: false }));
  const known: Known = { models, contract, environments: [], scopes: [] };

  for (const [what, typed] of [
    ['nothing', ''],
    ['a publisher', 'publisher-9'],
    ['a part of every model’s name', 'model-'],
    ['what no model is called', 'zzz'],
  ] as const)
    it(`completes among 10,000 models within 100 ms, with ${what} typed`, () => {
      const text = `{ "model": "${typed}" }`;
      const ms = shortest(() => completeAt(readRunFile(text), text.length - 3, known));
      assert.ok(ms < 100, `${ms} ms`);
    });

  it('leads to its problems within 150 ms, the delay included, with 836 members and 836 mistakes', () => {
    const wrong = Object.fromEntries(Object.keys(fields).map((name) => [name, 'Not This']));
    const text = JSON.stringify({ model: 'm', input: { ...wrong, unknown: 1 } });
    assert.ok(problemsIn(readRunFile(text), contract).length > 100);
    const ms = shortest(() => problemsIn(readRunFile(text), contract));
    assert.ok(ms + 60 < 150, `${ms} ms`);
  });
});
