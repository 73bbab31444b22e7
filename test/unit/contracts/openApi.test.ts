import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';

// The input of a model from an OpenAPI or Swagger document. A copy for each test: readers remember documents.

const fields = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const json = (schema: object, more: object = {}) => ({
  requestBody: { content: { 'application/json': { schema, ...more } } },
});
/** Paths of one operation that takes these media types, each with a field of its own. */
const taking = (types: Record<string, string>) => {
  const content = Object.entries(types).map(([type, name]) => [type, { schema: fields(name) }]);
  return { paths: { '/run': { post: { requestBody: { content: Object.fromEntries(content) } } } } };
};
const post = (...names: string[]) => ({ post: json(fields(...names)) });

const read = (document: object) =>
  readModel({ slug: 'm', about: { openapi: '3.0.0', ...document } }, 'm')?.modes ?? [];

/** The fields of an input, or its origin. */
const fieldsOf = ({ schema, origin }: { schema: unknown; origin: string }) =>
  origin === 'declared' ? Object.keys((schema as { properties?: object }).properties ?? {}).join() : origin;

const told = (document: object) =>
  read(document).map(({ name, input, params }) => `${name}: ${fieldsOf(input)}; ${fieldsOf(params)}`);

const AT = '/about/paths/~1run/post/requestBody/content/application~1json/schema';

type Case = readonly [what: string, document: object, expected: readonly string[]];

const component = (schemas: object) => ({ components: { schemas } });
const inputOf = (schema: object, more: object = {}) => ({
  type: 'object',
  properties: { input: schema, ...more },
});

const CASES: readonly Case[] = [
  [
    'the path that runs, and none that is about a run or the server',
    {
      paths: {
        '/cancel': post('a'),
        '/run/{run_id}': post('b'),
        '/x': post('d'),
        '/upload': post('e'),
        '/predict': { ...post('g'), get: json(fields('h')) },
        '/run': { get: json(fields('i')), delete: json(fields('j')) },
      },
    },
    ['execute: g; unknown'],
  ],
  [
    'any path where none says that it runs, the shortest',
    { paths: { '/some': post('a'), '/x': post('b') } },
    ['execute: b; unknown'],
  ],
  [
    'each mode that a path or an identifier names',
    {
      paths: {
        '/m/execute': post('a'),
        '/m/research': post('b'),
        '/m/x': { post: { operationId: 'run.SEARCH', ...json(fields('c')) } },
        '/index': post('d'),
        '/y': { post: { operationId: 7, ...json(fields('e')) } },
      },
    },
    ['search: c; unknown', 'index: d; unknown', 'execute: a; unknown'],
  ],
  [
    'JSON before a form, a form before text',
    taking({ 'text/plain': 'a', 'multipart/form-data': 'b', 'application/vnd.x+json': 'c' }),
    ['execute: c; unknown'],
  ],
  ...[{ requestBody: { content: { 'application/json': {} } } }, { requestBody: { $ref: '#/x' } }, {}].map(
    (run): Case => [
      'no body that cannot be read',
      { paths: { '/run': { post: run } } },
      ['execute: unknown; unknown'],
    ],
  ),
  [
    'the request that a reference names, with its input and its parameters',
    {
      paths: { '/run': { post: json({ $ref: '#/components/schemas/Run' }) } },
      ...component({ Run: inputOf(fields('a'), { parameters: fields('b'), model: {}, webhook: {} }) }),
    },
    ['execute: a; b'],
  ],
  [
    'the whole where the input is text',
    { paths: { '/run': { post: json(inputOf({ type: 'string' })) } } },
    ['execute: input; unknown'],
  ],
  [
    'the whole where something else stands beside the input',
    { paths: { '/run': { post: json(inputOf(fields('a'), { language: {} })) } } },
    ['execute: input,language; unknown'],
  ],
  [
    'Cog’s component where a request refers to it',
    {
      paths: { '/predictions': { post: json({ $ref: '#/components/schemas/Request' }) }, '/x': post('b') },
      ...component({
        Request: inputOf({ allOf: [{ $ref: '#/components/schemas/Input' }] }, { other: {} }),
        Input: fields('a'),
      }),
    },
    ['execute: a; unknown'],
  ],
  ['nothing without paths or definitions', { info: {} }, ['execute: unknown; unknown']],
];

describe('An OpenAPI document', () => {
  for (const [what, document, expected] of CASES)
    it(`gives ${what}`, () => assert.deepEqual(told(structuredClone(document)), expected));

  it('takes no record for a document that has definitions beside other members', () => {
    const body = { slug: 'm', input_schema: fields('a'), ...component({ Input: fields('b') }) };
    assert.deepEqual(Object.keys(Object(readModel(body, 'm')?.modes[0]?.input.schema).properties), ['a']);
  });

  it('names the place of each input in the body, even after references', () => {
    const places = (document: object) => read(document).map(({ input, params }) => [input.at, params.at]);
    const schema = inputOf(fields('a'), { params: fields('b') });
    assert.deepEqual(places({ paths: { '/run': { post: json(schema) } } }), [[AT, AT]]);
    const body = json(schema).requestBody;
    assert.deepEqual(
      places({
        paths: { '/run': { post: { requestBody: { $ref: '#/components/bodies/Run' } } } },
        components: { bodies: { Run: body } },
      }),
      Array(1).fill(Array(2).fill('/about/components/bodies/Run/content/application~1json/schema')),
    );
    assert.deepEqual(places(component({ Input: fields('a') })), [
      ['/about/components/schemas/Input', undefined],
    ]);
    const text = JSON.stringify({ openapi: '3.0.0', paths: { '/run': post('a') } });
    assert.equal(readModel({ slug: 'm', spec: text }, 'm')?.modes[0]?.input.at, '/spec');
  });

  it('returns the examples of its request, with their names', () => {
    const examplesOf = (more: object) =>
      read({ paths: { '/run': { post: json(fields('a'), more) } } })[0]?.examples.map(({ title, input }) => [
        title,
        input,
      ]);
    const examples = { cat: { value: { a: 'cat' } }, dog: { summary: 'none' }, cow: 'none' };
    assert.deepEqual(examplesOf({ example: { a: 'x' }, examples }), [
      [undefined, { a: 'x' }],
      ['cat', { a: 'cat' }],
    ]);
    assert.deepEqual(examplesOf({ examples }), [['cat', { a: 'cat' }]]);
    assert.deepEqual(examplesOf({ examples: 'none' }), []);
  });
});
