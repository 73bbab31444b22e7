import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/domain/json';
import type { ModelContract } from '../../../src/domain/model';
import { mostInviting } from '../../../src/forms/invitingModel';
import { sandboxInProcess } from '../../support/sandbox';
import { testClient } from '../../support/serviceClient';

const image = { media_ref: 'file:///storage/flower.jpg', filename: 'flower.jpg' };
const IMAGE = {
  type: 'object',
  properties: { media_ref: { type: 'string' } },
  required: ['media_ref'],
  contentMediaType: 'image/*',
};

interface Given {
  /** Of the model, where its mode has none. */
  readonly modelPrice?: string;
  readonly isIndex?: boolean;
  readonly properties: JsonObject;
  readonly required?: string[];
  readonly example?: JsonObject;
  readonly price?: string;
}

function contractOf(slug: string, given: Given): ModelContract {
  const { properties, required = [], example, price, modelPrice, isIndex = false } = given;
  const schema = { type: 'object', properties, required };
  const mode = {
    name: 'execute',
    vectorBacked: false,
    input: { origin: 'declared', schema },
    params: { origin: 'declared', schema: {} },
    examples: example ? [{ input: example, params: {} }] : [],
    ...(price !== undefined && { price: { money: { amount: price } } }),
  } as const;
  const index = { ...mode, name: 'index', vectorBacked: true };
  return {
    ...{ slug, name: slug, tags: [], modeNames: [], raw: {}, modesDeclared: true },
    modes: isIndex ? [mode, index] : [mode],
    ...(modelPrice !== undefined && { price: { money: { amount: modelPrice } } }),
  };
}

describe('The model that opens after the first connection', () => {
  it('prefers an image to other input, and the cheaper of two models', () => {
    const text = contractOf('text', {
      properties: { text: { type: 'string' } },
      example: { text: 'Hello' },
      price: '0',
    });
    const dear = contractOf('dear', { properties: { image: IMAGE }, required: ['image'], price: '0.5' });
    const cheap = contractOf('cheap', { properties: { image: IMAGE }, required: ['image'], price: '0.02' });
    const unknown = contractOf('unknown', { properties: { image: IMAGE }, required: ['image'] });
    assert.equal(mostInviting([text, unknown, dear, cheap], image)?.contract.slug, 'cheap');
    assert.equal(mostInviting([text], image)?.contract.slug, 'text');
  });

  it('shows the image it works on, in the built-in sandbox', async () => {
    const sandbox = await sandboxInProcess();
    const client = testClient(sandbox.baseUrl, { apiKey: async () => sandbox.apiKey });
    try {
      const contracts: ModelContract[] = [];
      for await (const { models } of client.listModels({}))
        for (const { slug } of models) contracts.push(await client.getModel(slug, {}));
      const made = mostInviting(contracts, image);
      assert.equal(made?.contract.slug, 'color-palette');
      assert.deepEqual(made.input.image, image);
    } finally {
      client.close();
      await sandbox.stop();
    }
  });
});
