import assert from 'node:assert/strict';
import { readShape } from '../../../src/contracts/shape';

// One field of a contract, as others write it, and the whole schema that it becomes.

type Case = readonly [what: string, field: object, schema: object];

/** The schema of a field of that description, in a list; undefined where the list is none of fields. */
function schemaOf(field: object): unknown {
  const shape = readShape([structuredClone({ name: 'a', ...field })]);
  return (shape?.schema as { properties: { a: unknown } } | undefined)?.properties.a;
}

function become(cases: readonly Case[]) {
  for (const [what, field, schema] of cases) it(what, () => assert.deepEqual(schemaOf(field), schema));
}

const text = { type: 'string' };
const integer = { type: 'integer' };

describe('The type of a field is', () => {
  become([
    ['that of one name in a list', { type: ['string'] }, text],
    ['one that may be null', { type: ['null', 'int'] }, { ...integer, nullable: true }],
    ['open, where a list has several', { type: ['string', 'int'] }, {}],
    ['open, where a list has no name of a type', { type: ['moon', 'null'] }, {}],
    ['open, where a list has other things', { type: [1] }, {}],
    ['a schema', { type: { type: 'string', minLength: 2 } }, { type: 'string', minLength: 2 }],
    ['open, in an enumeration without symbols', { type: { type: 'enum', symbols: 'a' } }, {}],
    [
      'a list of JSON Schema',
      { type: { type: 'array', items: { type: 'string', title: 'T' } } },
      { type: 'array', items: { type: 'string', title: 'T' } },
    ],
    ['not a record only because it has fields', { type: { type: 'moon', fields: [{ name: 'b' }] } }, {}],
    ...[
      'type',
      'data_type',
      'dtype',
      'ftype',
      'fieldType',
      'valueType',
      'input-type',
      'parameter_type',
      'kind',
      'component',
      'widget',
    ].map((name): Case => [`under ${name}`, { [name]: 'int' }, integer]),
    ['the first that is known', { type: 'moon', dtype: 'int', kind: 'string' }, integer],
  ]);
});

describe('A field with a schema in it', () => {
  const schema = { type: 'string', minLength: 1 };
  become([
    ['is that schema', { schema }, schema],
    ['is that schema, also under another name', { json_schema: schema }, schema],
    ['is any schema with members', { schema: { moons: 1 } }, { moons: 1 }],
    ['is none where that is empty', { schema: {}, type: 'int' }, integer],
    ['is none where that is no record', { schema: 'x', type: 'int' }, integer],
    [
      'has its own title and description, unless the schema has some',
      { schema: { ...schema, title: 'Inner' }, title: 'Outer', description: 'D', min: 3 },
      { ...schema, title: 'Inner', description: 'D' },
    ],
    ['is one value, where it occurs once', { schema, minOccurs: 1, maxOccurs: 1 }, schema],
    ['is one value, where a word says how often', { schema, maxOccurs: 'many' }, schema],
  ]);
});

describe('The bounds of a field are', () => {
  become([
    ...(
      [
        ['minimum', 'min ge minimum min_value'],
        ['maximum', 'max le maximum maxValue'],
        ['exclusiveMinimum', 'gt exclusive_minimum'],
        ['exclusiveMaximum', 'lt exclusiveMaximum'],
        ['multipleOf', 'step multiple_of'],
      ] as const
    ).flatMap(([keyword, names]) =>
      names
        .split(' ')
        .map((name): Case => [`under ${name}`, { type: 'int', [name]: 5 }, { ...integer, [keyword]: 5 }]),
    ),
    ['no text', { type: 'int', min: '5', max_length: '7' }, integer],
    [
      'of a text',
      { type: 'str', min_length: 1, maxLength: 9, regex: 'a+', format: 'email' },
      { ...text, minLength: 1, maxLength: 9, pattern: 'a+', format: 'email' },
    ],
    ...['constraints', 'validation', 'validators', 'rules', 'range', 'type_options'].map(
      (name): Case => [`in ${name}`, { type: 'int', [name]: { min: 2 } }, { ...integer, minimum: 2 }],
    ),
    ['a pair', { type: 'int', range: [2, 9] }, { ...integer, minimum: 2, maximum: 9 }],
    ['no list of three', { type: 'int', range: [2, 9, 1] }, integer],
    ['no list of one', { type: 'int', range: [2] }, integer],
    [
      'those of the field before those inside it, and the first of several inside',
      { type: 'int', min: 1, constraints: { min: 2, max: 3 }, rules: { max: 4, step: 5 } },
      { ...integer, minimum: 1, maximum: 3, multipleOf: 5 },
    ],
  ]);
});

describe('A field keeps', () => {
  become([
    ...(
      [
        ['title', 'title label display_name'],
        ['description', 'description help help_text hint doc info tooltip'],
      ] as const
    ).flatMap(([keyword, names]) =>
      names
        .split(' ')
        .map(
          (name): Case => [
            `the ${keyword} under ${name}`,
            { type: 'int', [name]: 'x' },
            { ...integer, [keyword]: 'x' },
          ],
        ),
    ),
    ['no title that is no text', { type: 'int', title: 3, nullable: 'yes' }, integer],
    ['that it may be null', { type: 'int', nullable: true }, { ...integer, nullable: true }],
    ['that it is advanced', { type: 'int', is_advanced: true }, { ...integer, 'x-advanced': true }],
    ...['default', 'default_value'].map(
      (name): Case => [`the default under ${name}`, { type: 'int', [name]: 0 }, { ...integer, default: 0 }],
    ),
    ['an empty default of text', { type: 'str', default: '' }, { ...text, default: '' }],
    ['no empty default of an integer', { type: 'int', default: '' }, integer],
    ['no empty default of a number', { type: 'float', default: '' }, { type: 'number' }],
    ['the default of a number', { type: 'float', default: 2 }, { type: 'number', default: 2 }],
    ...['example', 'placeholder'].map(
      (name): Case => [
        `an example under ${name}`,
        { type: 'str', [name]: 'x' },
        { ...text, examples: ['x'] },
      ],
    ),
    ['examples', { type: 'str', example: 'z', examples: ['x', 'y'] }, { ...text, examples: ['x', 'y'] }],
    ['no examples that are no list', { type: 'str', examples: 'x' }, text],
    ...['accept', 'accepts', 'accepted_types', 'mimeTypes'].map(
      (name): Case => [
        `files it accepts under ${name}`,
        { type: 'str', [name]: '.png' },
        { ...text, accept: '.png' },
      ],
    ),
    ['files it accepts, as a list', { type: 'str', accept: ['a/b'] }, { ...text, accept: ['a/b'] }],
    ['nothing of what says only that it accepts', { type: 'str', accept: true }, text],
    ...['anyOf', 'oneOf', 'allOf'].map(
      (name): Case => [`the schemas of ${name}`, { [name]: [text, integer] }, { [name]: [text, integer] }],
    ),
    ['a reference', { $ref: '#/x' }, { $ref: '#/x' }],
    ['no other names like these', { type: 'str', anyOfs: [1], 'x-allOf': [1], $refs: 'y' }, text],
  ]);
});

describe('The options of a field are', () => {
  become([
    ...['enum', 'options', 'choices', 'values', 'allowed_values', 'allowed'].map(
      (name): Case => [`under ${name}`, { type: 'str', [name]: ['a', 'b'] }, { ...text, enum: ['a', 'b'] }],
    ),
    ['none of a text of one line', { type: 'str', choices: 'a' }, text],
    ['none of an empty list', { type: 'str', choices: [] }, text],
    ['none of pairs', { type: 'str', choices: ['a', ['b', 'B']] }, text],
    [
      'a table of labels',
      { type: 'str', choices: { a: 'A', b: 'B' } },
      { ...text, enum: ['a', 'b'], enumNames: ['A', 'B'] },
    ],
    ['no table of other things', { type: 'str', choices: { a: 'A', b: 2 } }, text],
    ['no empty table', { type: 'str', choices: {} }, text],
    ...['value', 'id', 'name', 'label'].map(
      (name): Case => [
        `the ${name} of each`,
        {
          type: 'str',
          choices: [
            { [name]: 'a', title: 'A' },
            { [name]: 'b', title: 'B' },
          ],
        },
        { ...text, enum: ['a', 'b'], enumNames: name === 'label' ? ['a', 'b'] : ['A', 'B'] },
      ],
    ),
    ...['label', 'title', 'display_name', 'name'].map(
      (name): Case => [
        `with labels under ${name}`,
        { type: 'str', choices: [{ value: 'a', [name]: 'A' }] },
        { ...text, enum: ['a'], enumNames: ['A'] },
      ],
    ),
    [
      'without labels, where one has none',
      { type: 'str', choices: [{ value: 'a', label: 'A' }, { value: 'b' }] },
      { ...text, enum: ['a', 'b'] },
    ],
    ['null, where nothing names it', { choices: [{ x: 1 }, 'b'] }, { enum: [null, 'b'] }],
    ['not those of a list', { type: 'list[str]', choices: ['a'] }, { type: 'array', items: text }],
  ]);
});

describe('A field takes', () => {
  const many = { type: 'array', items: text };
  become([
    ...['multiple', 'is_multiple', 'isList', 'many', 'multiple_values', 'list'].flatMap((name): Case[] => [
      [`several values, as ${name} says`, { type: 'str', [name]: true }, many],
      [`one value, as ${name} says`, { type: 'str', [name]: false }, text],
    ]),
    ['one value, where text says', { type: 'str', multiple: 'true' }, text],
    ['a list, and no list of lists', { type: 'list[str]', multiple: true }, many],
    ...['multiselect', 'multi_select', 'MultiSelect', 'checkboxes', 'checkbox_group', 'tags'].map(
      (type): Case => [
        `several of its options, as ${type}`,
        { type: type.replace('_', ''), options: ['a'] },
        { type: 'array', items: { enum: ['a'] } },
      ],
    ),
    ['one of its options, as multiplechoice', { type: 'multiplechoice', options: ['a'] }, { enum: ['a'] }],
    ['one of its options, as multiselected', { type: 'multiselected', options: ['a'] }, { enum: ['a'] }],
    ['a list, whatever its shape', { type: 'list[str]', shape: [2] }, many],
    ['anything, whatever its shape', { type: 'any', shape: [2] }, {}],
  ]);
});

describe('The parts of a field are', () => {
  become([
    ['items of a type', { type: 'array', items: 'int' }, { type: 'array', items: integer }],
    [
      'items of a type, by another name',
      { type: 'array', item_type: 'int' },
      { type: 'array', items: integer },
    ],
    ['any items of an unknown type', { type: 'array', items: 'moon' }, { type: 'array', items: {} }],
    ['any items of a list', { type: 'array', items: ['int'] }, { type: 'array', items: {} }],
    [
      'items with bounds',
      { type: 'array', items: { type: 'int', min: 1 } },
      { type: 'array', items: { ...integer, minimum: 1 } },
    ],
    ['nothing of items that are not told', { type: 'array' }, { type: 'array' }],
    ['no items of one value', { type: 'int', items: 'int' }, integer],
    ...['properties', 'fields', 'children', 'options'].map(
      (name): Case => [
        `fields of an object under ${name}`,
        { type: 'dict', [name]: [{ name: 'b', type: 'int', required: true }] },
        { type: 'object', properties: { b: integer }, required: ['b'] },
      ],
    ),
    ...['properties', 'fields'].map(
      (name): Case => [
        `fields without a type under ${name}`,
        { [name]: [{ name: 'b', type: 'int' }] },
        { type: 'object', properties: { b: integer } },
      ],
    ),
    ['no fields of a record with children and no type', { children: [{ name: 'b' }] }, {}],
    ['no fields of one value', { type: 'int', fields: [{ name: 'b' }] }, integer],
    ['no fields, where nothing lists them', { type: 'dict', fields: 'b' }, { type: 'object' }],
  ]);
});

describe('A field is required', () => {
  for (const [field, expected] of [
    [{}, false],
    [{ required: true }, true],
    [{ is_required: true }, true],
    [{ mandatory: true }, true],
    [{ required: false, optional: false }, false],
    [{ required: 'yes' }, false],
    [{ optional: false }, true],
    [{ isOptional: false }, true],
    [{ optional: true }, false],
  ] as const)
    it(`${expected ? 'with' : 'not with'} ${JSON.stringify(field)}`, () => {
      const schema = readShape([{ name: 'a', type: 'int', ...field }])?.schema as { required?: string[] };
      assert.deepEqual(schema.required, expected ? ['a'] : undefined);
    });
});
