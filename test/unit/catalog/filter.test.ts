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

  it('wants every word', () => {
    assert.equal(matchesFilter(model, filterWords('emoji audio')), false);
  });

  it('matches words literally, not as a pattern', () => {
    assert.equal(matchesFilter(model, filterWords('.*')), false);
  });
});
