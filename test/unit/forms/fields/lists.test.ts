import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import type { Field } from '../../../../src/forms/fieldTypes';
import { type Case, holds, member } from '../../../support/forms/fieldCases';

describe('A field for a list', () => {
  const strings = { type: 'array', items: { type: 'string' } };
  const own = (format: string): Case => [
    'a',
    { type: 'array', items: { type: 'string', format } },
    { kind: 'array' },
  ];
  holds([
    ['a', strings, { kind: 'stringList', options: [] }],
    ['a', { ...strings, minItems: 1, maxItems: 3 }, { minItems: 1, maxItems: 3 }],
    ['a', strings, { kind: 'array' }, ['x', 1]],
    ['a', strings, { kind: 'json' }, 'x'],
    [
      'a',
      { type: 'array', items: { enum: ['x'] } },
      { kind: 'stringList', options: [{ value: 'x', label: 'x' }] },
    ],
    ['a', { type: 'array', items: { enum: ['x', 1] } }, { kind: 'array' }],
    ['a', { type: 'array', items: { type: 'string', enum: ['x', 1] } }, { kind: 'array' }],
    ['a', { type: 'array', items: { type: 'string', const: 'x' } }, { kind: 'array' }],
    ['a', { type: 'array', items: { type: ['string', 'null'] } }, { kind: 'array' }],
    ['a', { type: 'array', items: { type: 'number' }, minItems: 2 }, { kind: 'array', minItems: 2 }],
    ['a', { type: 'array' }, { kind: 'array' }],
    ...['date', 'time', 'date-time', 'color', 'textarea', 'multiline', 'markdown', 'password'].map(own),
    ['a', { type: 'array', items: { type: 'string', format: 'uuid' } }, { kind: 'stringList' }],
    ['a', { type: 'array', items: { type: 'string', format: 'mandate' } }, { kind: 'stringList' }],
    ['a', { type: 'array', items: { type: 'string', format: 'date-range' } }, { kind: 'stringList' }],
  ]);

  const items = (field: Field) => ('items' in field ? field.items() : []);

  it('contains an item for each value, numbered from 1, and starts a new one with a valid value', () => {
    const field = member(
      'a',
      { type: 'array', items: { title: 'Step', type: 'number', minimum: 2 } },
      [3, 4],
    );
    assert.ok(field.kind === 'array');
    assert.deepEqual(
      items(field).map(({ pointer, key, label, value, required }) => [pointer, key, label, value, required]),
      [
        ['/input/a/0', '0', 'Step 1', 3, true],
        ['/input/a/1', '1', 'Step 2', 4, true],
      ],
    );
    assert.equal(field.newItem(), 2);
    assert.equal(items(field), items(field));
    const plain = member('a', { type: 'array', items: { type: 'number' } }, [3]);
    assert.deepEqual(
      items(plain).map(({ label }) => label),
      ['Item 1'],
    );
  });

  it('contains all fixed places, with their names, and more where the schema allows them', () => {
    const fixed = [{ type: 'number', title: 'Width' }, { type: 'string' }];
    const of = (more: object, value?: Json) => {
      const field = member('a', { type: 'array', prefixItems: fixed, ...more }, value);
      assert.ok(field.kind === 'tuple');
      return [field.items().map(({ label, kind }) => `${label} ${kind}`), field.fixed, field.newItem?.()];
    };
    const two = ['Width number', 'Item 2 text'];
    assert.deepEqual(of({}), [two, 2, undefined]);
    assert.deepEqual(of({ items: false }), [two, 2, undefined]);
    assert.deepEqual(of({ items: { type: 'boolean' } }), [two, 2, false]);
    assert.deepEqual(of({ items: { type: 'boolean' }, maxItems: 3 }, [1, '']), [two, 2, false]);
    assert.deepEqual(of({ items: { type: 'boolean' }, maxItems: 2 }), [two, 2, undefined]);
    const three = [...two, 'Item 3 boolean'];
    assert.deepEqual(of({ items: { type: 'boolean' }, maxItems: 3 }, [1, '', true]), [three, 2, undefined]);
  });
});
