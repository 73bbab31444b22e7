import assert from 'node:assert/strict';
import type { ModelSummary } from '../../../src/domain/model';
import { modelLikelihood } from '../../../src/indexing/vectorMode';

const model = (slug: string, ...modeNames: string[]): ModelSummary => ({
  slug,
  name: slug,
  tags: [],
  modeNames,
  raw: {},
});
const likelihoods = (models: readonly ModelSummary[], learned: Record<string, string[]> = {}) => {
  const of = modelLikelihood(models, 'index', (slug) => learned[slug]);
  return Object.fromEntries(models.map((each) => [each.slug, of(each)]));
};

describe('Models that may index files', () => {
  it('come from modes that index first, then from models without listed modes', () => {
    const models = [
      model('a', 'index', 'search'),
      model('b'),
      model('c', 'execute'),
      model('d', 'upsert_images'),
    ];
    assert.deepEqual(likelihoods(models), { a: 'yes', b: 'maybe', c: 'unlikely', d: 'yes' });
  });

  it('depend on a detail once it was read, for that model only', () => {
    const models = [model('a', 'index', 'execute'), model('b', 'execute'), model('c', 'execute')];
    assert.deepEqual(likelihoods(models, { a: ['index', 'execute'], b: ['execute'] }), {
      a: 'yes',
      b: 'unlikely',
      c: 'maybe',
    });
  });
});
