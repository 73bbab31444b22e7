import type { SeenRequest, StubResponse } from './faultProxy';

/** Lists models that take a text, to any key, with a balance of $5; a test adds the replies that it is about. */
export function smallService(...names: readonly string[]): (request: SeenRequest) => StubResponse {
  const models = names.map((name) => ({ slug: name.toLowerCase(), name }));
  const text = { type: 'object', properties: { text: { type: 'string' } } };
  return ({ path }) => {
    if (!path.startsWith('/api/marketplace')) return { body: { balance: '5.00', currency: 'USD' } };
    const model = models.find(({ slug }) => path.endsWith(`/models/${slug}`));
    return { body: model ? { ...model, modes: ['execute'], input_schema: text } : models };
  };
}
