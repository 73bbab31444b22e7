import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { formOf, initialInput } from '../../../src/forms/buildForm';
import { validateValue } from '../../../src/forms/validate';
import { readSummary } from '../../../src/readers/catalog';
import { readUploadTicket } from '../../../src/readers/upload';

// A body may call a thing of its own by any name, also one that every object has.

const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];
/** A name that means nothing. */
const PLAIN = 'zzzqqq';

/** A JSON value with PLAIN in place of a name; as a service's response is, it has no prototype but that of all objects. */
const called = (value: Json, name: string) =>
  JSON.parse(JSON.stringify(value).replaceAll(PLAIN, name)) as Json;

/** The reading is the same for any name in place of PLAIN. */
function isTheSame(read: (value: Json) => unknown, value: Json) {
  const plain = JSON.stringify(read(called(value, PLAIN)) ?? null);
  assert.ok(plain.includes(PLAIN), plain);
  for (const name of INHERITED)
    assert.equal(JSON.stringify(read(called(value, name)) ?? null), plain.replaceAll(PLAIN, name), name);
}

const size = { type: 'string', enum: ['small', 'large'] };
const object = { type: 'object', properties: { [PLAIN]: size, text: { type: 'string' } }, required: [PLAIN] };

const contracts: Readonly<Record<string, Json>> = {
  'a property of a schema': { slug: 'm', input_schema: object },
  'a property of a mode’s schema': { slug: 'm', modes: { search: { input_schema: object }, execute: {} } },
  'a mode in a table': { slug: 'm', modes: { [PLAIN]: { input_schema: object } } },
  'a mode in a list': { slug: 'm', modes: [{ name: PLAIN, input_schema: object }] },
  'a mode by its name': { slug: 'm', modes: [PLAIN, 'execute'] },
  'a definition': {
    slug: 'm',
    input_schema: { properties: { a: { $ref: `#/$defs/${PLAIN}` } } },
    $defs: { [PLAIN]: size },
  },
  'a definition in the schema': {
    slug: 'm',
    input_schema: { properties: { a: { $ref: `#/$defs/${PLAIN}` } }, $defs: { [PLAIN]: size } },
  },
  'a place on the way to a definition': {
    slug: 'm',
    input_schema: { properties: { a: { $ref: `#/${PLAIN}/x` } } },
    [PLAIN]: { x: size },
  },
  'a part of a definition': {
    slug: 'm',
    input_schema: { properties: { a: { $ref: `#/$defs/A/properties/${PLAIN}` }, b: { $ref: '#/$defs/A' } } },
    $defs: { A: object },
  },
  'a part of a definition of that name': {
    slug: 'm',
    input_schema: { properties: { a: { $ref: `#/$defs/${PLAIN}/properties/x` } } },
    $defs: { [PLAIN]: { properties: { x: size } } },
  },
  'an item of a list of fields': {
    slug: 'm',
    inputs: [
      { name: PLAIN, type: 'string', required: true },
      { name: 'text', type: 'string' },
    ],
  },
  'a member of a table of fields': {
    slug: 'm',
    inputs: { [PLAIN]: { type: 'string' }, text: { type: 'string' } },
  },
  'a member of a table of types': { slug: 'm', inputs: { [PLAIN]: 'string', text: 'string' } },
  'a member of an example': { slug: 'm', example_input: { [PLAIN]: 'a', text: 'b' } },
  'a member of examples': {
    slug: 'm',
    input_schema: object,
    examples: [{ input: { [PLAIN]: 'small', text: 'b' } }],
  },
  'a parameter': {
    slug: 'm',
    input_schema: object,
    params_schema: object,
    parameters: { [PLAIN]: { default: 1 } },
  },
  'a bound in a record of its own': {
    slug: 'm',
    inputs: [{ name: 'a', type: 'integer', constraints: { minimum: 1 }, range: { max: 3 }, default: PLAIN }],
  },
  'an OpenAPI schema': {
    slug: 'm',
    openapi: {
      openapi: '3.1.0',
      info: { title: 'm', version: '1' },
      paths: {
        '/predictions': {
          post: {
            requestBody: {
              content: { 'application/json': { schema: { $ref: `#/components/schemas/${PLAIN}` } } },
            },
          },
        },
      },
      components: { schemas: { [PLAIN]: { type: 'object', properties: { input: object } } } },
    },
  },
};

describe('A name that every object has is as good as any other', () => {
  for (const [what, body] of Object.entries(contracts))
    it(`as ${what}`, () =>
      isTheSame((value) => {
        const { raw: _raw, ...model } = readModel(value, 'm') ?? {};
        return model;
      }, body));

  it('as a field of a form, with its initial value and its check', () => {
    const keys = (schema: JsonSchema) => {
      const form = formOf(schema, initialInput(schema));
      return form.kind === 'object' ? form.children().map(({ key, pointer }) => [key, pointer]) : [];
    };
    const schema = {
      ...object,
      properties: { text: { type: 'string' }, [PLAIN]: { ...size, default: 'small' } },
    };
    isTheSame((value) => [initialInput(value as JsonSchema), keys(value as JsonSchema)], schema);
    isTheSame((value) => validateValue(value as JsonSchema, { text: 'a' }).issues, schema);
    isTheSame(
      (value) => validateValue({ properties: { text: true }, additionalProperties: false }, value).issues,
      {
        text: 'a',
        [PLAIN]: 'small',
      },
    );
  });

  it('as a member of a row of the catalog, and as a header of an upload', () => {
    isTheSame((value) => readSummary(value), {
      id: 1,
      [PLAIN]: { display_name: 'another' },
      model: { slug: 'm', [PLAIN]: { title: 'another' } },
    });
    for (const name of INHERITED) {
      const headers = JSON.parse(`{"${name}": "a"}`) as Json;
      const ticket = readUploadTicket({ upload_id: 'u', upload_url: 'https://files.test/u', headers });
      assert.deepEqual(Object.entries(ticket?.headers ?? {}), [[name.toLowerCase(), 'a']]);
    }
  });
});
