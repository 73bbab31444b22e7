import assert from 'node:assert/strict';
import { readShape } from '../../../src/contracts/shape';

// A contract as a whole: JSON Schema, fields, a type definition or an example, and its reading.

type Case = readonly [what: string, contract: unknown, schema?: unknown];

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

function are(origin: 'declared' | 'fields' | 'example', cases: readonly Case[]) {
  for (const [what, contract, ...expected] of cases)
    it(what, () => {
      // A copy: results for a value are remembered for it.
      const schema = expected.length === 0 ? contract : expected[0];
      assert.deepEqual(readShape(structuredClone(contract)), { schema, origin });
    });
}

/** The schema that a contract becomes, whose members are looked into. */
const schemaOf = (contract: unknown) => readShape(structuredClone(contract))?.schema as Nested | undefined;

interface Nested {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Nested>>;
  readonly items?: Nested;
}

const propertiesOf = (schema: Nested | undefined) => Object.values(schema?.properties ?? {});

/** How many schemas there are one inside another, by the way that is given. */
function depthOf(schema: Nested | undefined, inner: (schema: Nested) => Nested | undefined): number {
  return schema === undefined ? 0 : 1 + depthOf(inner(schema), inner);
}

/** Inside of that many schemas. */
const wrapped = (schema: unknown, times: number): unknown =>
  times === 0 ? schema : { schema: wrapped(schema, times - 1) };

describe('The reading of JSON Schema finds', () => {
  are('declared', [
    ['true', true],
    ['text with a schema in it', ` \n${JSON.stringify(text)}`, text],
    ['text with text with a schema in it', JSON.stringify({ schema: JSON.stringify(text) }), text],
    ['a schema in four others', wrapped(text, 4), text],
    ['a reference', { $ref: '#/x', moons: 3 }],
    ['an object with properties', object({ a: text, b: true })],
    ['properties without a type', { properties: { a: text, b: { description: 'B' } } }],
    ['properties of which one says nothing', { properties: { a: {}, b: { moons: 3 } } }],
    ['properties that are anything', { properties: { a: true } }],
    [
      'properties with members of their own',
      { properties: { a: { properties: { b: {} } }, c: { moons: 3 } } },
    ],
    ['properties that are one of several', { properties: { a: { anyOf: [text] }, c: { moons: 3 } } }],
    ['what names its draft', { $schema: 'https://json-schema.org/draft/2020-12/schema', moons: 3 }],
    ...['anyOf', 'oneOf', 'allOf'].map(
      (name): Case => [`what is ${name} others`, { [name]: [text], moons: 3 }],
    ),
    ['several types', { type: ['string', 'null'], default: 'x' }],
    [
      'a type with keywords',
      { type: 'integer', minimum: 3, 'x-note': 1, $comment: 'y', exclusiveMinimum: 2 },
    ],
    ['the value under schema', { schema: text, moons: 3 }, text],
    ['the value under json_schema', { json_schema: text, schema: integer }, text],
    ['the value under inputSchema', { inputSchema: text }, text],
  ]);

  it('no schema inside five others, but a field', () =>
    assert.equal(readShape(wrapped(text, 5))?.origin, 'fields'));

  for (const value of [undefined, null, 3, false, '', 'text', 'x {"type": "string"}', '{"type": ', {}, []])
    it(`no schema in ${JSON.stringify(value)}`, () => assert.equal(readShape(value), undefined));
});

describe('The reading of an example finds', () => {
  for (const [what, value, properties] of [
    [
      'a record of values',
      { a: 'x', n: 3, on: true, none: null },
      { a: text, n: { type: 'number' }, on: { type: 'boolean' }, none: {} },
    ],
    [
      'a record with records and lists in it',
      { a: { b: [{ c: 1 }, 'x'] }, d: [] },
      { a: object({ b: { type: 'array', items: object({ c: { type: 'number' } }) } }), d: { type: 'array' } },
    ],
    ['a record with a type that is a value', { type: 'string', text: 'hi' }, { type: text, text }],
    [
      'a record with types that are no words',
      { type: ['string', 'moon'], x: 1 },
      { type: { type: 'array', items: text }, x: { type: 'number' } },
    ],
    ['a record with no types', { type: [], x: 1 }, { type: { type: 'array' }, x: { type: 'number' } }],
    [
      'a record with another’s address',
      { $schema: 'https://m.test/x', a: 1 },
      { $schema: text, a: { type: 'number' } },
    ],
    [
      'a record with a list under anyOf',
      { anyOf: [{ a: 1 }, 'x'], b: 1 },
      { anyOf: { type: 'array', items: object({ a: { type: 'number' } }) }, b: { type: 'number' } },
    ],
    [
      'properties that are values',
      { properties: { a: 'x', b: 1 }, c: 1 },
      { properties: object({ a: text, b: { type: 'number' } }), c: { type: 'number' } },
    ],
    [
      'properties that are records of values',
      { properties: { a: { moons: 3 } }, c: 1 },
      { properties: object({ a: object({ moons: { type: 'number' } }) }), c: { type: 'number' } },
    ],
    [
      'a type in upper case without properties',
      { type: 'OBJECT', x: 1 },
      { type: text, x: { type: 'number' } },
    ],
    [
      'a type in mixed case',
      { type: 'Object', properties: { a: 1 } },
      { type: text, properties: object({ a: { type: 'number' } }) },
    ],
    [
      'a word in upper case that is no type',
      { type: 'MOON', properties: { a: 1 } },
      { type: text, properties: object({ a: { type: 'number' } }) },
    ],
  ] as const)
    it(what, () => {
      assert.deepEqual(readShape(structuredClone(value)), {
        schema: object(properties, { examples: [value] }),
        origin: 'example',
      });
    });

  for (const name of ['example', 'sample'])
    it(`an example under ${name}`, () =>
      assert.deepEqual(readShape({ [name]: { a: 'x' } }), {
        schema: object({ a: text }, { examples: [{ a: 'x' }] }),
        origin: 'example',
      }));

  it('to a depth of twelve', () => {
    let value: unknown = 'x';
    for (let depth = 0; depth < 14; depth++) value = { a: value };
    assert.equal(
      depthOf(schemaOf({ ...(value as object), b: 1 }), ({ properties }) => properties?.a),
      14,
    );
    let list: unknown = 'x';
    for (let depth = 0; depth < 14; depth++) list = [list];
    assert.equal(
      depthOf(schemaOf({ a: list, b: 1 })?.properties?.a, ({ items }) => items),
      13,
    );
  });

  it('in part, where it is long', () => {
    const part = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 'x']));
    const typed = propertiesOf(schemaOf({ a: part, b: part, c: part })).flatMap((each) =>
      propertiesOf(each).filter(({ type }) => type === 'string'),
    );
    assert.equal(typed.length, 1997);
  });
});

describe('The reading of fields finds', () => {
  are('fields', [
    ['names', ['a', 'b'], object({ a: {}, b: {} })],
    ['a number as a name', [1], object({ 1: {} })],
    [
      'names with types',
      ['a: int', 'b*: string', 'c? : float', 'd:bool', 'the-e_1:\tstr'],
      object(
        { a: integer, b: text, c: { type: 'number' }, d: { type: 'boolean' }, 'the-e_1': text },
        { required: ['b'] },
      ),
    ],
    [
      'text that only looks like a type',
      ['a: moon', 'two words: int', 'see: int, or so'],
      object({ 'a: moon': {}, 'two words: int': {}, 'see: int, or so': {} }),
    ],
    ...['name', 'key', 'field', 'id', 'param', 'parameter', 'slug', 'variable'].map(
      (name): Case => [`a record with a ${name}`, [{ [name]: 'a', type: 'int' }], object({ a: integer })],
    ),
    ...['query', 'path', 'header', 'cookie'].flatMap((place): Case[] => [
      [
        `not a parameter in the ${place}`,
        [
          { name: 'a', type: 'int' },
          { name: 'b', in: place },
        ],
        object({ a: integer }),
      ],
      [
        `not what a table has in the ${place}`,
        { a: { type: 'int' }, b: { type: 'int', location: place } },
        object({ a: integer }),
      ],
    ]),
    [
      'a field in the body',
      [
        { name: 'a', in: 'body', type: 'int' },
        { name: 'b', in: 'pathway' },
        { name: 'c', in: 'xpath' },
      ],
      object({ a: integer, b: {}, c: {} }),
    ],
    [
      'a table',
      { a: 'int', 'b?': 'string', 'c*': { type: 'float' }, d: { type: 'bool', required: true } },
      object(
        { a: integer, b: text, c: { type: 'number' }, d: { type: 'boolean' } },
        { required: ['c', 'd'] },
      ),
    ],
    [
      'marks only at the end of a name',
      { 'a*b': 'int', '?c': 'int', '*d': 'int' },
      object({ 'a*b': integer, '?c': integer, '*d': integer }),
    ],
    [
      'a table with schemas in it',
      { a: { schema: { type: 'integer' } }, b: { schema: text } },
      object({ a: integer, b: text }),
    ],
    [
      'a table of which most entries are sure types',
      { a: 'int', b: 'string[]', c: 'hello' },
      object({ a: integer, b: { type: 'array', items: text }, c: {} }),
    ],
    [
      'a table of which one entry of several is a sure type',
      { a: ' int ', b: 'image', c: 'hello' },
      object({ a: integer, b: readImage(), c: {} }),
    ],
    [
      'a table of which most are records',
      { a: { type: 'int' }, b: 'image', c: 3 },
      object({ a: integer, b: readImage(), c: {} }),
    ],
    ...['fields', 'properties', 'parameters', 'inputs', 'arguments'].map(
      (name): Case => [`what stands under ${name}`, { [name]: ['a'], moons: 3 }, object({ a: {} })],
    ),
    [
      'as many as 2,000',
      Array.from({ length: 2000 }, (_, index) => `f${index}`),
      object(Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}`, {}]))),
    ],
  ]);

  for (const [what, value, origin] of [
    ['more than 2,000', Array.from({ length: 2001 }, (_, index) => `f${index}`), undefined],
    ['a list with a record without a name', [{ name: 'a' }, { type: 'int' }], undefined],
    ['a list with a list', ['a', ['b']], undefined],
    ['a list with white space', ['a', ' '], undefined],
    ['a list of parameters outside the body', [{ name: 'a', in: 'query' }], undefined],
    [
      'a record of two that names no field',
      [{ int: { variable: 'a' }, other: { variable: 'b' } }],
      undefined,
    ],
    ['a record of one that is no type', [{ moon: { variable: 'a' } }], undefined],
    ['a record of one that is no field', [{ int: 'a' }], undefined],
    ['an empty record', ['a', {}], undefined],
    ['a label without a type', [{ label: 'a' }], undefined],
    ['groups and others', { required: { a: { b: 1 } }, others: { c: 1 } }, 'example'],
    ['groups of another name', { requireds: { a: { b: 1 } } }, 'example'],
    ['words that may be values', { a: 'image', b: 'text', c: 'hello' }, 'example'],
    ['sure types, and as many others', { a: 'int', b: 'hello' }, 'example'],
    ['a description of one field', { name: 'a', type: 'string', description: 'D' }, undefined],
    ['a description of one field with options', { name: 'a', data_type: 'int', options: [1] }, undefined],
    ['a description of one field that is required', { name: 'a', type: 'int', required: true }, undefined],
    ['a description of one field with a default', { name: 'a', type: 'int', default: 1 }, undefined],
    ['a name and a type alone', { name: 'a', type: 'string', n: 3 }, 'example'],
    ['a type and a description without a name', { type: 'string', description: 'D', n: 3 }, 'example'],
    ['a name with a type that may be a value', { name: 'a', type: 'cat', description: 'D' }, 'example'],
    ['a name with a number as its type', { name: 'a', type: 3, description: 'D' }, 'example'],
    ['only parameters outside the body', { a: { in: 'query' }, b: { in: 'path' } }, undefined],
    ['a reference to a file', { a: { media_ref: 'x', type: 'image' }, b: 1 }, 'example'],
  ] as const)
    it(`no field in ${what}`, () => assert.equal(readShape(structuredClone(value))?.origin, origin));
});

/** The reading of a field of the type `image`, for the other table. */
function readImage() {
  return {
    type: 'object',
    'x-media-type': 'image',
    properties: {
      media_ref: { type: 'string', minLength: 1, contentMediaType: 'image/*' },
      filename: text,
    },
    required: ['media_ref'],
  };
}

describe('The name of a type means', () => {
  const media = (kind: string, of?: string) => ({
    type: 'object',
    'x-media-type': kind,
    properties: {
      media_ref: { type: 'string', minLength: 1, ...(of && { contentMediaType: of }) },
      filename: text,
    },
    required: ['media_ref'],
  });
  const number = { type: 'number' };
  for (const [names, schema] of [
    ['image Image image_url image-file ImageRef uri_image ImagePath', undefined],
    ['image image_ref image-object image_file image_upload image_path', media('image', 'image/*')],
    ['video', media('video', 'video/*')],
    ['audio', media('audio', 'audio/*')],
    ['file media document upload uri_file', media('file')],
    ['int Integer LONG int? int! int8', integer],
    ['float double Decimal', number],
    ['string str varchar', text],
    ['int|null int|None Optional[int] optional<int> optional(int)', { ...integer, nullable: true }],
    ['int[] list[int] List<int> int_list int-list array(int)', { type: 'array', items: integer }],
    ['int|float float|int integer|number', number],
    ['int|string', { anyOf: [integer, text] }],
    ['string|str', { anyOf: [text, text] }],
    ['list', { type: 'array' }],
    ['any enum', {}],
    ['null', { type: 'null' }],
  ] as const) {
    if (schema === undefined) continue;
    for (const name of names.split(' '))
      it(`${name}: ${JSON.stringify(schema)}`, () =>
        assert.deepEqual(readShape([{ name: 'a', type: name }]), {
          schema: object({ a: schema }),
          origin: 'fields',
        }));
  }
  for (const [name, schema] of [
    [' int ', integer],
    ['list of int', { type: 'array', items: integer }],
    ['sequence of strings', {}],
    ['int | null', { ...integer, nullable: true }],
    ['moon = 3', {}],
    ['list[moon]', {}],
    ['int | moon', {}],
    ['typed_int', {}],
    ['int?x', {}],
    ['toString', {}],
    [`int${' '.repeat(497)}`, integer],
    [`int${' '.repeat(498)}`, {}],
  ] as const)
    it(`${name.slice(0, 40)}, of ${name.length} characters: ${JSON.stringify(schema)}`, () =>
      assert.deepEqual(readShape([{ name: 'a', type: name }]), {
        schema: object({ a: schema }),
        origin: 'fields',
      }));
});
