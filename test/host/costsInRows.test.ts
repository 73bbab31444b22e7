import assert from 'node:assert/strict';
import type { ModelSummary } from '../../src/domain/model';
import type { RunRecord } from '../../src/domain/runRecord';
import { modelItem, modelTooltip, type PastRuns } from '../../src/features/catalog/nodes';
import { runFacts } from '../../src/features/history/nodes';

const model: ModelSummary = {
  slug: 'm',
  name: 'Model',
  tags: [],
  modeNames: ['execute'],
  price: { money: { amount: '0.002', currency: 'USD' }, per: 'image' },
  raw: undefined,
};

const past = (changes: Partial<PastRuns['estimate']>): PastRuns => ({
  estimate: { runs: 12, costFrom: 12, ...changes },
  text: 'Estimate: about $0.02, median of your last 12 runs',
});

const run = (changes: Partial<RunRecord>): RunRecord => ({
  id: 'a',
  environment: 'staging',
  baseUrl: 'https://models.test',
  modelName: 'Model',
  draft: { model: 'm', mode: 'execute', input: {}, params: {} },
  attachments: [],
  startedAt: 0,
  state: 'finished',
  ...changes,
});

describe('Costs of runs in rows', () => {
  it('appear in the catalog as a count and an estimate', () => {
    const row = (estimate: Partial<PastRuns['estimate']>) =>
      String(modelItem(model, false, [], past(estimate)).description);
    assert.equal(
      row({ medianCost: { amount: '0.0213', currency: 'USD' } }),
      '$0.002 per image · 12 runs, about $0.021 each',
    );
    assert.equal(row({ runs: 1 }), '$0.002 per image · 1 run');
    assert.equal(row({ runs: 0 }), '$0.002 per image');
  });

  it('appear in the tooltip beside the published price', () => {
    const { value } = modelTooltip(model, past({}));
    const text = value.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
    assert.match(text, /Published price: \$0\.002 per image/);
    assert.match(text, /Your runs: 12\. Estimate: about \$0\.02, median of your last 12 runs/);
  });

  it('appear as unknown in the history without a report, and only for executed runs', () => {
    assert.ok(runFacts(run({ cost: { amount: '0.002', currency: 'USD' } })).includes('$0.002'));
    for (const state of ['finished', 'accepted', 'unknown'] as const)
      assert.ok(runFacts(run({ state })).includes('cost unknown'), state);
    for (const state of ['notSent', 'running', 'failed'] as const)
      assert.ok(!runFacts(run({ state })).includes('cost unknown'), state);
  });
});
