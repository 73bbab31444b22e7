import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/domain/json';
import { localMedia } from '../../../src/domain/media';
import type { EstimateOf } from '../../../src/runs/estimates/estimate';
import { Estimates } from '../../../src/runs/estimates/estimates';
import { stubVSCode } from '../../support/vscodeStub';

const price = { money: { amount: '0.002', currency: 'USD' }, per: 'image' };

describe('The estimate of a run panel', () => {
  before(stubVSCode);

  const estimateWith = async (input: JsonObject) => {
    const { PanelModel } = await import('../../../src/features/runPanel/panelModel');
    const model = new PanelModel({
      services: {
        catalog: { of: () => ({ contract: async () => ({ slug: 'm', name: 'M', price, modes: [] }) }) },
        estimates: async () => {
          const estimates = new Estimates([], 'en');
          return {
            text: (what: EstimateOf) => estimates.text({ ...what, price }),
            short: (what: EstimateOf) => estimates.short({ ...what, price }),
          };
        },
      },
      slug: 'm',
      environment: () => ({ name: 'Staging', baseUrl: 'https://models.test' }),
      channel: () => ({ notify: () => undefined }),
      mode: () => 'execute',
      files: () => localMedia(input).length,
      onNamed: () => undefined,
    } as never);
    return (await model.estimate())?.text;
  };
  const image = (name: string) => ({ media_ref: `file:///pictures/${name}` });

  it('counts the files in the form, like the budget’s reservation', async () => {
    assert.equal(await estimateWith({}), 'Estimate: published price $0.002 per image');
    assert.equal(await estimateWith({ image: image('a.png') }), 'Estimate: published price $0.002 per run');
    assert.equal(
      await estimateWith({ images: [image('a.png'), image('b.png'), image('c.png')] }),
      'Estimate: published price $0.006 per run',
    );
  });
});
