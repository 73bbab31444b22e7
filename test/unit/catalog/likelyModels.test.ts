import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';
import type { ModelSummary } from '../../../src/domain/model';
import { checkDraft, toRunRequest } from '../../../src/forms/checkDraft';
import { modelLikelihood, vectorMode } from '../../../src/indexing/vectorMode';

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

describe('A model that publishes no modes', () => {
  it('offers index and search as the interface documents, and leaves the decision to the service', () => {
    const nothing = readModel({}, 'm');
    assert.ok(nothing);
    const [index, search] = [vectorMode(nothing, 'index'), vectorMode(nothing, 'search')];
    assert.deepEqual(
      [index?.mode.name, index?.shape.property, index?.shape.ids],
      ['index', 'images', 'image_ids'],
    );
    assert.deepEqual([search?.mode.name, search?.shape.property], ['search', 'image']);
    assert.ok(search);
    const input = { image: { media_ref: 'ref' } };
    const draft = { model: 'm', mode: 'search', scope: 'playground', input, params: {} };
    assert.deepEqual(checkDraft(search.contract, draft), []);
    assert.equal(toRunRequest(search.contract, draft).scope, 'playground');
  });
});
