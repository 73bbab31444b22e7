import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';
import { expectedCosts } from '../../../src/experiments/plan/expectedCosts';
import type { Estimate, EstimateOf } from '../../../src/runs/estimates/estimate';
import { loadedOf, runWithId } from '../../support/experiments/plannedRuns';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const run = (id: string, model: string, media: number, mode?: string) => {
  const images = Array.from({ length: media }, (_, n) => ({ media_ref: `file:///${id}-${n}` }));
  return { ...runWithId(id), request: { model, ...(mode && { mode }), input: { images }, params: {} } };
};
const contracts = new Map(
  [
    { slug: 'cats', price: '$0.5', modes: { execute: {}, search: { price: '$9' } } },
    { slug: 'birds', name: 'Birds' },
  ].map((body) => [body.slug, readModel(body, body.slug)!]),
);

describe('The expected cost of an experiment', () => {
  it('adds up runs by model, mode and media, and names models without a price', () => {
    const runs = [
      ...[run('a', 'cats', 0), run('b', 'cats', 1), run('c', 'cats', 3), run('d', 'cats', 0)],
      ...[run('e', 'cats', 0, 'search'), run('f', 'birds', 0), run('g', 'birds', 2), run('h', 'gone', 0)],
    ];
    const asked: unknown[] = [];
    const estimates = {
      of: ({ baseUrl, model, mode, items, price }: EstimateOf) => {
        asked.push([baseUrl, model, mode, items, price?.money?.amount]);
        if (model !== 'cats') return { runs: 0 } as Estimate;
        const published = usd(mode === 'search' ? '9' : '0.5');
        return { published, ...(items === 3 && { medianCost: usd('0.25') }) } as Estimate;
      },
    };
    const cost = expectedCosts(runs, { ...loadedOf(runs), contracts }, 'https://a.test', estimates);
    assert.deepEqual(asked, [
      ['https://a.test', 'cats', 'execute', 1, '0.5'],
      ['https://a.test', 'cats', 'execute', 1, '0.5'],
      ['https://a.test', 'cats', 'execute', 3, '0.5'],
      ['https://a.test', 'cats', 'search', 1, '9'],
      ['https://a.test', 'birds', 'execute', 1, undefined],
      ['https://a.test', 'birds', 'execute', 2, undefined],
      ['https://a.test', 'gone', 'execute', 1, undefined],
    ]);
    const sums = { totals: [usd('10.75')], highest: [usd('11')] };
    assert.deepEqual(cost, { runs: 8, ...sums, unknown: 3, unpriced: ['Birds', 'gone'] });
  });
});
