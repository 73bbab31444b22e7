import type { Json } from '../../../../src/domain/json';
import { type Case, holds, text } from '../../../support/forms/fieldCases';

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
