import assert from 'node:assert/strict';
import type { JsonObject, JsonSchema } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import { validateValue } from '../../../src/forms/validate';
import { walk } from '../../support/forms/driveForm';

describe('Schemas that apply together', () => {
  /** The members of an object that two schemas describe, with the shown texts of each. */
  const merged = (a: JsonObject, b: JsonObject, names: readonly string[]) => {
    const field = walk(formOf({ properties: { x: { allOf: [a, b] } } }, {}), 1).find(
      ({ key }) => key === 'x',
    );
    return names.map((name) => (field as unknown as Record<string, unknown>)[name]);
  };
  for (const [what, a, b, expected] of [
    [
      'the narrower bounds',
      { type: 'integer', minimum: 1, maximum: 9 },
      { minimum: 3, maximum: 20 },
      { min: 3, max: 9 },
    ],
    [
      'the type in both',
      { type: ['string', 'number'] },
      { type: ['number', 'boolean'] },
      { kind: 'number', integer: false },
    ],
    ['whole numbers of numbers', { type: 'number' }, { type: 'integer' }, { kind: 'number', integer: true }],
    [
      'whole numbers in numbers',
      { type: 'integer' },
      { type: ['number', 'string'] },
      { kind: 'number', integer: true },
    ],
    ['the first type where none is in both', { type: 'string' }, { type: 'boolean' }, { kind: 'text' }],
    [
      'the choice between types in both',
      { type: ['string', 'boolean', 'array'] },
      { type: ['array', 'boolean'] },
      { kind: 'choice' },
    ],
    [
      'the options in both',
      { enum: ['a', 'b', 'c'] },
      { enum: ['c', 'b'] },
      {
        options: [
          { value: 'b', label: 'b' },
          { value: 'c', label: 'c' },
        ],
      },
    ],
    [
      'the first options where none is in both',
      { enum: ['a'] },
      { enum: ['b'] },
      { options: [{ value: 'a', label: 'a' }] },
    ],
    [
      'the first title',
      { type: 'string', title: 'A' },
      { title: 'B', description: 'D' },
      { label: 'A', description: 'D' },
    ],
    [
      'what either forbids',
      { type: 'string', readOnly: true, deprecated: false },
      { deprecated: true },
      { readOnly: true, deprecated: true },
    ],
    ['what neither forbids', { type: 'string', readOnly: false }, { readOnly: false }, { readOnly: false }],
  ] as const)
    it(`show ${what}`, () =>
      assert.deepEqual(
        merged(a as JsonObject, b as JsonObject, Object.keys(expected)),
        Object.values(expected),
      ));

  const shown = (schema: JsonSchema) =>
    walk(formOf(schema, {}), 1).map(({ key, kind, required }) => `${key} ${kind}${required ? '!' : ''}`);

  it('show the members of both, each with the facts of both', () => {
    const a = { properties: { n: { type: 'number' }, one: { type: 'string' }, any: true }, required: ['n'] };
    const b = {
      properties: { n: { type: 'integer' }, two: { type: 'boolean' }, any: { type: 'string' } },
      required: ['two', 'n'],
    };
    assert.deepEqual(shown({ allOf: [a, b] }), [
      ' object!',
      'n number!',
      'one text',
      'any text',
      'two boolean!',
    ]);
    const items = (type: string) => ({ type: 'array', items: { type } });
    const [, list] = walk(formOf({ allOf: [items('number'), items('integer')] }, [1]), 2);
    assert.equal(list?.kind === 'number' && list.integer, true);
  });

  it('show each member with the rules of both', () => {
    const of = (n: object) => ({ type: 'object', properties: { n, [Object.keys(n)[0]!]: true } });
    const form = formOf(
      { allOf: [of({ minimum: 1, type: 'integer' }), of({ maximum: 5, type: 'integer' })] },
      {},
    );
    const n = walk(form, 1).find(({ key }) => key === 'n');
    assert.deepEqual(n?.kind === 'number' && [n.min, n.max], [1, 5]);
    const types = (...type: string[]) => ({ type });
    const choice = formOf({ allOf: [types('integer', 'string'), types('string', 'number')] }, 1);
    assert.deepEqual(choice.kind === 'choice' && choice.variants.map(({ label }) => label), [
      'Whole number',
      'Text',
    ]);
  });

  it('show no choice where variants only require or forbid', () => {
    const members = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
    for (const variants of [
      [{ required: ['a'] }, { required: ['b'] }],
      [{ required: ['a'], title: 'A', description: 'One' }, { not: { required: ['b'] } }],
      [{ minProperties: 1 }, { maxProperties: 0 }, true],
    ])
      for (const keyword of ['anyOf', 'oneOf'])
        assert.equal(
          formOf({ ...members, [keyword]: variants }, {}).kind,
          'object',
          JSON.stringify(variants),
        );
    const more = [{ required: ['a'] }, { required: ['c'], properties: { c: { type: 'string' } } }];
    assert.equal(formOf({ ...members, anyOf: more }, {}).kind, 'choice');
  });

  it('show the first choice, and also check the second', () => {
    const choice = (...titles: string[]) =>
      titles.map((title) => ({ title, required: [title], properties: { [title]: {} } }));
    for (const [one, other] of [
      ['anyOf', 'anyOf'],
      ['oneOf', 'oneOf'],
      ['anyOf', 'oneOf'],
    ] as const) {
      const schema = { allOf: [{ [one]: choice('a', 'b') }, { [other]: choice('c', 'd') }] };
      const field = formOf(schema, { a: 1 });
      assert.deepEqual(field.kind === 'choice' && field.variants.map(({ label }) => label).length, 2);
      const inner = formOf(schema, { a: 1, c: 1 });
      assert.equal(
        inner.kind === 'choice' && inner.content()?.kind,
        'choice',
        'one choice inside of the other',
      );
      assert.equal(validateValue(schema, { a: 1 }).verdict, 'invalid');
      assert.equal(validateValue(schema, { a: 1, c: 1 }).verdict, 'valid');
    }
  });

  it('come from a document’s input component, unless the document is a schema itself', () => {
    const components = { schemas: { Input: { type: 'object', properties: { a: { type: 'string' } } } } };
    assert.deepEqual(shown({ components }), [' object!', 'a text']);
    for (const own of [
      { type: 'object' },
      { properties: { b: { type: 'string' } } },
      { $ref: '#/components/schemas/Other' },
      ...['allOf', 'anyOf', 'oneOf'].map((keyword) => ({
        [keyword]: [{ properties: { b: { type: 'string' } } }],
      })),
    ])
      assert.ok(!shown({ ...own, components }).includes('a text'), JSON.stringify(own));
  });

  it('say when there are too many, or when they are nested too deep', () => {
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`p${at}`, {}]));
    let deep: JsonSchema = {};
    for (let level = 0; level < 20_000; level++) deep = { not: deep };
    for (const [schema, note] of [
      [{ properties: many }, /more than 8,?000 parts/],
      [deep, /could not be read/],
    ] as const) {
      const { verdict: said, notes } = validateValue(schema, { p1: 1 });
      assert.equal(said, 'valid');
      assert.match(notes.join(), note);
    }
  });

  it('say that nothing beside a reference, or in a dialect of its own, is checked', () => {
    const notes = (schema: JsonSchema) => validateValue(schema, 1).notes.join();
    const definitions = { a: {} };
    assert.match(notes({ $ref: '#/definitions/a', minimum: 5, definitions }), /beside a reference/);
    assert.equal(notes({ $ref: '#/definitions/a', title: 'A', definitions }), '');
    assert.match(notes({ $schema: 'https://own.test/x' }), /https:\/\/own\.test\/x/);
    assert.equal(notes({ minimum: 5 }), '');
  });
});
