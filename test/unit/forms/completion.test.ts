import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { hoverAt, memberNames, nameCompletions, valueCompletions } from '../../../src/forms/completion';
import { anySchema } from '../../support/forms/anySchema';
import { HARD } from '../../support/forms/hardSchemas';

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['text'],
  properties: {
    size: { enum: ['s', 'm'], default: 'm', description: 'How large' },
    text: { type: 'string', title: 'Text', examples: ['hello'] },
    list: { type: 'array', items: { type: 'object', properties: { flag: { type: 'boolean' } } } },
    score: { type: ['number', 'null'], minimum: 0, maximum: 1 },
  },
};
const labels = (items: readonly { label: string }[]) => items.map((item) => item.label);

describe('Completion in the JSON tab', () => {
  it('offers missing names, required ones first, with an initial value', () => {
    assert.deepEqual(labels(nameCompletions(SCHEMA, {}, '')), ['text', 'size', 'list', 'score']);
    assert.deepEqual(labels(nameCompletions(SCHEMA, { text: 'a', list: [] }, '')), ['size', 'score']);
    const [size] = nameCompletions(SCHEMA, { text: 'a', list: [] }, '');
    assert.deepEqual([size?.insert, size?.documentation], ['"size": "m"', 'How large']);
    assert.deepEqual(labels(nameCompletions(SCHEMA, { list: [{}] }, '/list/0')), ['flag']);
  });

  it('offers values: listed ones, examples, true and false, null', () => {
    assert.deepEqual(labels(valueCompletions(SCHEMA, {}, '/size')), ['"m"', '"s"']);
    assert.deepEqual(labels(valueCompletions(SCHEMA, {}, '/text')), ['"hello"']);
    assert.deepEqual(labels(valueCompletions(SCHEMA, { list: [{}] }, '/list/0/flag')), ['true', 'false']);
    assert.deepEqual(labels(valueCompletions(SCHEMA, {}, '/score')), ['null']);
  });

  it('follows the variant of the value, and offers all variants of a new value', () => {
    const schema = HARD['variants told apart by a tag, with members they share'] as JsonSchema;
    assert.deepEqual(labels(nameCompletions(schema, {}, '')), ['name', 'type', 'text', 'size']);
    assert.deepEqual(labels(nameCompletions(schema, { type: 'size' }, '')), ['name', 'size']);
  });

  it('describes a place', () => {
    assert.equal(hoverAt(SCHEMA, {}, '/score'), 'number | null, 0 to 1');
    assert.equal(hoverAt(SCHEMA, {}, '/size'), 'How large\n\ndefault "m"');
    assert.equal(hoverAt(SCHEMA, {}, '/nothing'), undefined);
  });

  it('describes a name, and the source of a value', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: ['integer', 'null'], default: '3', description: 'How many' },
        image: { type: 'object', properties: { media_ref: { type: 'string' } } },
        any: { description: '' },
        never: false,
      },
    };
    assert.deepEqual(nameCompletions(schema, undefined, ''), [
      { label: 'a', insert: '"a": 3', detail: 'required, integer | null', documentation: 'How many' },
      { label: 'image', insert: '"image": {"media_ref":""}', detail: 'media' },
      { label: 'any', insert: '"any": null', detail: '' },
    ]);
    assert.deepEqual(valueCompletions(schema, {}, '/a'), [
      { label: '3', insert: '3', detail: 'default' },
      { label: 'null', insert: 'null' },
    ]);
    assert.deepEqual(labels(valueCompletions(schema, {}, '/image')), ['{"media_ref":""}']);
    const listed: JsonSchema = {
      enum: ['x', 'y'],
      enumNames: ['x', 'Ypsilon'],
      enumDescriptions: ['', 'The second'],
    };
    assert.deepEqual(valueCompletions(listed, undefined, ''), [
      { label: '"x"', insert: '"x"' },
      { label: '"y"', insert: '"y"', detail: 'Ypsilon', documentation: 'The second' },
    ]);
    const shown: JsonSchema = { type: 'array', examples: [[1], [2], [1]] };
    assert.deepEqual(valueCompletions(shown, undefined, ''), [
      { label: '[1]', insert: '[1]', detail: 'example' },
      { label: '[2]', insert: '[2]', detail: 'example' },
      { label: '[]', insert: '[]' },
    ]);
    assert.deepEqual(labels(valueCompletions({ const: 7 }, undefined, '')), ['7']);
    assert.deepEqual(labels(valueCompletions({ type: 'object' }, undefined, '')), ['{}']);
    assert.deepEqual(valueCompletions({ type: 'string' }, undefined, ''), []);
    assert.deepEqual(valueCompletions(schema, {}, '/never'), []);
  });

  it('shortens the label of a long value, and inserts it whole', () => {
    for (const [letters, isShort] of [
      [78, false],
      [79, true],
    ] as const) {
      const [item] = valueCompletions({ const: 'x'.repeat(letters) }, undefined, '');
      const whole = JSON.stringify('x'.repeat(letters));
      assert.deepEqual([item?.insert, item?.label], [whole, isShort ? `${whole.slice(0, 79)}…` : whole]);
    }
  });

  it('knows the names that an object may have', () => {
    assert.deepEqual(memberNames(SCHEMA, { text: 'a' }, ''), ['size', 'text', 'list', 'score']);
    assert.deepEqual(memberNames(SCHEMA, {}, '/text'), []);
    const names: JsonSchema = { properties: { a: {}, no: false, 10: { properties: { b: {} } } } };
    assert.deepEqual(memberNames(names, {}, ''), ['10', 'a']);
  });

  it('finds places by numbers, in lists and in members with such names', () => {
    const list: JsonSchema = { type: 'array', items: { properties: { a: {} } } };
    assert.deepEqual(memberNames(list, undefined, '/12'), ['a']);
    assert.deepEqual(memberNames(list, [], '/0'), ['a']);
    assert.deepEqual(memberNames(list, undefined, '/x1'), []);
    assert.deepEqual(memberNames({ properties: { a1: { properties: { b: {} } } } }, {}, '/a1'), ['b']);
  });

  it('names the bounds and the words of a place', () => {
    const facts = (schema: JsonSchema) => hoverAt(schema, undefined, '');
    assert.equal(facts({ minimum: 1 }), 'number, 1 or more');
    assert.equal(facts({ maximum: 1 }), 'number, 1 or less');
    assert.equal(facts({ exclusiveMinimum: 1 }), 'number, more than 1');
    assert.equal(facts({ exclusiveMaximum: 1 }), 'number, less than 1');
    assert.equal(facts({ exclusiveMinimum: 0, maximum: 1 }), 'number, more than 0, 1 or less');
    assert.equal(facts({ type: 'string', deprecated: true, default: '' }), 'string, default "", deprecated');
    assert.equal(facts({ type: ['string', 'null'], default: null }), 'string | null');
    assert.equal(facts({ title: 'A *b* [c]', description: 'Words' }), '**A \\*b\\* \\[c\\]**\n\nWords');
    assert.equal(facts({ title: 5, description: 5, type: 'array' }), 'array');
    assert.equal(facts({}), undefined);
    const image = { type: 'object', properties: { media_ref: { type: 'string' } } };
    assert.equal(hoverAt({ properties: { image } }, {}, '/image'), 'media');
  });

  it('inserts only valid JSON, for any schema and value', () => {
    fc.assert(
      fc.property(
        anySchema,
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom('', '/a', '/0', '/image/media_ref'),
        (schema, json, at) => {
          const value = json as Json;
          hoverAt(schema, value, at);
          for (const { insert } of nameCompletions(schema, value, at)) JSON.parse(`{${insert}}`);
          for (const { insert } of valueCompletions(schema, value, at)) JSON.parse(insert);
        },
      ),
    );
  });
});
