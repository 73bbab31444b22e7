import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/domain/json';
import { compileSchema } from '../../../src/forms/schema/compile';
import { validateValue } from '../../../src/forms/validate';

// Keywords beside a reference count since draft 2019-09. In a schema without a draft they reject no value and are not
// relied on; where they count, each problem has its text and place.

type Case = readonly [keyword: string, schema: object, wrong: Json, right: Json, at?: string];

const any = { $ref: '#/definitions/any', definitions: { any: {} } };
const NEWEST = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
const OLD = { $schema: 'http://json-schema.org/draft-07/schema#' };

const check = (schema: object, value: Json) => validateValue(structuredClone(schema) as JsonObject, value);

const CASES: readonly Case[] = [
  ['type', { type: 'string' }, 1, 'x'],
  ['enum', { enum: ['x'] }, 'y', 'x'],
  ['const', { const: 'x' }, 'y', 'x'],
  ['minLength', { minLength: 2 }, 'x', 'xx'],
  ['maxLength', { maxLength: 2 }, 'xxx', 'xx'],
  ['pattern', { pattern: '^a' }, 'b', 'a'],
  ['minimum', { minimum: 2 }, 1, 2],
  ['maximum', { maximum: 2 }, 3, 2],
  ['exclusiveMinimum', { exclusiveMinimum: 2 }, 2, 3],
  ['exclusiveMaximum', { exclusiveMaximum: 2 }, 2, 1],
  ['multipleOf', { multipleOf: 2 }, 3, 4],
  ['minItems', { minItems: 1 }, [], [1]],
  ['maxItems', { maxItems: 1 }, [1, 2], [1]],
  ['uniqueItems', { uniqueItems: true }, [1, 1], [1, 2]],
  ['type', { items: { type: 'string' } }, ['x', 1], ['x'], '/1'],
  ['type', { prefixItems: [{ type: 'string' }] }, [1], ['x', 1], '/0'],
  ['contains', { contains: { const: 1 } }, [2], [2, 1]],
  ['minContains', { contains: { const: 1 }, minContains: 2 }, [1], [1, 1]],
  ['maxContains', { contains: { const: 1 }, maxContains: 1 }, [1, 1], [1, 2]],
  ['false', { unevaluatedItems: false, prefixItems: [true] }, [1, 2], [1], '/1'],
  ['minProperties', { minProperties: 1 }, {}, { a: 1 }],
  ['maxProperties', { maxProperties: 1 }, { a: 1, b: 1 }, { a: 1 }],
  ['required', { required: ['a'] }, { b: 1 }, { a: 1 }, '/a'],
  ['propertyNames', { propertyNames: { maxLength: 1 } }, { 'a/b': 1 }, { a: 1 }, '/a~1b'],
  ['type', { properties: { a: { type: 'string' } } }, { a: 1 }, { a: 'x' }, '/a'],
  ['type', { patternProperties: { '^a': { type: 'string' } } }, { ab: 1 }, { b: 1 }, '/ab'],
  ['false', { additionalProperties: false, properties: { a: {} } }, { b: 1 }, { a: 1 }, '/b'],
  ['false', { unevaluatedProperties: false, properties: { a: {} } }, { b: 1 }, { a: 1 }, '/b'],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }, { a: 1, b: 1 }, '/b'],
  [
    'type',
    { dependentSchemas: { a: { properties: { b: { type: 'string' } } } } },
    { a: 1, b: 1 },
    { b: 1 },
    '/b',
  ],
  ['type', { allOf: [{ type: 'string' }] }, 1, 'x'],
  ['type', { anyOf: [{ type: 'string' }] }, 1, 'x'],
  ['type', { oneOf: [{ type: 'string' }] }, 1, 'x'],
  ['oneOf', { oneOf: [{ type: 'string' }, { minLength: 1 }] }, 'x', ''],
  ['not', { not: { type: 'string' } }, 'x', 1],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ['type', { if: { minLength: 2 }, then: { type: 'number' }, else: { type: 'string' } }, 'xx', 'x'],
  ['maximum', { if: { minimum: 5 }, else: { maximum: 3 } }, 4, 6],
];

describe('Beside a reference', () => {
  for (const [keyword, schema, wrong, right, at = ''] of CASES)
    it(`applies ${JSON.stringify(schema)} where the draft says so`, () => {
      const { verdict, issues } = check({ ...NEWEST, ...any, ...schema }, wrong);
      assert.deepEqual(
        [verdict, issues.map((issue) => [issue.keyword, issue.pointer])],
        ['invalid', [[keyword, at]]],
      );
      assert.equal(check({ ...NEWEST, ...any, ...schema }, right).verdict, 'valid');
      assert.equal(check({ ...OLD, ...any, ...schema }, wrong).verdict, 'valid');
      const unsure = check({ ...any, ...schema }, wrong);
      assert.deepEqual([unsure.verdict, unsure.issues, unsure.notes.length], ['unknown', [], 1]);
      // Of two keywords that may count, only one may be reported.
      assert.equal(check({ ...any, ...schema }, right).verdict, keyword === 'false' ? 'unknown' : 'valid');
      assert.deepEqual(check({ ...any, title: 'T', examples: [1], 'x-note': 1 }, wrong).notes, []);
    });

  const properties = { a: true };
  for (const [schema, value] of [
    [{ properties }, { a: 1 }],
    [{ patternProperties: { a: true } }, { a: 1 }],
    [{ additionalProperties: true }, { a: 1 }],
    [{ unevaluatedProperties: true }, { a: 1 }],
    [{ allOf: [{ properties }] }, { a: 1 }],
    [{ anyOf: [{ properties }] }, { a: 1 }],
    [{ oneOf: [{ properties }] }, { a: 1 }],
    [{ if: { properties } }, { a: 1 }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    [{ if: true, then: { properties } }, { a: 1 }],
    [{ if: false, else: { properties } }, { a: 1 }],
    [{ dependentSchemas: { a: { properties } } }, { a: 1 }],
    [{ items: true }, [1]],
    [{ prefixItems: [true] }, [1]],
    [{ contains: { const: 1 } }, [1]],
    [{ unevaluatedItems: true }, [1]],
  ] as [object, Json][])
    it(`counts evaluations of ${JSON.stringify(schema)} only if a draft does`, () => {
      const rest = Array.isArray(value) ? 'unevaluatedItems' : 'unevaluatedProperties';
      const of = (more: object) => ({
        ...more,
        definitions: any.definitions,
        allOf: [{ $ref: any.$ref, ...schema }],
        [rest]: false,
      });
      assert.equal(check(of(NEWEST), value).verdict, 'valid');
      assert.equal(check(of({}), value).verdict, 'unknown');
      // Where it is not relied on, one that is certain counts.
      assert.equal(
        check({ ...of({}), ...(Array.isArray(value) ? { items: true } : { properties }) }, value).verdict,
        'valid',
      );
    });
});

describe('Certain evaluations stay certain', () => {
  const sure = { properties: { a: true } };
  const unsure = { $ref: '#/definitions/any', properties: { a: true } };
  for (const allOf of [
    [sure, unsure],
    [unsure, sure],
    [{ unevaluatedProperties: true }, { $ref: '#/definitions/any', unevaluatedProperties: true }],
    [{ $ref: '#/definitions/any', unevaluatedProperties: true }, { unevaluatedProperties: true }],
    [{ allOf: [unsure, sure] }],
    [{ patternProperties: { '(?=a)a': true }, ...sure }],
    [{ patternProperties: { '(?=a)a': true, a: true } }],
  ])
    it(JSON.stringify(allOf), () => {
      const schema = { definitions: any.definitions, allOf, unevaluatedProperties: false };
      assert.equal(check(schema, { a: 1 }).verdict, 'valid');
    });

  for (const [what, schema, value, verdict] of [
    ['a variant that may hold', { anyOf: [{ $ref: 'x.json', ...sure }, true] }, { a: 1 }, 'unknown'],
    ['one that does not', { anyOf: [{ minProperties: 2, ...sure }, true] }, { a: 1 }, 'invalid'],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a condition that may hold', { if: { $ref: 'x.json' }, then: sure }, { a: 1 }, 'unknown'],
    ['a condition that may not', { if: { $ref: 'x.json' }, else: sure }, { a: 1 }, 'unknown'],
    [
      'a condition of a draft that has none',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { $schema: 'http://json-schema.org/draft-06/schema#', if: {}, then: { required: ['b'] } },
      { a: 1 },
      'unknown',
    ],
  ] as const)
    it(`excludes that of ${what}`, () => {
      const more = '$schema' in schema ? {} : { unevaluatedProperties: false };
      assert.equal(check({ ...schema, ...more }, value).verdict, verdict);
    });
});

describe('A value that is too large to check', () => {
  const long = 'x'.repeat(1_000_000);
  const many = Array.from({ length: 60_000 }, (_, index) => index);
  for (const [what, schema, value, verdict] of [
    ['by its least length', { minLength: 900_000 }, long, 'unknown'],
    ['by its greatest length', { maxLength: 900_000 }, long, 'unknown'],
    ['is still too short', { minLength: 1_000_001 }, long, 'invalid'],
    ['is still short enough', { maxLength: 1_000_000 }, long, 'valid'],
    ['by items that are different', { uniqueItems: true }, many, 'unknown'],
    ['by one item that is long', { uniqueItems: true }, [long], 'unknown'],
    [
      'is still no list of different items, where the first two are the same',
      { uniqueItems: true },
      [1, 1, ...many],
      'invalid',
    ],
    ['by options', { enum: Array.from({ length: 250_000 }, (_, index) => index) }, 'x', 'unknown'],
    ['by schemas for its items', { items: { type: 'number' } }, many, 'unknown'],
    [
      'by members',
      { additionalProperties: { type: 'number' } },
      Object.fromEntries(many.map((n) => [`k${n}`, n])),
      'unknown',
    ],
    [
      'is checked, where few members are named',
      { properties: { k1: { type: 'string' } } },
      Object.fromEntries(many.map((n) => [`k${n}`, n])),
      'invalid',
    ],
  ] as const)
    it(what, () => assert.equal(check(schema, value as Json).verdict, verdict));

  it('still counts with many listed names and few present ones', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`k${index}`, { type: 'number' }]),
    );
    const all = Array.from({ length: 60 }, () => ({ properties }));
    assert.equal(check({ allOf: all.slice(0, 1), maxProperties: 1 }, { k4: 'x' }).verdict, 'invalid');
  });
});

describe('A number is a multiple', () => {
  for (const [value, multipleOf, verdict] of [
    [0.0075, 0.0001, 'valid'],
    [0.00751, 0.0001, 'invalid'],
    [1e300, 1e-7, 'valid'],
    [12, 1.5, 'valid'],
    [12.5, 1.5, 'invalid'],
    [1.5e-7, 5e-8, 'valid'],
    [100, 10, 'valid'],
    [105, 10, 'invalid'],
    [-3, 1.5, 'valid'],
    [0, 3, 'valid'],
  ] as const)
    it(`${value} of ${multipleOf}: ${verdict}`, () =>
      assert.equal(check({ multipleOf }, value).verdict, verdict));
});

describe('A reference that leads back to itself', () => {
  const loop = { $ref: '#/$defs/loop' };
  for (const [what, schema] of [
    ['at once', { $defs: { loop } }],
    ['as the whole', { $ref: '#' }],
    ['by way of another', { $defs: { loop: { $ref: '#/$defs/other' }, other: loop } }],
    ...['allOf', 'anyOf', 'oneOf'].map(
      (key) => [`in ${key}`, { $defs: { loop: { [key]: [loop] } } }] as const,
    ),
    ['in not', { $defs: { loop: { not: loop } } }],
    ['in if', { $defs: { loop: { if: loop, else: false } } }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['in then', { $defs: { loop: { if: {}, then: loop } } }],
    ['in else', { $defs: { loop: { if: false, else: loop } } }],
    ['beside a member', { $defs: { loop: { dependentSchemas: { a: loop } } } }],
  ] as [string, object][])
    it(`${what} is left out, with a note`, () => {
      const { verdict, notes } = check({ ...loop, ...schema }, { a: 1 });
      assert.deepEqual(
        [verdict, notes],
        ['unknown', ['Part of the schema refers only to itself and is not checked here.']],
      );
    });

  it('applies again one step further down in the value', () => {
    const tree = { properties: { left: { $ref: '#' }, right: { $ref: '#' }, n: { type: 'integer' } } };
    assert.deepEqual(check(tree, { left: { right: { n: 1 } } }), { verdict: 'valid', issues: [], notes: [] });
    const { verdict, issues } = check(tree, { n: 1, left: { n: 'x', right: { n: 'y' } } });
    assert.deepEqual(
      [verdict, issues.map(({ pointer }) => pointer)],
      ['invalid', ['/left/right/n', '/left/n']],
    );
    const twice = {
      properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } },
      $defs: { x: { type: 'string' } },
    };
    assert.deepEqual(check(twice, { a: 'x', b: 'y' }), { verdict: 'valid', issues: [], notes: [] });
  });
});

describe('A reference that leads nowhere', () => {
  for (const $ref of [
    '#/$defs/b',
    '#a',
    'other.json',
    'https://m.test/x#/y',
    '#/$defs/a/enum/0',
    '#/title',
    '#/type/length',
  ])
    it(`${$ref} is not checked, with a note`, () => {
      const schema = { title: 'T', type: 'string', allOf: [{ $ref }], $defs: { a: { enum: ['x'] } } };
      const { verdict, notes } = check(schema, 'x');
      assert.equal(verdict, 'unknown');
      assert.deepEqual(notes, [
        `The schema does not contain ${$ref}, which it refers to. That part is not checked here.`,
      ]);
      assert.equal(check(schema, 1).verdict, 'invalid');
    });

  it('differs from one to a schema that allows every value or none', () => {
    const to = (schema: boolean) => ({ $ref: '#/$defs/a', $defs: { a: schema } });
    assert.deepEqual(check(to(true), 1), { verdict: 'valid', issues: [], notes: [] });
    assert.deepEqual([check(to(false), 1).verdict, check(to(false), 1).notes], ['invalid', []]);
  });
});

describe('References of several kinds', () => {
  const a = { type: 'string' };
  const b = { minLength: 2 };
  it('hold together', () => {
    for (const more of [{}, { allOf: [{ maxLength: 3 }] }]) {
      const schema = { ...NEWEST, $ref: '#/$defs/a', $dynamicRef: '#/$defs/b', $defs: { a, b }, ...more };
      for (const [value, verdict] of [
        [1, 'invalid'],
        ['x', 'invalid'],
        ['xx', 'valid'],
        ['xxxx', 'allOf' in more ? 'invalid' : 'valid'],
      ] as const)
        assert.equal(check(schema, value).verdict, verdict, JSON.stringify([more, value]));
      const lost = check({ ...schema, $dynamicRef: '#/$defs/c' }, 'xx');
      assert.deepEqual([lost.verdict, lost.notes.length], ['unknown', 1]);
    }
  });

  it('lead into the part that has an address, else into the whole', () => {
    const inner = (more: object) => ({
      ...NEWEST,
      $id: 'https://m.test/whole',
      properties: { x: { $id: 'part', $ref: '#/$defs/a', ...more } },
      $defs: { a: { type: 'string' } },
    });
    assert.deepEqual(
      [check(inner({}), { x: 'x' }).verdict, check(inner({}), { x: 1 }).verdict],
      ['valid', 'invalid'],
    );
    const own = inner({ $defs: { a: { type: 'integer' } } });
    assert.deepEqual([check(own, { x: 'x' }).verdict, check(own, { x: 1 }).verdict], ['invalid', 'valid']);
    const elsewhere = inner({ $ref: 'other#/$defs/a' });
    assert.equal(check(elsewhere, { x: 1 }).verdict, 'unknown');
    const back = inner({ $ref: 'whole#/$defs/a' });
    assert.deepEqual([check(back, { x: 'x' }).verdict, check(back, { x: 1 }).verdict], ['valid', 'invalid']);
  });

  it('find anchors and ids of old and new drafts, and none in data', () => {
    for (const [schema, verdict] of [
      [{ ...NEWEST, $ref: '#it', $defs: { a: { $anchor: 'it', ...a } } }, 'invalid'],
      [{ ...NEWEST, $ref: '#it', $defs: { a: { $dynamicAnchor: 'it', ...a } } }, 'invalid'],
      [{ ...NEWEST, $ref: '#it', $defs: { a: { $anchor: 'it', ...a }, b: { $anchor: 'it' } } }, 'invalid'],
      [{ ...NEWEST, $ref: '#it', $defs: { a: { $anchor: 3, ...a } } }, 'unknown'],
      [{ ...NEWEST, $ref: '#it', $defs: { a: { enum: [{ $anchor: 'it', ...a }] } } }, 'unknown'],
      [{ ...NEWEST, $ref: '#it', properties: { $anchor: { $anchor: 'it', ...a } } }, 'invalid'],
      [
        {
          $schema: 'http://json-schema.org/draft-04/schema#',
          $ref: '#it',
          definitions: { a: { id: '#it', ...a } },
        },
        'invalid',
      ],
      [{ $ref: '#it', definitions: { a: { id: '#it', ...a } } }, 'invalid'],
      [{ $ref: '#it', definitions: { a: { id: 'it', ...a } } }, 'unknown'],
      [{ ...NEWEST, $ref: '#it', $defs: { a: { id: '#it', ...a } } }, 'unknown'],
      [{ ...OLD, $ref: '#it', definitions: { a: { $id: '#it', ...a } } }, 'invalid'],
      [{ ...OLD, $ref: '#it', definitions: { a: { $id: '#it', $ref: '#/definitions/b' }, b: a } }, 'unknown'],
    ] as [object, string][])
      assert.equal(check(schema, 1).verdict, verdict, JSON.stringify(schema));
  });
});

describe('A schema is compiled', () => {
  it('once, and in full up to 8,000 parts', () => {
    const properties = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}]));
    const whole = { properties: properties(7999) };
    assert.deepEqual(compileSchema(whole).notes, []);
    assert.equal(compileSchema(whole), compileSchema(whole));
    assert.equal(compileSchema({ properties: properties(8000) }).notes.length, 1);
  });

  it('with a note on the patterns of names that only the service checks', () => {
    const { notes } = compileSchema({ patternProperties: { '(?=a)a': {}, a: {} } });
    assert.deepEqual(notes, ['Only the service checks the pattern (?=a)a.']);
  });

  it('as uncertain, if it has a keyword of a future draft', () =>
    assert.equal(check({ propertyDependencies: {} }, {}).verdict, 'unknown'));
});
