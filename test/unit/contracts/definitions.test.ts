import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';
import { validateValue } from '../../../src/forms/validate';

// The targets of an input schema's references, where a body has several values of one name.

const inputOf = (body: object) =>
  readModel(structuredClone({ slug: 'm', ...body }), 'm')?.modes[0]?.input.schema ?? true;

/** The verdicts on the values 'right', 'wrong' and 'other' as the size. */
const said = (body: object) =>
  ['right', 'wrong', 'other'].map((size) => validateValue(inputOf(body), { size }).verdict);

const ONLY_RIGHT = ['valid', 'invalid', 'invalid'];
const UNKNOWN = ['unknown', 'unknown', 'unknown'];

const size = (value: string) => ({ type: 'string', enum: [value] });
const definitions = (value: string) => ({ definitions: { Size: size(value) } });
const refers = ($ref: string, more: object = {}) => ({
  input_schema: { ...more, type: 'object', properties: { size: { $ref } } },
});

type Case = readonly [what: string, body: object, expected?: readonly string[]];

function holds(cases: readonly Case[]) {
  for (const [what, body, expected = ONLY_RIGHT] of cases)
    it(what, () => assert.deepEqual(said(body), expected));
}

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';
const files = { 'other.json': definitions('wrong'), 'common.json': definitions('right') };

describe('A reference into another document means', () => {
  holds([
    ['the file of that name, of several', { ...refers('common.json#/definitions/Size'), files }],
    [
      'the file at that path',
      {
        ...refers('v1/common.json#/definitions/Size'),
        files: { 'v2/common.json': definitions('wrong'), 'v1/common.json': definitions('right') },
      },
    ],
    [
      'the file of that name in a folder',
      {
        ...refers('common.json#/definitions/Size'),
        files: { 'v1/other.json': definitions('wrong'), 'v1/common.json': definitions('right') },
      },
    ],
    ...['yaml', 'yml', 'schema', 'jsonschema', 'JSON'].map(
      (end): Case => [
        `a file that ends with ${end}`,
        {
          ...refers(`common.${end}#/definitions/Size`),
          files: { 'a.txt': definitions('wrong'), [`common.${end}`]: definitions('right') },
        },
      ],
    ),
    [
      'the document with that address',
      {
        ...refers('https://m.test/common#/definitions/Size'),
        documents: [
          { $id: 'https://m.test/other', ...definitions('wrong') },
          { $id: 'https://m.test/common', ...definitions('right') },
        ],
      },
    ],
    [
      'the document with that address in draft 4',
      {
        ...refers('https://m.test/common#/definitions/Size'),
        documents: [
          definitions('wrong'),
          { $schema: DRAFT_4, id: 'https://m.test/common', ...definitions('right') },
        ],
      },
    ],
    [
      'the document at the address from its own',
      {
        ...refers('common#/definitions/Size', { $id: 'https://m.test/v1/input' }),
        documents: [
          { $id: 'https://m.test/common', ...definitions('wrong') },
          { $id: 'https://m.test/v1/common', ...definitions('right') },
        ],
      },
    ],
    [
      'the outermost of several with one address',
      {
        ...refers('https://m.test/common#/definitions/Size'),
        one: { $id: 'https://m.test/common', ...definitions('right') },
        more: { two: { $id: 'https://m.test/common', ...definitions('wrong') } },
      },
    ],
    [
      'a whole document',
      { ...refers('size.json'), files: { 'other.json': size('wrong'), 'size.json': size('right') } },
    ],
    [
      'a whole document, with what that refers to',
      {
        ...refers('size.json'),
        definitions: { Size: size('wrong') },
        files: { 'size.json': { allOf: [{ $ref: '#/definitions/Size' }], ...definitions('right') } },
      },
    ],
    [
      'an anchor of a document',
      {
        ...refers('common.json#size'),
        $defs: { size: size('wrong') },
        files: { 'common.json': { $defs: { x: { $anchor: 'size', ...size('right') } } } },
      },
    ],
    [
      'a name that is encoded',
      {
        ...refers('common.json#/definitions/The%20size'),
        files: { 'common.json': { definitions: { 'The size': size('right') } } },
      },
    ],
    [
      'the schema’s own definitions',
      {
        documents: [{ $id: 'https://m.test/own', ...definitions('wrong') }],
        ...refers('https://m.test/own#/definitions/Size', {
          $defs: { own: { $id: 'https://m.test/own', ...definitions('right') } },
        }),
      },
    ],
    [
      'itself by its address',
      {
        documents: [{ $id: 'https://m.test/input', ...definitions('wrong') }],
        ...refers('https://m.test/input#/definitions/Size', {
          $id: 'https://m.test/input',
          ...definitions('right'),
        }),
      },
    ],
    [
      'a definition of that name, where the document has none',
      {
        ...refers('common.json#/definitions/Size'),
        files: { 'common.json': { definitions: {} } },
        ...definitions('right'),
      },
    ],
    [
      'a definition of that name, where there is no document',
      { ...refers('https://m.test/common#/definitions/Size'), ...definitions('right') },
    ],
    [
      'a definition of the name of the file, where there is none',
      { ...refers('types/Size.v1.json'), definitions: { 'Size.v1': size('right'), Size: size('wrong') } },
    ],
    [
      'nothing known, for an anchor without its document',
      { ...refers('gone.json#Size'), ...definitions('right') },
      UNKNOWN,
    ],
    [
      'nothing known, where data has an id and no schema',
      {
        ...refers('https://m.test/common#/x'),
        documents: [{ id: 'https://m.test/common', x: size('right') }],
      },
      UNKNOWN,
    ],
  ]);
});

describe('A reference into the body means', () => {
  const chain = { A: { $ref: '#/$defs/B' }, B: { anyOf: [{ $ref: '#/$defs/C' }, { $ref: '#/$defs/D' }] } };
  const request = {
    properties: { input: { type: 'object', properties: { size: { $ref: '#/$defs/Size' } } }, params: {} },
  };
  holds([
    [
      'the definition nearest to it',
      {
        definitions: { Size: size('wrong') },
        release: { ...definitions('right'), x: refers('#/definitions/Size') },
      },
    ],
    [
      'the definition in the request, of which the input is a part',
      { $defs: { Size: size('wrong') }, request_schema: { ...request, $defs: { Size: size('right') } } },
    ],
    [
      'a definition of that name anywhere, the outermost',
      { ...refers('#/$defs/Size'), one: definitions('right'), two: { three: definitions('wrong') } },
    ],
    [
      'a definition and no data of that name',
      {
        ...refers('#/$defs/Size'),
        one: { definitions: { Size: 'text' } },
        two: { three: definitions('right') },
      },
    ],
    ['a definition in a list', { ...refers('#/$defs/Size'), parts: [{ x: 1 }, definitions('right')] }],
    ['a name, as Google writes it', { ...refers('Size'), schemas: { Size: size('right') } }],
    [
      'what that refers to in turn',
      { ...refers('#/$defs/A'), $defs: { ...chain, C: size('right'), D: { type: 'integer' } } },
    ],
    [
      'present and missing definitions',
      {
        input_schema: {
          type: 'object',
          properties: { size: { allOf: [{ $ref: '#/$defs/Own' }, { $ref: '#/$defs/Size' }] } },
          $defs: { Own: { minLength: 1 } },
        },
        $defs: { Own: size('wrong'), Size: size('right') },
      },
    ],
    ...(
      [
        ['first', ['part', 'size']],
        ['last', ['size', 'part']],
      ] as const
    ).map(
      ([when, names]): Case => [
        `a definition as a whole, also where a part of it is named ${when}`,
        {
          input_schema: {
            type: 'object',
            properties: Object.fromEntries(
              names.map((name) => [
                name,
                { $ref: name === 'size' ? '#/$defs/Size' : '#/$defs/Size/anyOf/0/properties/x' },
              ]),
            ),
          },
          $defs: { Size: { ...size('right'), anyOf: [{ properties: { x: { type: 'string' } } }] } },
        },
      ],
    ),
    ['no data at that place', { ...refers('#/sizes/0'), sizes: ['text'] }, UNKNOWN],
    [
      'a definition behind 1,000 items, but not behind 20,000',
      { ...refers('#/$defs/Size'), parts: [...Array(1500).fill({}), definitions('right')] },
    ],
    [
      'nothing known, where it stands behind 20,000 records',
      {
        ...refers('#/$defs/Size'),
        parts: [...Array.from({ length: 20_000 }, () => ({})), definitions('right')],
      },
      UNKNOWN,
    ],
    [
      'a document in lists in lists',
      {
        ...refers('https://m.test/common#/definitions/Size'),
        parts: [[null, 'x', [{ $id: 'https://m.test/common', ...definitions('right') }]]],
      },
    ],
    ['a place that is no definition', { ...refers('#/sizes/0'), sizes: [size('right')] }],
    ['nothing known, where it is not there', refers('#/$defs/Size'), UNKNOWN],
    [
      'nothing known, where it is too long',
      { ...refers(`#/$defs/${'x'.repeat(600)}/Size`), ...definitions('right') },
      UNKNOWN,
    ],
    ...['__proto__', 'constructor', 'zzz'].flatMap((name): Case[] => [
      [
        `the definition of its last name, where ${name} is not there`,
        { ...refers(`#/${name}/Size`), ...definitions('right') },
      ],
      [
        `nothing known of ${name} itself`,
        { ...refers(`#/definitions/${name}`), ...definitions('right') },
        UNKNOWN,
      ],
    ]),
    [
      'nothing of data that is called so',
      { input_schema: { type: 'object', properties: { size: size('right'), $ref: { type: 'string' } } } },
    ],
  ]);
});

describe('A body', () => {
  it('stays unchanged by its references, even when two definitions share a name', () => {
    const body = {
      slug: 'm',
      $defs: { A: { properties: { b: { type: 'string' } } } },
      release: {
        $defs: { A: { type: 'object' } },
        input_schema: {
          type: 'object',
          properties: { part: { $ref: '#/$defs/A/properties/b' }, all: { $ref: '#/$defs/A' } },
        },
      },
    };
    for (const names of [
      ['part', 'all'],
      ['all', 'part'],
    ] as const) {
      const { input_schema } = body.release;
      const properties = Object.fromEntries(names.map((name) => [name, input_schema.properties[name]]));
      const read = structuredClone({
        ...body,
        release: { ...body.release, input_schema: { ...input_schema, properties } },
      });
      const before = structuredClone(read);
      const schema = readModel(read, 'm')?.modes[0]?.input.schema as { $defs: { A: { type?: string } } };
      assert.deepEqual(read, before);
      assert.equal(schema.$defs.A.type, 'object');
    }
  });
});
