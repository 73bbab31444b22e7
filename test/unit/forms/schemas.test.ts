import assert from 'node:assert/strict';
import type { Json, JsonSchema } from '../../../src/domain/json';
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
