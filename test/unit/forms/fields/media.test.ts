import assert from 'node:assert/strict';
import { formOf } from '../../../../src/forms/buildForm';
import { walk } from '../../../support/forms/driveForm';
import { holds, member } from '../../../support/forms/fieldCases';

describe('A field for a file', () => {
  const REF = { type: 'object', properties: { media_ref: { type: 'string' } }, required: ['media_ref'] };
  holds([
    ['image', REF, { kind: 'media', accept: ['image/*'], textAllowed: false }],
    ['a', REF, { kind: 'media', accept: [] }],
    ['image', { type: 'string' }, { kind: 'media', textAllowed: true }],
    ['image', REF, { kind: 'media' }, 'media_1'],
    ['image', REF, { kind: 'json', reason: 'misfit' }, { other: 1 }],
    ['image', REF, { kind: 'json' }, 5],
    [
      'images',
      { type: 'array', items: REF, maxItems: 4 },
      { kind: 'mediaList', accept: ['image/*'], maxItems: 4 },
    ],
    ['images', { type: 'array', items: REF }, { kind: 'array' }, [5]],
    ['images', { type: 'array', items: REF }, { kind: 'mediaList' }, ['media_1', {}]],
  ]);

  it('takes the types of its list inside a list', () => {
    const field = member('images', { type: 'array', items: REF }, ['media_1', { media_ref: 'media_2' }]);
    assert.ok(field.kind === 'mediaList');
    assert.deepEqual(
      field.items().map(({ kind, pointer, value, accept }) => [kind, pointer, value, accept]),
      [
        ['media', '/input/images/0', 'media_1', ['image/*']],
        ['media', '/input/images/1', { media_ref: 'media_2' }, ['image/*']],
      ],
    );
  });

  it('follows the name of each field when several share a type', () => {
    const file = { $ref: '#/$defs/File' };
    const properties = { image: file, audio: file, x: file, clips: { type: 'array', items: file } };
    const form = formOf({ type: 'object', properties, $defs: { File: REF } }, {});
    assert.deepEqual(
      walk(form, 1)
        .slice(1)
        .map((field) => ('accept' in field ? field.accept : field.kind)),
      [['image/*'], ['audio/*'], [], ['video/*']],
    );
  });
});
