import type { Layout } from './layout';

// Layouts that a service may well have, made here: no publisher of exactly this body was found.

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

export const PLAUSIBLE: readonly Omit<Layout, 'source' | 'read'>[] = [
  {
    name: 'an OpenAPI document where an input schema belongs',
    body: { slug: 'm', input_schema: document },
    input: fields,
    examples: 1,
  },
  {
    name: 'a table with the names of Python types, tests beside it',
    body: {
      slug: 'm',
      input_schema: {
        prompt: { type: 'str', required: true },
        steps: { type: 'int', required: false, default: 25 },
      },
      tests: [{ name: 'basic', input: { prompt: 'a cat' }, timeout: 10_000 }],
    },
    input: fields,
    examples: 1,
  },
  {
    name: 'a request with input, webhook and policy',
    body: {
      slug: 'm',
      request_schema: {
        type: 'object',
        properties: { input: schema, webhook: { type: 'string' }, policy: { type: 'object' } },
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
