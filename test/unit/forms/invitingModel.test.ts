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

  it('skips models that could not run right away, and those with an empty form', () => {
    const incomplete = contractOf('incomplete', {
      properties: { image: IMAGE, question: { type: 'string' } },
      required: ['image', 'question'],
    });
    const empty = contractOf('empty', { properties: { text: { type: 'string' } } });
    const broken = contractOf('broken', { properties: { text: { type: 'string' } }, example: { text: 5 } });
    assert.equal(mostInviting([incomplete, empty, broken], image), undefined);
  });

  it('prefers a visible result to an index, and a low price, even if only the model names it', () => {
    const of = (slug: string, more: Partial<Given> = {}) =>
      contractOf(slug, { properties: { image: IMAGE }, required: ['image'], ...more });
    const first = (...contracts: ModelContract[]) => mostInviting(contracts, image)?.contract.slug;
    const [free, plain] = [of('free', { isIndex: true, price: '0' }), of('plain', { price: '5' })];
    assert.deepEqual([first(free, plain), first(plain, free), first(free)], ['plain', 'plain', 'free']);
    const [dear, cheap] = [of('dear', { modelPrice: '2' }), of('cheap', { modelPrice: '1' })];
    assert.deepEqual([first(dear, cheap), first(cheap, dear)], ['cheap', 'cheap']);
    const mode = of('mode', { price: '0.5', modelPrice: '9' });
    assert.deepEqual([first(cheap, mode), first(of('unknown'), dear)], ['mode', 'dear']);
    assert.equal(
      first({ ...free, modes: free.modes.slice(1) }),
      undefined,
      'an index takes more than a look',
    );
  });

  it('gets the image where images are wanted, even in a list, but not in a field for any file', () => {
    const anyFile = {
      type: 'object',
      properties: { media_ref: { type: 'string' } },
      required: ['media_ref'],
    };
    const made = (properties: JsonObject) =>
      mostInviting([contractOf('m', { properties, required: Object.keys(properties) })], image)?.input;
    assert.deepEqual(made({ images: { type: 'array', items: IMAGE, minItems: 1 } }), { images: [image] });
    assert.equal(made({ attachment: anyFile }), undefined);
    const shown = contractOf('m', {
      properties: { image: IMAGE },
      example: { image: { media_ref: 'https://elsewhere.test/a.png' } },
    });
    assert.deepEqual(mostInviting([shown], image)?.input, { image }, 'in place of that of the example');
  });

  it('leaves an optional image out, as it would change the model’s result', () => {
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

  it('shows the image it works on, in the built-in sandbox', async () => {
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
