import assert from 'node:assert/strict';
import type { Json, JsonObject, JsonSchema } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import type { Field } from '../../../src/forms/fieldTypes';
import { walk } from '../../support/forms/driveForm';

/** The field of the member `name` of an object that has this schema for it. */
function member(name: string, schema: JsonSchema, value?: Json, required: string[] = []): Field {
  const document = { type: 'object', properties: { [name]: schema }, required };
  const form = formOf(document, value === undefined ? {} : { [name]: value }, '/input');
  const field = walk(form, 1).find(({ key }) => key === name);
  assert.ok(field, `no field ${name}`);
  return field;
}

/** Of a field the members that are named in `expected`. */
const some = (field: object, expected: object) =>
  Object.fromEntries(Object.keys(expected).map((key) => [key, (field as Record<string, unknown>)[key]]));

type Case = readonly [name: string, schema: JsonObject, expected: object, value?: Json];

function holds(cases: readonly Case[]) {
  for (const [name, schema, expected, value] of cases)
    it(`${name} ${JSON.stringify(schema).slice(0, 90)}${value === undefined ? '' : ` of ${JSON.stringify(value).slice(0, 20)}`}`, () =>
      assert.deepEqual(some(member(name, schema, value), expected), expected));
}

const text = { type: 'string' };

describe('A field for text', () => {
  holds([
    ['a', text, { kind: 'text', style: 'line', format: 'none', suggestions: [] }],
    ['prompt', text, { style: 'lines' }],
    ['negative_prompt', text, { style: 'lines' }],
    ['prompt', { ...text, maxLength: 120 }, { style: 'line', maxLength: 120 }],
    ['a', { ...text, maxLength: 121 }, { style: 'lines' }],
    ['prompt', { ...text, pattern: '^a' }, { style: 'line' }],
    ['prompt', { ...text, format: 'date' }, { style: 'line', format: 'date' }],
    ['a', text, { style: 'line' }, 'x'.repeat(120)],
    ['a', text, { style: 'lines' }, 'x'.repeat(121)],
    ['a', text, { style: 'lines' }, 'two\nlines'],
    ['a', { ...text, default: 'two\nlines' }, { style: 'lines', placeholder: 'two\nlines' }],
    ['a', { ...text, examples: ['hello'] }, { style: 'line', placeholder: 'hello' }],
    ['a', { ...text, examples: ['  '] }, { placeholder: undefined }],
    ...['textarea', 'multiline', 'markdown', 'html', 'code'].map(
      (format): Case => ['a', { ...text, format }, { style: 'lines' }],
    ),
    ...['textarea', 'javascript', 'python', 'json', 'markdown', 'html'].map(
      (editor): Case => ['a', { ...text, editor }, { style: 'lines' }],
    ),
    ['a', { ...text, editor: 'textfield' }, { style: 'line' }],
    ['a', { ...text, 'x-multiline': true }, { style: 'lines' }],
    ['a', { ...text, 'x-widget': 'textarea' }, { style: 'lines' }],
    ['a', { ...text, format: 'password' }, { style: 'secret' }],
    ['a', { ...text, writeOnly: true }, { style: 'secret' }],
    ['a', { ...text, 'x-cog-secret': true }, { style: 'secret' }],
    ...['password', 'secret', 'api_key', 'apikey', 'openai_api_key', 'access_token', 'hf_token'].map(
      (name): Case => [name, { ...text, maxLength: 500 }, { style: 'secret' }],
    ),
    ['max_token', text, { style: 'line' }],
    ['secretary', text, { style: 'line' }],
    ...Object.entries({
      ...{ url: 'url', uri: 'url', iri: 'url', email: 'email', 'idn-email': 'email', date: 'date' },
      ...{ time: 'time', 'date-time': 'date-time', datetime: 'date-time', color: 'color', uuid: 'uuid' },
      ...{ colour: 'color', updated: 'none', 'time-zone': 'none', 'my-email': 'none' },
    }).map(([format, kind]): Case => ['a', { ...text, format }, { format: kind }]),
    ['background_color', { ...text, default: '#fff' }, { format: 'color' }],
    ['colour', { ...text, examples: ['#a0b1c2'] }, { format: 'color' }],
    ['color', { ...text, default: 'red' }, { format: 'none' }],
    ['color', text, { format: 'none' }],
    ['title', { ...text, default: '#fff' }, { format: 'none' }],
    ['a', { ...text, minLength: 2, maxLength: 9 }, { minLength: 2, maxLength: 9 }],
  ]);
});

describe('A field for a number', () => {
  const number = { type: 'number' };
  const integer = { type: 'integer' };
  holds([
    ['a', number, { kind: 'number', integer: false, slider: false, step: undefined, sliderStep: 1 }],
    ['a', integer, { kind: 'number', integer: true, slider: false, step: 1 }],
    ['a', { ...integer, minimum: 1, maximum: 201 }, { min: 1, max: 201, slider: true, sliderStep: 1 }],
    ['a', { ...integer, minimum: 1, maximum: 202 }, { slider: false }],
    ['a', { ...integer, minimum: 1, maximum: 1 }, { slider: false }],
    ['a', { ...number, minimum: 0, maximum: 1000 }, { slider: true, sliderStep: 10 }],
    ['a', { ...number, minimum: 0, maximum: 1001 }, { slider: false }],
    [
      'a',
      { ...number, minimum: 0, maximum: 2000, multipleOf: 10 },
      { slider: true, step: 10, sliderStep: 10 },
    ],
    ['a', { ...number, minimum: 0 }, { slider: false, min: 0, max: undefined, exclusiveMin: false }],
    ['a', { ...number, exclusiveMinimum: 0 }, { min: 0, exclusiveMin: true, exclusiveMax: false }],
    ['a', { ...number, minimum: 0, exclusiveMinimum: 1 }, { min: 1, exclusiveMin: true }],
    ['a', { ...number, minimum: 2, exclusiveMinimum: 1 }, { min: 2, exclusiveMin: false }],
    ['a', { ...number, minimum: 1, exclusiveMinimum: 1 }, { min: 1, exclusiveMin: true }],
    [
      'a',
      { ...number, maximum: 2, exclusiveMaximum: 1 },
      { max: 1, exclusiveMax: true, exclusiveMin: false },
    ],
    ['a', { ...number, maximum: 1, exclusiveMaximum: 2 }, { max: 1, exclusiveMax: false }],
    ['a', { ...number, default: 2.5 }, { placeholder: '2.5', default: 2.5 }],
    ['a', { ...number, examples: ['many', 7] }, { placeholder: '7' }],
    ['a', { ...number, default: 'many' }, { placeholder: undefined }],
    ['a', number, { kind: 'number' }, 'not yet a number'],
    ['a', number, { kind: 'json', reason: 'misfit' }, true],
    ['a', { anyOf: [integer, number] }, { kind: 'number', integer: false }],
    ['a', { anyOf: [integer, { ...integer, minimum: 5 }] }, { kind: 'number', integer: true }],
  ]);
});

describe('A field for listed values', () => {
  const option = (value: Json, label: string, description?: string) => ({
    value,
    label,
    ...(description !== undefined && { description }),
  });
  holds([
    ['a', { enum: ['x', '', 1, null] }, { options: [option('x', 'x'), option('', '""'), option(1, '1')] }],
    ['a', { enum: ['x', 'y'] }, { kind: 'enum', selected: 1 }, 'y'],
    ['a', { enum: ['x', 'y'] }, { kind: 'enum', selected: -1 }, 'z'],
    ['a', { enum: [{ b: 1 }, { b: 2 }] }, { kind: 'enum', selected: 1 }, { b: 2 }],
    ...['enumNames', 'enumTitles', 'x-enumNames', 'x-enum-varnames'].map(
      (names): Case => [
        'a',
        { enum: ['x', 'y', 'z'], [names]: ['Ex', ' '] },
        { options: [option('x', 'Ex'), option('y', 'y'), option('z', 'z')] },
      ],
    ),
    ...['enumDescriptions', 'x-enumDescriptions', 'x-enum-descriptions'].map(
      (words): Case => [
        'a',
        { enum: ['x', 'y'], [words]: ['The first'] },
        { options: [option('x', 'x', 'The first'), option('y', 'y')] },
      ],
    ),
    [
      'a',
      { oneOf: [{ const: 'x', title: 'Ex', description: 'The first' }, { const: 2 }] },
      { kind: 'enum', options: [option('x', 'Ex', 'The first'), option(2, '2')] },
    ],
    [
      'a',
      {
        oneOf: [
          { enum: ['x'], title: 'Ex' },
          { enum: ['y', 'z'], title: 'Others' },
        ],
      },
      { kind: 'enum', options: [option('x', 'Ex'), option('y', 'y'), option('z', 'z')] },
    ],
    ['a', { const: 5 }, { kind: 'const', constant: 5 }],
    ['a', { anyOf: [{ type: 'string' }, { enum: ['x', 'y'] }] }, { kind: 'text', suggestions: ['x', 'y'] }],
    [
      'a',
      { anyOf: [{ type: 'string', minLength: 2 }, { const: 'xx' }] },
      { kind: 'text', suggestions: ['xx'], minLength: 2 },
    ],
    ['a', { anyOf: [{ type: 'string' }, { enum: ['x', 1] }] }, { kind: 'choice' }],
    ['a', { anyOf: [{ type: 'string' }, { type: 'string' }] }, { kind: 'choice' }],
    ['a', { enum: [] }, { kind: 'json' }],
  ]);
});

describe('A field for a choice', () => {
  const labels = (schema: JsonSchema, value?: Json) => {
    const field = member('a', schema, value);
    return field.kind === 'choice' ? field.variants.map(({ label }) => label) : field.kind;
  };

  it('names each variant by its title, its tag, its type or its first own member', () => {
    assert.deepEqual(labels({ type: ['string', 'number', 'boolean', 'array', 'object'] }), [
      ...['Text', 'Number', 'True or false', 'List', 'Object'],
    ]);
    assert.deepEqual(labels({ type: ['integer', 'boolean'] }), ['Whole number', 'True or false']);
    assert.deepEqual(labels({ oneOf: [{ title: 'One', type: 'string' }, { type: 'array' }] }), [
      'One',
      'List',
    ]);
    const tagged = (kind: string) => ({ properties: { kind: { const: kind }, size: {} } });
    assert.deepEqual(labels({ oneOf: [tagged('round'), tagged('square')] }), ['round', 'square']);
    const single = { properties: { kind: { enum: ['only'] } } };
    const several = { type: 'object', properties: { how: { enum: ['x', 'y'] } } };
    assert.deepEqual(labels({ oneOf: [single, several] }), ['only', 'how']);
    const object = (...required: string[]) => ({
      ...{ type: 'object', required },
      properties: { id: {}, first: {}, second: {} },
    });
    assert.deepEqual(labels({ required: ['id'], oneOf: [object('second'), object('id', 'first')] }), [
      ...['second', 'first'],
    ]);
    assert.deepEqual(labels({ oneOf: [{ description: 'Any' }, { type: 'object' }] }), [
      'Variant 1',
      'Object',
    ]);
    assert.deepEqual(labels({ title: 'Both', oneOf: [{ $ref: '#/x' }, { type: 'array' }] }), [
      'Variant 1',
      'List',
    ]);
  });

  it('describes each variant, begins each with what fits, and has the content of one', () => {
    const field = member(
      'a',
      {
        title: 'Shape',
        required: ['id'],
        properties: { id: { const: 7 } },
        oneOf: [
          {
            title: 'Round',
            description: 'Has a radius',
            type: 'object',
            properties: { r: { type: 'number' } },
          },
          { title: 'List', type: 'array', minItems: 1, items: { type: 'boolean' } },
        ],
      },
      [true],
    );
    assert.ok(field.kind === 'choice');
    assert.equal(field.label, 'Shape');
    assert.deepEqual(
      field.variants.map((variant) => [variant.description, variant.initial()]),
      [
        ['Has a radius', { id: 7 }],
        [undefined, [false]],
      ],
    );
    assert.equal(field.selected, 1);
    assert.equal(field.content()?.kind, 'array');
    assert.equal(field.content()?.label, 'Shape');
    assert.equal(field.content()?.pointer, '/input/a');
    assert.equal(field.content(), field.content());
  });

  it('shows none while nothing is set, and none for null', () => {
    const schema = { oneOf: [{ type: 'object' }, { type: 'array' }, { type: 'null' }] };
    for (const value of [undefined, null]) {
      const field = member('a', schema, value);
      assert.ok(field.kind === 'choice');
      assert.deepEqual([field.selected, field.content()], [-1, undefined]);
    }
  });

  it('takes oneOf before anyOf, and one variant for no choice', () => {
    const two = [
      { title: 'A', type: 'string' },
      { title: 'B', type: 'array' },
    ];
    assert.deepEqual(
      labels({
        oneOf: two,
        anyOf: [
          { title: 'C', type: 'string' },
          { title: 'D', type: 'array' },
        ],
      }),
      ['A', 'B'],
    );
    assert.deepEqual(labels({ oneOf: [{ title: 'C', type: 'string' }], anyOf: two }), ['A', 'B']);
    assert.equal(labels({ oneOf: [{ title: 'C', type: 'string' }] }), 'text');
  });
});

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

  it('has an item for each value, numbered from 1, and a new one that fits', () => {
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

  it('of fixed places has them all, with the names that they have, and more where more is allowed', () => {
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

  it('in a list takes what the list takes', () => {
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

  it('of a type that several fields share takes what the name of each says', () => {
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

  it('knows the list of IDs beside it, and the IDs their files', () => {
    const files = { type: 'array', items: REF };
    const ids = { type: 'array', items: text };
    const form = formOf(
      { type: 'object', properties: { images: files, image_ids: ids, tags: ids } },
      {},
      '/input',
    );
    const [, images, imageIds, tags] = walk(form, 1);
    assert.ok(images?.kind === 'mediaList' && imageIds?.kind === 'stringList' && tags?.kind === 'stringList');
    assert.deepEqual(
      [images.idsPointer, imageIds.mediaPointer, tags.mediaPointer],
      ['/input/image_ids', '/input/images', undefined],
    );
  });
});

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

  it('begins an entry that is added with what fits', () => {
    assert.equal(entryOf({ ...inner, additionalProperties: { type: 'boolean' } }), false);
    assert.equal(entryOf({ ...inner, unevaluatedProperties: { type: 'string' } }), '');
    assert.equal(entryOf({ ...inner, patternProperties: { '^x': { type: 'integer' } } }), 0);
    assert.equal(entryOf({ ...inner, additionalProperties: true }), null);
    assert.equal(entryOf({ type: 'object', additionalProperties: { type: 'array' } })?.toString(), '');
    assert.equal(entryOf(inner), undefined);
    assert.equal(entryOf({ ...inner, additionalProperties: false, patternProperties: { '^x': text } }), '');
    assert.equal(entryOf({ type: 'object' }), null);
  });

  it('is collapsed where it is deep, open at the top', () => {
    const nested = (depth: number): JsonObject =>
      depth === 0 ? { type: 'number' } : { type: 'object', properties: { a: nested(depth - 1) } };
    const open = walk(formOf(nested(5), { a: { a: { a: { a: {} } } } }), 5);
    assert.deepEqual(
      open.flatMap((field) => (field.kind === 'object' ? [field.collapsed] : [])),
      [false, false, false, true, true],
    );
  });

  it('hides a forbidden member until it is set, and shows what the schema does not name', () => {
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

  it('builds an entry that is added by what the schema has for its name', () => {
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

describe('What every field says', () => {
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

  it('never folds what is required', () => {
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

  it('has a label where the name is empty', () => {
    const form = formOf({ type: 'object', properties: { '': text } }, {});
    assert.deepEqual(
      walk(form, 1).map(({ label }) => label),
      ['', '(empty name)'],
    );
  });

  it('begins a member that is added with what fits', () => {
    assert.equal(member('a', { type: 'integer', minimum: 3 }).initial(), 3);
    assert.equal(member('a', { const: 'x' }).initial(), 'x');
  });
});
