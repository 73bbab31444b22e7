import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';

// Layouts that a service may well have: no publisher of exactly this body was found.

const schema = {
  type: 'object',
  properties: { prompt: { type: 'string', title: 'Prompt' }, steps: { type: 'integer' } },
  required: ['prompt'],
};
const fields = { prompt: 'string!', steps: 'integer' };
const output = { type: 'object', properties: { url: { type: 'string' } } };
const document = {
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: {
    '/health': { get: {} },
    '/predictions/m': {
      post: {
        operationId: 'predict',
        requestBody: {
          content: { 'application/json': { schema, examples: { cat: { value: { prompt: 'a cat' } } } } },
        },
      },
    },
  },
};

const LAYOUTS = [
  {
    name: 'an OpenAPI document where an input schema belongs',
    body: { slug: 'm', input_schema: document },
    input: fields,
    examples: 1,
  },
  {
    name: 'a table with the names of types, examples beside it',
    body: {
      slug: 'm',
      input_schema: {
        prompt: { type: 'str', required: true },
        steps: { type: 'int', required: false, default: 25 },
      },
      examples: [{ name: 'basic', input: { prompt: 'a cat' }, timeout: 10_000 }],
    },
    input: fields,
    examples: 1,
  },
  {
    name: 'a request with input and webhook',
    body: {
      slug: 'm',
      request_schema: {
        type: 'object',
        properties: { input: schema, webhook: { type: 'string' } },
      },
    },
    input: fields,
  },
  {
    name: 'metadata, a spec, and definitions beside them',
    body: {
      apiVersion: 'v1',
      kind: 'Model',
      metadata: { name: 'm', labels: { a: 'b' } },
      spec: { inputSchema: { $ref: '#/definitions/Run' } },
      definitions: { Run: schema, Other: output },
    },
    input: fields,
  },
];

describe('Layouts that a service may have', () => {
  for (const { name, body, input, examples } of LAYOUTS)
    it(`lead to the expected form: ${name}`, () => {
      const [mode] = readModel(body, 'm')?.modes ?? [];
      assert.deepEqual(typesOf(mode?.input.schema), input);
      assert.equal(mode?.examples.length, examples ?? 0);
    });
});

/** The types of an object's members, required ones with "!". */
function typesOf(schema: unknown): Record<string, string> {
  const { $ref, definitions } = schema as { $ref?: string; definitions?: Record<string, unknown> };
  const root = $ref === undefined ? schema : definitions?.[$ref.replace('#/definitions/', '')];
  const { properties, required } = root as {
    properties: Record<string, { type: string }>;
    required?: string[];
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      name,
      `${type}${required?.includes(name) ? '!' : ''}`,
    ]),
  );
}
