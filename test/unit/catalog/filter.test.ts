import assert from 'node:assert/strict';
import type { ModelSummary } from '../../../src/domain/model';
import { filterWords, matchesFilter } from '../../../src/domain/modelFilter';

const model: ModelSummary = {
  slug: 'acme/emoji-twins',
  name: 'Emoji Twins',
  description: 'Finds similar pictures',
  group: 'Acme',
  tags: ['image', 'Vector'],
  modeNames: ['index', 'search'],
  raw: {},
};

describe('The catalog filter', () => {
  it('finds words in any part of a row, in any order and case', () => {
    for (const text of ['twins', 'PICTURES emoji', 'vector acme', 'search', '  ', 'acme/emoji']) {
      assert.ok(matchesFilter(model, filterWords(text)), text);
    }
  });

  it('takes conditions of kind and published price', () => {
    const priced = (amount: string) => ({ ...model, price: { money: { amount, currency: 'USD' } } });
    const fits = (filter: string, one: ModelSummary) => matchesFilter(one, filterWords(filter));
    assert.deepEqual([fits('@image twins', model), fits('@audio', model)], [true, false]);
    assert.deepEqual(
      [fits('@price<0.01', priced('0.009')), fits('@price<0.01', priced('0.01'))],
      [true, false],
    );
    assert.equal(fits('@price<=0.01', priced('0.010')), true);
    assert.equal(fits('@price<1', model), false, 'a model without a price is not known to be cheap');
  });
});
