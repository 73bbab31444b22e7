import fc from 'fast-check';
import { readModel } from '../../src/contracts/model';

// Contracts as people publish them, and the other parts of a body around and beside them.

const text = {
  type: 'object',
  properties: { text: { type: 'string' }, n: { $ref: '#/$defs/n' } },
  $defs: { n: { type: 'integer' } },
};
const image = {
  type: 'object',
  properties: { image: { type: 'string', format: 'uri' } },
  required: ['image'],
};
const params = { type: 'object', properties: { k: { type: 'integer', default: 5 } } };
const fieldList = [
  { name: 'text', type: 'string', required: true },
  { name: 'n', type: 'int', min: 1 },
];
const document = {
  openapi: '3.0.2',
  info: { title: 'x', version: '1' },
  paths: {
    '/predict': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } },
        },
      },
    },
  },
  components: { schemas: { Request: { type: 'object', properties: { text: { type: 'string' } } } } },
};

/** Contracts as people publish them, without anything around them. */
export const contract = fc.constantFrom<object>(
  { modes: { execute: { input_schema: text, params_schema: params }, search: { inputSchema: image } } },
  {
    modes: [
      { name: 'execute', inputSchema: text, paramsSchema: params },
      { name: 'index', input: fieldList },
    ],
  },
  { operations: { execute: { input_schema: text }, search: { input: image, parameters: params } } },
  { input_schema: text, params_schema: params },
  { request_schema: { type: 'object', properties: { model: {}, mode: {}, input: text, params } } },
  { input_fields: fieldList },
  { openapi_schema: document },
  { openapi_schema: JSON.stringify(document) },
  { input_schema: JSON.stringify(text) },
  { modes: { execute: { input_schema: text }, index: { request: { body: { schema: image } } } } },
);

export const wrapper = fc.constantFrom(
  ...'contract release spec manifest data model latest_version payload attributes definition result response item'.split(
    ' ',
  ),
  ...'published_model body details node foo x-thing endpoint deployment interface current'.split(' '),
);

/** Values beside a contract that are no contract. */
export const decoys = fc.record(
  {
    description: fc.string(),
    supportedModes: fc.constantFrom<unknown>(['chat', 'generate'], ['read'], 'stream'),
    operations: fc.constant(['read', 'write']),
    capabilities: fc.constant(['completion', 'vision']),
    output_schema: fc.constant({ type: 'object', properties: { answer: { type: 'string' } } }),
    outputs: fc.constant([{ name: 'answer', type: 'string' }]),
    webhook_schema: fc.constant({ type: 'object', properties: { url: { type: 'string' } } }),
    examples: fc.constant([{ input: { words: 'x' } }]),
    default_example: fc.constant({ input: { words: 'x' }, output: { input_schema: image } }),
    config: fc.constant({ parameters: { hidden: 4096 }, layers: 12 }),
    pricing: fc.constant({ input: 0.3, output: 0.4 }),
    tags: fc.constant(['image', 'execute']),
    training_schema: fc.constant({ type: 'object', properties: { dataset: { type: 'string' } } }),
    related: fc.constant([{ slug: 'other', modes: { execute: { input_schema: { type: 'string' } } } }]),
    base_model: fc.constant({ slug: 'base', input_schema: { type: 'object', properties: { old: {} } } }),
    models: fc.constant([{ slug: 'other', input_schema: { type: 'object', properties: { old: {} } } }]),
    previous_versions: fc.constant([{ input_schema: { type: 'object', properties: { old: {} } } }]),
  },
  { requiredKeys: [] },
);

/** The parts of a form, mode by mode; of a copy, since results for a body are remembered for it. */
export function formsOf(body: unknown): unknown {
  return readModel(structuredClone(body), 'm')?.modes.map(({ name, input, params }) => [
    name,
    input.origin,
    input.schema,
    params.schema,
  ]);
}
