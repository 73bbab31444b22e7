import assert from 'node:assert/strict';
import { formOf } from '../../../../src/forms/buildForm';
import { walk } from '../../../support/forms/driveForm';
import { type Case, holds, member, text } from '../../../support/forms/fieldCases';

describe('Every field', () => {
  holds([
    ['a', { ...text, title: 'A title', description: ' help ' }, { label: 'A title', description: ' help ' }],
    ['a', { ...text, title: '  ' }, { label: 'a' }],
    ['a', { $ref: '#/$defs/x', title: 'TextParameters' }, { label: 'TextParameters' }],
    ['a', { type: ['string', 'null'], default: null }, { nullable: true, default: undefined }],
    ['a', { type: ['string', 'null'], default: 'null' }, { nullable: true, default: undefined }],
    ['a', { ...text, default: 'null' }, { nullable: false, default: 'null' }],
    ['a', { ...text, deprecated: true }, { deprecated: true, advanced: true }],
    ['a', { ...text, deprecated: 'no' }, { deprecated: false, advanced: false }],
    ['a', { ...text, readOnly: true }, { readOnly: true }],
    ['a', { ...text, 'x-advanced': true }, { advanced: true }],
    ['a', { ...text, advanced: true }, { advanced: true }],
    ['a', { ...text, 'x-group': 'Advanced options' }, { advanced: true }],
    ['a', { ...text, group: 'advanced' }, { advanced: true }],
    ['a', { ...text, group: 'basic' }, { advanced: false }],
    ['a', { type: 'integer', examples: ['7', null, 8] }, { examples: [7, 8] }],
    ['a', {}, { kind: 'json', reason: 'open' }],
    ['a', { type: ['string', 'null'] }, { kind: 'text' }, null],
    ['a', text, { kind: 'json', reason: 'misfit' }, null],
    ['a', { type: 'boolean' }, { kind: 'boolean' }, true],
    ['a', { type: 'boolean' }, { kind: 'json' }, 'true'],
    ...[
      'No description',
      'missing description provided.',
      'TODO',
      'n/a',
      'None',
      'null',
      'undefined',
      '-',
    ].map((description): Case => ['a', { ...text, description }, { description: undefined }]),
    ['a', { ...text, description: 'None of it' }, { description: 'None of it' }],
    ['a', { ...text, description: 'See n/a' }, { description: 'See n/a' }],
  ]);

  it('never folds a required field', () => {
    assert.equal(member('a', { ...text, advanced: true }, undefined, ['a']).advanced, false);
    assert.equal(member('a', text, undefined, ['a']).required, true);
    assert.equal(member('a', text).required, false);
  });

  it('takes no label from the name of a type', () => {
    const label = (title: string) =>
      walk(
        formOf(
          {
            type: 'object',
            properties: { a: { $ref: '#/$defs/x' } },
            $defs: { x: { type: 'string', title } },
          },
          {},
        ),
        1,
      )[1]?.label;
    assert.deepEqual(['TextParameters', 'Text', 'Text parameters', 'text', 'ABTest'].map(label), [
      'a',
      'Text',
      'Text parameters',
      'text',
      'ABTest',
    ]);
  });

  it('labels a member with an empty name', () => {
    const form = formOf({ type: 'object', properties: { '': text } }, {});
    assert.deepEqual(
      walk(form, 1).map(({ label }) => label),
      ['', '(empty name)'],
    );
  });

  it('starts an added member with a valid value', () => {
    assert.equal(member('a', { type: 'integer', minimum: 3 }).initial(), 3);
    assert.equal(member('a', { const: 'x' }).initial(), 'x');
  });
});
