import assert from 'node:assert/strict';
import type { ModelSummary } from '../../../src/domain/model';
import { AS_LISTED, grouped, sorted } from '../../../src/features/catalog/arrangement';

const model = (slug: string, more: Partial<ModelSummary> = {}): ModelSummary => ({
  ...{ slug, name: slug, tags: [], modeNames: [], raw: undefined },
  ...more,
});
const priced = (slug: string, amount: string) => model(slug, { price: { money: { amount } } });
const slugs = (models: readonly ModelSummary[]) => models.map(({ slug }) => slug).join(' ');

describe('The order of the catalog', () => {
  const models = [priced('b10', '0.02'), model('a'), priced('b2', '0.0199'), priced('c', '1e-3')];

  it('sorts by name with numbers as people count, by price as decimals, and by the last run', () => {
    const by = (sort: (typeof AS_LISTED)['sort'], recent: readonly string[] = []) =>
      slugs(sorted(models, { ...AS_LISTED, sort }, recent));
    assert.equal(by('service'), 'b10 a b2 c');
    assert.equal(by('name'), 'a b2 b10 c');
    assert.equal(by('price'), 'c b2 b10 a');
    assert.equal(by('recent', ['c', 'gone', 'a']), 'c a b10 b2');
  });

  it('groups by category, kind of data and owner, or not at all', () => {
    const some = [model('acme/x', { group: 'Vision', tags: ['image'] }), model('y')];
    const by = (group: (typeof AS_LISTED)['group']) =>
      [...grouped(some, { ...AS_LISTED, group }, (kind) => `kind ${kind}`)].map(
        ([name, list]) => `${name}: ${slugs(list)}`,
      );
    assert.deepEqual(by('group'), ['Vision: acme/x', ': y']);
    assert.deepEqual(by('kind'), ['kind image: acme/x', ': y']);
    assert.deepEqual(by('owner'), ['acme: acme/x', ': y']);
    assert.deepEqual(by('none'), [': acme/x y']);
  });
});
