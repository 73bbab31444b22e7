import assert from 'node:assert/strict';
import type { Json, JsonObject, JsonSchema } from '../../../../src/domain/json';
import { formOf } from '../../../../src/forms/buildForm';
import { walk } from '../../../support/forms/driveForm';
import { holds, member, text } from '../../../support/forms/fieldCases';

describe('A field for an object', () => {
  const inner = { type: 'object', properties: { n: { type: 'number' } } };
  holds([
    ['a', inner, { kind: 'object', collapsed: true }],
    ['a', inner, { kind: 'object', collapsed: false }, {}],
    ['a', inner, { kind: 'json' }, []],
    ['a', { type: 'object' }, { kind: 'map', namePattern: undefined }],
    ['a', { type: 'object', propertyNames: { pattern: '^x' } }, { kind: 'map', namePattern: '^x' }],
    ['a', { type: 'object', patternProperties: { '^y': {} } }, { kind: 'map', namePattern: '^y' }],
    ['a', { type: 'object', additionalProperties: false }, { kind: 'object', newEntry: undefined }],
    ['a', { ...inner, additionalProperties: false }, { kind: 'object', newEntry: undefined }],
  ]);

  const entryOf = (schema: JsonSchema) => {
    const field = member('a', schema, {});
    return 'newEntry' in field ? field.newEntry?.() : undefined;
  };

  it('starts an added entry with a valid value', () => {
    assert.equal(entryOf({ ...inner, additionalProperties: { type: 'boolean' } }), false);
    assert.equal(entryOf({ ...inner, unevaluatedProperties: { type: 'string' } }), '');
    assert.equal(entryOf({ ...inner, patternProperties: { '^x': { type: 'integer' } } }), 0);
    assert.equal(entryOf({ ...inner, additionalProperties: true }), null);
    assert.equal(entryOf({ type: 'object', additionalProperties: { type: 'array' } })?.toString(), '');
    assert.equal(entryOf(inner), undefined);
    assert.equal(entryOf({ ...inner, additionalProperties: false, patternProperties: { '^x': text } }), '');
    assert.equal(entryOf({ type: 'object' }), null);
  });

  it('collapses deep objects, and opens those at the top', () => {
    const nested = (depth: number): JsonObject =>
      depth === 0 ? { type: 'number' } : { type: 'object', properties: { a: nested(depth - 1) } };
    const open = walk(formOf(nested(5), { a: { a: { a: { a: {} } } } }), 5);
    assert.deepEqual(
      open.flatMap((field) => (field.kind === 'object' ? [field.collapsed] : [])),
      [false, false, false, true, true],
    );
  });

  it('hides a forbidden member until it is set, and shows members that the schema does not name', () => {
    const schema = { type: 'object', properties: { a: text, no: false } };
    const shown = (value: Json) =>
      walk(formOf(schema, value, '/input'), 1)
        .slice(1)
        .map(({ key, pointer, extra, required }) => [key, pointer, extra, required]);
    assert.deepEqual(shown({}), [['a', '/input/a', false, false]]);
    assert.deepEqual(shown({ no: 1, 'x/y': 2 }), [
      ['a', '/input/a', false, false],
      ['no', '/input/no', false, false],
      ['x/y', '/input/x~1y', true, false],
    ]);
  });

  it('builds an added entry by the schema for its name', () => {
    const shown = (schema: JsonObject) =>
      walk(formOf({ type: 'object', ...schema }, { x1: 'a', other: 'b' }), 1)
        .slice(1)
        .map(({ key, kind }) => `${key} ${kind}`);
    const x = { '^x': text };
    assert.deepEqual(shown({ patternProperties: x }), ['x1 text', 'other json']);
    assert.deepEqual(shown({ additionalProperties: text }), ['x1 text', 'other text']);
    assert.deepEqual(shown({ patternProperties: x, additionalProperties: false }), ['x1 text', 'other json']);
    assert.deepEqual(shown({ properties: { n: text }, patternProperties: x }), [
      'n text',
      'x1 text',
      'other json',
    ]);
  });

  it('folds the optional members beyond the eighth, but for files', () => {
    const names = Array.from({ length: 9 }, (_, at) => `p${at}`);
    const folded = (count: number, last: JsonObject) => {
      const properties = Object.fromEntries(names.slice(0, count).map((name) => [name, text] as const));
      const form = formOf({ type: 'object', properties: { ...properties, [`p${count - 1}`]: last } }, {});
      return walk(form, 1).flatMap(({ key, advanced }) => (advanced ? [key] : []));
    };
    assert.deepEqual(
      [folded(8, text), folded(9, text), folded(9, { ...text, format: 'binary' })],
      [[], ['p8'], []],
    );
  });
});
