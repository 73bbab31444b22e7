import assert from 'node:assert/strict';
import type { Json, JsonObject, JsonSchema } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import { validateValue } from '../../../src/forms/validate';

// The demands of schemas, draft by draft, and the parts that cannot be known.

interface Values {
  readonly valid?: readonly Json[];
  readonly invalid?: readonly Json[];
  readonly unknown?: readonly Json[];
}
type Case = readonly [what: string, schema: JsonSchema, values: Values];

/** A copy for each value: results for a schema are remembered for it. */
const verdict = (schema: JsonSchema, value: Json) => validateValue(structuredClone(schema), value).verdict;

function holds(cases: readonly Case[]) {
  for (const [what, schema, values] of cases)
    it(`${what}: ${JSON.stringify(schema).slice(0, 70)}`, () => {
      for (const [expected, all] of Object.entries(values))
        for (const value of all as Json[])
          assert.equal(verdict(schema, value), expected, JSON.stringify(value).slice(0, 80));
    });
}

/** A schema with an unknown target. */
const ELSEWHERE = { $ref: 'https://elsewhere.test/x.json' };
const draft = (number: number, schema: object) => ({
  $schema:
    number > 7
      ? `https://json-schema.org/draft/${number}-09/schema`
      : `http://json-schema.org/draft-0${number}/schema#`,
  ...schema,
});
const drafts = (numbers: readonly number[], schema: object, values: Values): Case[] =>
  numbers.map((number) => [`draft ${number}`, draft(number, schema), values]);

describe('A schema that allows null', () => {
  const defs = { $defs: { a: { type: 'string' } } };
  holds([
    ['by a type', { type: 'string', nullable: true }, { valid: ['x', null], invalid: [1] }],
    [
      'by several',
      { type: ['string', 'number'], nullable: true },
      { valid: ['x', 1, null], invalid: [true] },
    ],
    ['as before', { type: ['string', 'null'], nullable: true }, { valid: ['x', null], invalid: [1] }],
    [
      'beside options',
      { type: 'string', enum: ['a'], nullable: true },
      { valid: ['a', null], invalid: ['b', 1] },
    ],
    ['beside options alone', { enum: ['a'], 'x-nullable': true }, { valid: ['a', null], invalid: ['b'] }],
    ['beside a constant', { const: 'a', nullable: true }, { valid: ['a', null], invalid: ['b'] }],
    ['beside both', { type: 'string', const: 'a', nullable: true }, { valid: ['a', null], invalid: ['b'] }],
    [
      'beside a reference',
      { $ref: '#/$defs/a', nullable: true, ...defs },
      { valid: ['a', null], invalid: [1] },
    ],
    [
      'beside a reference and a type',
      { $ref: '#/$defs/a', type: 'string', nullable: true, ...defs },
      { valid: ['a', null], invalid: [1] },
    ],
    ...['allOf', 'anyOf', 'oneOf'].map(
      (keyword): Case => [
        'beside other schemas',
        { type: 'string', [keyword]: [{ minLength: 2 }], nullable: true },
        { valid: ['ab', null], invalid: ['a', 1] },
      ],
    ),
    ['where anything is allowed', { minimum: 1, nullable: true }, { valid: [1, 'x', null], invalid: [0] }],
    ['not', { type: 'string', nullable: false }, { invalid: [null] }],
    ['not by a word', { type: 'string', nullable: 'true', 'x-nullable': 1 }, { invalid: [null] }],
  ]);

  it('keeps its own title, description and flags', () => {
    const said = { title: 'T', description: 'D', default: 'a', deprecated: true, readOnly: true };
    const field = formOf({ ...said, ...defs, $ref: '#/$defs/a', nullable: true }, 'a');
    assert.deepEqual(
      [
        field.label,
        field.description,
        field.default,
        field.deprecated,
        field.readOnly,
        field.nullable,
        field.kind,
      ],
      ['T', 'D', 'a', true, true, true, 'text'],
    );
  });
});

describe('A type by another name', () => {
  holds([
    ...Object.entries({
      int: 1,
      int64: 1,
      long: 1,
      float: 0.5,
      Double: 0.5,
      bool: true,
      str: 'a',
      Text: 'a',
      list: [],
      dict: {},
      map: {},
      none: null,
    }).map(
      ([type, value]): Case => [
        type,
        { type },
        { valid: [value as Json], invalid: value === 1 || value === 0.5 ? ['x'] : [7] },
      ],
    ),
    ['one that nobody knows', { type: 'Tensor' }, { unknown: [1, 'x'] }],
    ['one of two that nobody knows', { type: ['int', 'Tensor'] }, { unknown: [1, 'x'] }],
  ]);
});

describe('A keyword', () => {
  holds([
    ...drafts([4], { const: 1 }, { unknown: [2] }),
    ...drafts([6, 7, 2019, 2020], { const: 1 }, { valid: [1], invalid: [2] }),
    ...drafts([4], { exclusiveMinimum: 5 }, { valid: [6], unknown: [5] }),
    ...drafts([4], { exclusiveMaximum: 5 }, { valid: [4], unknown: [5] }),
    ...drafts([6], { exclusiveMinimum: 5, exclusiveMaximum: 7 }, { valid: [6], invalid: [5, 7] }),
    ...drafts(
      [4],
      { minimum: 5, exclusiveMinimum: true, maximum: 7, exclusiveMaximum: true },
      { valid: [6], invalid: [5, 7] },
    ),
    ...drafts([4], { minimum: 5, exclusiveMinimum: false }, { valid: [5], invalid: [4] }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...drafts([6], { if: {}, then: { type: 'string' } }, { unknown: [1] }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...drafts([7], { if: {}, then: { type: 'string' } }, { valid: ['x'], invalid: [1] }),
    ...drafts([7], { dependentRequired: { a: ['b'] } }, { unknown: [{ a: 1 }] }),
    ...drafts([2019], { dependentRequired: { a: ['b'] } }, { valid: [{ a: 1, b: 1 }], invalid: [{ a: 1 }] }),
    ...drafts(
      [4, 7],
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { valid: [{ a: 1, b: 1 }], invalid: [{ a: 1 }, { c: 1 }] },
    ),
    ...drafts([3], { dependencies: { a: 'b' } }, { invalid: [{ a: 1 }] }),
    ...drafts([2019], { prefixItems: [{ type: 'string' }] }, { unknown: [[1]] }),
    ...drafts([2020], { prefixItems: [{ type: 'string' }] }, { valid: [['x', 1]], invalid: [[1]] }),
    ...drafts([3], { divisibleBy: 2 }, { valid: [4], invalid: [3] }),
    ...drafts([3], { extends: { type: 'string' } }, { valid: ['x'], invalid: [1] }),
    ...drafts([3], { extends: [{ type: 'string' }, { minLength: 2 }] }, { valid: ['xx'], invalid: ['x'] }),
    ...drafts([4], { extends: { type: 'string' } }, { valid: [1] }),
    ...drafts([3], { properties: { a: { required: true } } }, { invalid: [{}] }),
    ...drafts([4], { properties: { a: { required: true } } }, { valid: [{}] }),
    ['undeclared', { properties: { a: { required: true } } }, { valid: [{ a: 1 }], invalid: [{}] }],
    ...drafts([2019], { contains: { const: 1 }, unevaluatedItems: false }, { invalid: [[1]] }),
    ...drafts(
      [2020],
      { contains: { const: 1 }, unevaluatedItems: false },
      { valid: [[1]], invalid: [[1, 2]] },
    ),
    [
      'of a dialect of its own',
      { $schema: 'https://own.test/x', type: 'string' },
      { valid: ['x'], unknown: [1] },
    ],
    ['of the newest draft', { $schema: 'https://json-schema.org/schema', const: 1 }, { invalid: [2] }],
    ['of OpenAPI', { $schema: 'https://spec.openapis.org/oas/3.1/dialect/base', const: 1 }, { invalid: [2] }],
  ]);

  it('applies beside a reference as the version of the document says', () => {
    const of = (version: object, $ref = '#/components/schemas/A'): JsonSchema => ({
      ...version,
      components: {
        schemas: { Input: { properties: { a: { $ref, minimum: 5 } } }, A: { type: 'integer' } },
      },
    });
    const said = [
      { openapi: '3.0.2' },
      { swagger: '2.0' },
      { openapi: '3.1.0' },
      {},
      { openapi: '13.1' },
    ].map((version) => verdict(of(version), { a: 1 }));
    assert.deepEqual(said, ['valid', 'valid', 'invalid', 'unknown', 'unknown']);
    assert.equal(verdict(of({ openapi: '3.0.2' }), { a: 'x' }), 'invalid');
  });
});

describe('Unknown parts of a value', () => {
  const known = { type: 'string' };
  holds([
    ['all of it', { allOf: [ELSEWHERE, known] }, { unknown: ['x'], invalid: [1] }],
    ['any of it', { anyOf: [ELSEWHERE, known] }, { valid: ['x'], unknown: [1] }],
    ['one of it', { oneOf: [ELSEWHERE, known] }, { unknown: ['x', 1] }],
    ['one of two that hold', { oneOf: [ELSEWHERE, known, {}] }, { invalid: ['x'], unknown: [1] }],
    ['its opposite', { not: ELSEWHERE }, { unknown: [1] }],
    [
      'a condition',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: ELSEWHERE, then: known, else: { minLength: 2 } },
      { valid: ['xx'], unknown: ['x', 1] },
    ],
    ['the contained items', { contains: ELSEWHERE }, { unknown: [[1]], invalid: [[]] }],
    [
      'how many are contained',
      { contains: ELSEWHERE, minContains: 2 },
      { unknown: [[1, 2]], invalid: [[1]] },
    ],
    [
      'how many may be',
      { contains: ELSEWHERE, minContains: 0, maxContains: 1 },
      { valid: [[], [1]], unknown: [[1, 2]] },
    ],
    [
      'too many for sure',
      { contains: { type: 'number' }, maxContains: 1 },
      { valid: [[1, 'x']], invalid: [[1, 2]] },
    ],
    ['names', { propertyNames: ELSEWHERE }, { valid: [{}], unknown: [{ a: 1 }] }],
    ['other members', { allOf: [ELSEWHERE], unevaluatedProperties: false }, { unknown: [{ a: 1 }] }],
    [
      'other members of one of several',
      { anyOf: [ELSEWHERE, { properties: { a: {} } }], unevaluatedProperties: false },
      { unknown: [{ b: 1 }] },
    ],
    [
      'other members, but not a named one',
      { properties: { a: known }, allOf: [ELSEWHERE], unevaluatedProperties: false },
      { invalid: [{ a: 1 }] },
    ],
    ['other items', { allOf: [ELSEWHERE], unevaluatedItems: false }, { unknown: [[1]] }],
    [
      'what a name matches',
      { patternProperties: { '(?=a)a': known }, additionalProperties: false },
      { unknown: [{ a: 'x' }] },
    ],
    [
      'what a name matches, with others refused',
      { patternProperties: { '(?=a)a': known }, unevaluatedProperties: false },
      { unknown: [{ a: 'x' }, { b: 1 }] },
    ],
  ]);

  it('exclude members that other parts have evaluated', () => {
    const inner = { properties: { a: true }, unevaluatedProperties: true };
    for (const [schema, value, expected] of [
      [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }, 'valid'],
      [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { b: 1 }, 'invalid'],
      [
        { anyOf: [{ required: ['b'], properties: { a: {} } }, true], unevaluatedProperties: false },
        { a: 1 },
        'invalid',
      ],
      [{ allOf: [inner], unevaluatedProperties: false }, { b: 1 }, 'valid'],
      [
        { $ref: '#/$defs/x', $defs: { x: { properties: { a: {} } } }, unevaluatedProperties: false },
        { a: 1 },
        'valid',
      ],
      [
        { dependentSchemas: { a: { properties: { a: {} } } }, unevaluatedProperties: false },
        { a: 1 },
        'valid',
      ],
      [{ additionalProperties: {}, unevaluatedProperties: false }, { a: 1 }, 'valid'],
      [{ not: { properties: { a: false } }, unevaluatedProperties: false }, { a: 1 }, 'invalid'],
      [{ items: {}, unevaluatedItems: false }, [1], 'valid'],
      [{ allOf: [{ prefixItems: [true] }], unevaluatedItems: false }, [1], 'valid'],
      [{ allOf: [{ prefixItems: [true] }], unevaluatedItems: false }, [1, 2], 'invalid'],
      [{ allOf: [{ unevaluatedItems: true }], unevaluatedItems: false }, [1], 'valid'],
    ] as [JsonSchema, Json, string][])
      assert.equal(verdict(schema, value), expected, JSON.stringify([schema, value]));
  });
});

describe('A value', () => {
  holds([
    ['in decimal digits', { multipleOf: 0.1 }, { valid: [0.3, 0, 1e21, -0.7], invalid: [0.35] }],
    ['in small digits', { multipleOf: 1e-7 }, { valid: [3e-7, 1], invalid: [1.5e-7] }],
    ['in large digits', { multipleOf: 1e22 }, { valid: [5e22], invalid: [1e21] }],
    [
      'once',
      { uniqueItems: true },
      {
        valid: [[1, '1', true, 'true', null, [1], { a: 1 }]],
        invalid: [
          [1, 2, 1],
          [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
          [{ x: { a: 1, b: 2 } }, { x: { b: 2, a: 1 } }],
        ],
      },
    ],
    ['in characters', { minLength: 2, maxLength: 2 }, { valid: ['ab', '😀😀'], invalid: ['a', '😀', 'abc'] }],
    [
      'by its place',
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      { valid: [['x', 1], ['x']], invalid: [['x', 'x'], [1]] },
    ],
    [
      'that has names of its own',
      { properties: { a: { type: 'string' }, toString: { type: 'string' } }, required: ['toString'] },
      { valid: [{ toString: 'x' }], invalid: [{ a: 'x' }] },
    ],
    ['of any kind', true, { valid: [1, null] }],
    ['of no kind', false, { invalid: [1, null] }],
    ['of any kind, for the schema is none', null as unknown as JsonSchema, { valid: [1, null] }],
  ]);

  it('accepts a local file where the rules concern only uploaded ones', () => {
    const of = (media_ref: object): JsonSchema => ({ properties: { image: { properties: { media_ref } } } });
    for (const [rule, expected] of [
      [{ enum: ['media_1'] }, 'unknown'],
      [{ const: 'media_1' }, 'unknown'],
      [{ pattern: '^media_' }, 'unknown'],
      [{ maxLength: 3 }, 'unknown'],
      [{ minLength: 300 }, 'valid'],
      [{ type: 'integer' }, 'invalid'],
    ] as const) {
      assert.equal(
        verdict(of(rule), { image: { media_ref: 'file:///a.png' } }),
        expected,
        JSON.stringify(rule),
      );
      if ('maxLength' in rule || 'pattern' in rule)
        assert.equal(verdict(of(rule), { image: { media_ref: 'other' } }), 'invalid');
      assert.equal(
        verdict({ properties: { text: rule as JsonObject } }, { text: 'file:///a.png' }) === 'unknown',
        false,
      );
    }
  });
});
