import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import { validateValue } from '../../../src/forms/validate';
import { walk } from '../../support/forms/driveForm';

// The form of a schema, for any keywords in any number of parts, and the order of problems.

interface Shown {
  readonly kind: string;
  readonly nullable?: boolean;
  readonly integer?: boolean;
  readonly options?: readonly { readonly label: string }[];
  readonly variants?: readonly { readonly label: string }[];
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const DEFINITIONS = {
  $defs: { n: { type: 'null' }, s: { type: ['string', 'null'] }, b: { type: 'boolean' } },
};

/** The field of a schema in one line. */
function shown(x: object | boolean, value?: Json): string {
  const form = formOf(
    structuredClone({ properties: { x }, ...DEFINITIONS }) as JsonObject,
    value === undefined ? {} : { x: value },
  );
  const field = walk(form, 1).find(({ key }) => key === 'x') as unknown as Shown;
  const pair = (least: number | undefined, between: string, most: number | undefined) =>
    least === undefined && most === undefined ? [] : [`${least ?? '-'}${between}${most ?? '-'}`];
  return [
    field.kind,
    ...(field.nullable ? ['or null'] : []),
    ...(field.options?.length ? [field.options.map(({ label }) => label).join('/')] : []),
    ...pair(field.min, '..', field.max),
    ...pair(field.minLength, '-', field.maxLength),
    ...pair(field.minItems, '+', field.maxItems),
    ...(field.integer ? ['whole'] : []),
    ...(field.variants ? [field.variants.map(({ label }) => label).join('/')] : []),
  ].join(' ');
}

type Case =
  | readonly [schema: object | boolean, expected: string]
  | readonly [object, value: Json, expected: string];

const CASES: readonly Case[] = [
  [{ required: ['a'] }, 'map'],
  [{ additionalProperties: {} }, 'map'],
  [{ patternProperties: { a: {} } }, 'map'],
  [{ propertyNames: {} }, 'map'],
  [{ items: {} }, 'array'],
  [{ prefixItems: [{}] }, 'tuple'],
  [{ minItems: 1 }, 'array 1+-'],
  [{ maxItems: 1 }, 'array -+1'],
  [{ uniqueItems: true }, 'array'],
  [{ contains: {} }, 'array'],
  [{ pattern: 'a' }, 'text'],
  [{ minLength: 1 }, 'text 1--'],
  [{ maxLength: 1 }, 'text --1'],
  [{ format: 'email' }, 'text'],
  [{ contentMediaType: 'text/html' }, 'text'],
  [{ minimum: 1 }, 'number 1..-'],
  [{ maximum: 1 }, 'number -..1'],
  [{ multipleOf: 2 }, 'number'],
  [{ exclusiveMinimum: 1 }, 'number 1..-'],
  [{ exclusiveMaximum: 1 }, 'number -..1'],
  [{ type: ['number', 'integer'] }, 'number'],
  [{ type: ['string', 'integer'] }, 'choice Text/Whole number'],
  [{}, 'json'],
  [{ title: 'x' }, 'json'],
  [{ type: ['string', 'null'] }, 'text or null'],
  [{ type: ['string', 'number', 'null'] }, 'choice or null Text/Number'],
  [{ type: 'null' }, 'json'],
  [{ type: ['null'] }, 'json'],
  [{ type: ['string', 'null'], enum: ['a', null] }, 'enum or null a'],
  [{ enum: ['a', null] }, 'enum or null a'],
  [{ enum: [null] }, 'enum null'],
  [{ enum: ['a', 'b'] }, 'enum a/b'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text or null'],
  [{ oneOf: [{ type: 'string' }, { const: null }] }, 'text or null'],
  [{ anyOf: [{ type: 'string' }, { enum: [null] }] }, 'text or null'],
  [{ anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] }, 'text or null'],
  [{ anyOf: [{ type: 'string' }, { $ref: '#/$defs/b' }] }, 'choice Text/True or false'],
  [
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    'choice or null Text/Whole number',
  ],
  [{ anyOf: [{ type: 'string' }, false] }, 'text'],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }, false] }, 'choice Text/Whole number'],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'choice Text/Whole number'],
  [{ anyOf: [{ type: ['string', 'null'] }, { type: 'null' }] }, 'text or null'],
  [{ $ref: '#/$defs/s', title: 'T' }, 'text or null'],
  [{ allOf: [{ $ref: '#/$defs/s' }] }, 'text or null'],
  [{ allOf: [{ type: ['string', 'null'] }, { type: ['string', 'null'] }] }, 'text or null'],
  [{ allOf: [{ type: ['string', 'null'] }, { type: 'string' }] }, 'text'],
  [{ type: 'string', allOf: [{ type: ['string', 'null'] }] }, 'text'],
  [{ enum: ['a'], allOf: [{ type: ['string', 'null'] }] }, 'enum a'],
  [{ const: 'a', allOf: [{ type: ['string', 'null'] }] }, 'const'],
  [true, 'json'],
  [{ type: 'string', minLength: 1, allOf: [{ minLength: 3, maxLength: 9 }, { maxLength: 5 }] }, 'text 3-5'],
  [
    {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      allOf: [{ minItems: 2, maxItems: 5 }, { maxItems: 3 }],
    },
    'stringList 2+3',
  ],
  [{ type: 'integer', exclusiveMinimum: 1, allOf: [{ exclusiveMinimum: 3 }] }, 'number 3..- whole'],
  [{ type: 'number', allOf: [{ type: 'integer' }] }, 'number whole'],
  [{ type: ['integer', 'string'], allOf: [{ type: ['number', 'boolean'] }] }, 'number whole'],
  [{ type: ['string', 'number'], allOf: [{ type: ['boolean'] }] }, 'choice Text/Number'],
  [
    {
      anyOf: [{ type: 'string' }, { type: 'integer' }],
      allOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    },
    'choice Text/Whole number',
  ],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'integer' } }, 'x', 'text 2--'],
  [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { type: 'string' }, then: { type: 'string', minLength: 2 }, else: { type: 'integer' } },
    3,
    'number whole',
  ],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { required: ['a'] }, then: { type: 'integer' }, else: { type: 'object' } }, 'map'],
  [{ type: 'object', dependentSchemas: { a: { properties: { b: {} } } } }, { a: 1 }, 'object'],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }], type: 'object' }, 'map'],
];

describe('A form shows', () => {
  for (const [schema, ...rest] of CASES) {
    const [value, expected] = rest.length === 2 ? rest : [undefined, rest[0]];
    it(`${JSON.stringify(schema)}${value === undefined ? '' : ` of ${JSON.stringify(value)}`}: ${expected}`, () =>
      assert.equal(shown(schema, value), expected));
  }
});

const said = (schema: object, value: Json) =>
  validateValue(structuredClone(schema) as JsonObject, value).issues.map(
    ({ pointer, keyword }) => `${pointer} ${keyword}`,
  );

describe('A choice shows the problems of', () => {
  const variant = (properties: object, required: readonly string[] = []) => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  });
  const text = { type: 'string' };
  for (const [what, anyOf, value, ...expected] of [
    ['that of its type', [{ type: 'boolean' }, { type: 'string', minLength: 5 }], 'a', ' minLength'],
    ['that of its type, where that is null', [text, { type: 'null', enum: [1] }], null, ' enum'],
    ['that of its type, where that is a list', [text, { type: 'array', minItems: 2 }], [], ' minItems'],
    ['that of its type, where that is whole', [text, { type: 'integer', minimum: 5 }], 1, ' minimum'],
    ['that of no type', [text, { minimum: 5 }], 1, ' minimum'],
    [
      'the one with its tag',
      [variant({ k: { const: 'a' }, x: text }), variant({ k: { const: 'b' }, x: text })],
      { k: 'b', x: 1 },
      '/x type',
    ],
    [
      'the one with its option',
      [variant({ k: { enum: ['a'] }, x: text }), variant({ k: { enum: ['b', 'c'] }, x: text })],
      { k: 'c', x: 1 },
      '/x type',
    ],
    [
      'the one that knows its members',
      [variant({ a: text, b: text }), variant({ a: text, c: text })],
      { a: 1, c: 'x' },
      '/a type',
    ],
    [
      'the one that misses fewer',
      [variant({ a: text, b: text, c: text }, ['a', 'b', 'c']), variant({ a: text, b: text }, ['a', 'b'])],
      { a: 'x' },
      '/b required',
    ],
    [
      'the one with fewer problems',
      [variant({ a: { minLength: 3, pattern: '^x' } }), variant({ a: { minLength: 3 } })],
      { a: 'a' },
      '/a minLength',
    ],
    [
      'the first of several as near',
      [
        { type: 'string', minLength: 3 },
        { type: 'string', minLength: 4 },
      ],
      'a',
      ' minLength',
    ],
    [
      'a tag counts more than an option',
      [variant({ k: { const: 'a' } }), variant({ k: { enum: ['b'] } })],
      { k: 'c' },
      '/k enum',
    ],
    [
      'an option counts more than a member that is not known',
      [variant({ k: { enum: ['a'] } }), variant({})],
      { k: 'c' },
      '/k false',
    ],
    [
      'a member that is not known counts more than one that is missing',
      [variant({}), variant({ k: text, l: text }, ['l'])],
      { k: 'c' },
      '/l required',
    ],
  ] as [string, object[], Json, ...string[]][])
    it(what, () => assert.deepEqual(said({ anyOf }, value), expected));
});

describe('Problems come in the order of the form', () => {
  const wrong = { type: 'boolean' };
  for (const [what, schema, value, ...expected] of [
    ['as declared', { properties: { b: wrong, a: wrong } }, { a: 1, b: 1 }, '/b type', '/a type'],
    [
      'by x-order, the rest at the end',
      { properties: { c: wrong, b: { ...wrong, 'x-order': 2 }, a: { ...wrong, 'x-order': 1 } } },
      { a: 1, b: 1, c: 1 },
      '/a type',
      '/b type',
      '/c type',
    ],
    [
      'as declared, where two have one place',
      { properties: { b: { ...wrong, 'x-order': 1 }, a: { ...wrong, 'x-order': 1 } } },
      { a: 1, b: 1 },
      '/b type',
      '/a type',
    ],
    [
      'those that are not named at the end, as they stand',
      { properties: { b: wrong }, additionalProperties: wrong },
      { y: 1, x: 1, b: 1 },
      '/b type',
      '/y type',
      '/x type',
    ],
    [
      'items by number',
      { items: wrong },
      Array(11).fill(1),
      ...Array.from({ length: 11 }, (_, at) => `/${at} type`),
    ],
    [
      'the whole before its parts',
      { properties: { a: { minProperties: 3, properties: { b: wrong } } } },
      { a: { b: 1 } },
      '/a minProperties',
      '/a/b type',
    ],
    [
      'parts in the order of the parts',
      {
        properties: { b: { properties: { d: wrong, c: wrong } }, a: { properties: { y: wrong, x: wrong } } },
      },
      { a: { x: 1, y: 1 }, b: { c: 1, d: 1 } },
      '/b/d type',
      '/b/c type',
      '/a/y type',
      '/a/x type',
    ],
    [
      'members of items',
      { items: { properties: { b: wrong, a: wrong } } },
      [{ a: 1, b: 1 }, { a: 1 }],
      '/0/b type',
      '/0/a type',
      '/1/a type',
    ],
    [
      'members of the variant that is meant',
      {
        properties: {
          x: { oneOf: [{ type: 'string' }, { type: 'object', properties: { b: wrong, a: wrong } }] },
        },
      },
      { x: { a: 1, b: 1 } },
      '/x/b type',
      '/x/a type',
    ],
    [
      'members of a choice at the top',
      { anyOf: [{ type: 'string' }, { type: 'object', properties: { b: wrong, a: wrong } }] },
      { a: 1, b: 1 },
      '/b type',
      '/a type',
    ],
    [
      'missing members where they would stand',
      { required: ['a', 'b'], properties: { b: wrong, a: wrong } },
      {},
      '/b required',
      '/a required',
    ],
  ] as [string, object, Json, ...string[]][])
    it(what, () => assert.deepEqual(said(schema, value), expected));
});

describe('The form of one schema, as its value changes, shows', () => {
  const wrapped: Readonly<Record<string, (schema: object) => object>> = {
    'as it is': (schema) => schema,
    'in allOf': (schema) => ({ allOf: [{}, schema] }),
    'by a reference': (schema) => ({ $ref: '#/$defs/it', $defs: { it: schema } }),
    'or null': (schema) => ({ anyOf: [schema, { type: 'null' }] }),
    'as the only variant': (schema) => ({ oneOf: [schema] }),
  };
  const object = (more: object) => ({
    type: 'object',
    properties: { a: { type: 'string' }, b: {} },
    ...more,
  });
  for (const [what, schema, expected] of [
    ['what another member requires', object({ dependentRequired: { a: ['b'] } }), ['a b', 'a b!']],
    [
      'what another member brings',
      object({ dependentSchemas: { a: { properties: { c: {} } } } }),
      ['a b', 'a b c'],
    ],
    [
      'what a condition brings',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      object({ if: { required: ['a'] }, then: { properties: { c: {} } } }),
      ['a b', 'a b c'],
    ],
    [
      'what a condition brings otherwise',
      object({ if: { required: ['a'] }, else: { properties: { c: {} } } }),
      ['a b c', 'a b'],
    ],
    [
      'nothing of a condition that brings anything',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      object({ if: { required: ['a'] }, then: true, else: false }),
      ['a b', 'a b'],
    ],
    ['the same, where nothing depends on it', object({ required: ['b'] }), ['a b!', 'a b!']],
  ] as [string, object, [string, string]][])
    for (const [how, wrap] of Object.entries(wrapped))
      it(`${what}, ${how}`, () => {
        const whole = structuredClone(wrap(schema)) as JsonObject;
        const members = (value: Json) =>
          walk(formOf(whole, value as JsonObject), 1)
            .slice(1)
            .map(({ key, required }) => `${key}${required ? '!' : ''}`)
            .join(' ');
        const values: Json[] = [{}, { a: 'x' }, {}, { a: 'y' }];
        assert.deepEqual(values.map(members), [...expected, ...expected]);
      });

  it('the demands of parts that are no choice of their own', () => {
    for (const [a, b, expected] of [
      [true, { type: 'string' }, 'text'],
      [{ type: 'string' }, true, 'text'],
      [{ type: 'string' }, { type: 'string' }, 'text'],
      [{ type: 'number' }, { type: 'integer' }, 'number whole'],
      [{ type: 'boolean' }, { type: 'string' }, 'boolean'],
    ] as const) {
      const x = { allOf: [{ properties: { y: a } }, { properties: { y: b } }] };
      const form = formOf({ properties: { x } } as unknown as JsonObject, { x: {} });
      const field = walk(form, 2).find(({ key }) => key === 'y') as unknown as Shown;
      assert.equal([field.kind, ...(field.integer ? ['whole'] : [])].join(' '), expected);
    }
  });
});
