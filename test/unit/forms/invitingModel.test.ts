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
  readonly properties: JsonObject;
  readonly required?: string[];
  readonly example?: JsonObject;
  readonly price?: string;
}

function contractOf(slug: string, { properties, required = [], example, price }: Given): ModelContract {
  const schema = { type: 'object', properties, required };
  const mode = {
    name: 'execute',
    vectorBacked: false,
    input: { origin: 'declared', schema },
    params: { origin: 'declared', schema: {} },
    examples: example ? [{ input: example, params: {} }] : [],
    ...(price !== undefined && { price: { money: { amount: price } } }),
  } as const;
  return { slug, name: slug, tags: [], modeNames: [], raw: {}, modes: [mode], modesDeclared: true };
}

describe('The model that opens after the first connection', () => {
  it('takes an image before others, and the cheaper of two', () => {
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

  it('is none that could not run as it is opened, and none that begins empty', () => {
    const incomplete = contractOf('incomplete', {
      properties: { image: IMAGE, question: { type: 'string' } },
      required: ['image', 'question'],
    });
    const empty = contractOf('empty', { properties: { text: { type: 'string' } } });
    const broken = contractOf('broken', { properties: { text: { type: 'string' } }, example: { text: 5 } });
    assert.equal(mostInviting([incomplete, empty, broken], image), undefined);
  });

  it('leaves an optional image out: it would change what the model does', () => {
    const made = mostInviting(
      [
        contractOf('painter', {
          properties: { prompt: { type: 'string' }, image: IMAGE },
          example: { prompt: 'A fox' },
        }),
      ],
      image,
    );
    assert.deepEqual(made?.input, { prompt: 'A fox' });
    assert.equal(made?.hasImage, false);
  });

  it('of the built-in sandbox is one that shows the image it worked on', async () => {
    const sandbox = await sandboxInProcess();
    const client = testClient(sandbox.baseUrl, { apiKey: async () => sandbox.apiKey });
    try {
      const contracts: ModelContract[] = [];
      for await (const { models } of client.listModels({}))
        for (const { slug } of models) contracts.push(await client.getModel(slug, {}));
      const made = mostInviting(contracts, image);
      assert.equal(made?.contract.slug, 'colour-palette');
      assert.deepEqual(made.input.image, image);
    } finally {
      client.close();
      await sandbox.stop();
    }
  });
});
