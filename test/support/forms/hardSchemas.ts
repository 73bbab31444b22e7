import type { JsonSchema } from '../../../src/domain/json';

/** Schemas made by hand to be hard, each by its difficulty. A form can be filled for all of them. */
export const HARD: Readonly<Record<string, JsonSchema>> = {
  'recursive by # and by $defs': {
    type: 'object',
    properties: { child: { $ref: '#' }, tree: { $ref: '#/$defs/tree' } },
    $defs: {
      tree: {
        type: 'object',
        properties: { label: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      },
    },
  },
  'draft 4 with exclusive bounds as booleans': {
    $schema: 'http://json-schema.org/draft-04/schema#',
    id: 'http://example.com/root.json',
    type: 'object',
    required: ['t'],
    properties: {
      t: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1 },
      d: { $ref: '#/definitions/d' },
    },
    definitions: { d: { type: ['string', 'null'], maxLength: 5 } },
  },
  'null in every spelling': {
    type: 'object',
    properties: {
      a: { type: ['integer', 'null'] },
      b: { type: 'string', nullable: true, enum: ['x', 'y'] },
      c: { anyOf: [{ type: 'boolean' }, { type: 'null' }], default: null },
      d: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/e' }] },
      f: { allOf: [{ $ref: '#/$defs/e' }], nullable: true },
      g: { enum: ['p', 'q', null] },
    },
    $defs: { e: { type: 'object', properties: { z: { type: 'number' } } } },
  },
  'if, then and else': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['circle', 'box'] } },
    if: { properties: { kind: { const: 'circle' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { radius: { type: 'number', exclusiveMinimum: 0 } }, required: ['radius'] },
    else: { properties: { width: { type: 'integer' } }, required: ['width'] },
  },
  'dependencies old and new': {
    type: 'object',
    properties: { card: { type: 'string' }, address: { type: 'string' }, code: { type: 'string' } },
    dependentRequired: { card: ['address'] },
    dependencies: { address: ['code'], code: { properties: { country: { type: 'string' } } } },
  },
  'variants told apart by a tag, with members they share': {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' } },
    oneOf: [
      {
        title: 'By text',
        properties: { type: { const: 'text' }, text: { type: 'string' } },
        required: ['type', 'text'],
      },
      {
        title: 'By size',
        properties: { type: { const: 'size' }, size: { type: 'integer' } },
        required: ['type', 'size'],
      },
    ],
  },
  'tuples old and new': {
    type: 'object',
    properties: {
      box: { type: 'array', items: [{ type: 'number' }, { type: 'string' }], additionalItems: false },
      pair: {
        prefixItems: [{ type: 'integer' }, { type: 'boolean' }],
        items: { type: 'string' },
        minItems: 2,
      },
    },
  },
  'maps and patterns': {
    type: 'object',
    properties: {
      map: { type: 'object', additionalProperties: { type: 'integer', minimum: 3 } },
      mixed: {
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: { type: 'boolean' },
      },
      named: {
        type: 'object',
        patternProperties: { '^[a-z]+$': { type: 'number' } },
        additionalProperties: false,
      },
    },
  },
  'a Cog document': {
    openapi: '3.0.2',
    components: {
      schemas: {
        Input: {
          type: 'object',
          title: 'Input',
          required: ['image'],
          properties: {
            scheduler: { allOf: [{ $ref: '#/components/schemas/scheduler' }], default: 'DDIM', 'x-order': 2 },
            image: { type: 'string', title: 'Image', format: 'uri', 'x-order': 0 },
            prompt: { type: 'string', title: 'Prompt', default: 'a dog', 'x-order': 1 },
          },
        },
        scheduler: { enum: ['DDIM', 'K_EULER'], type: 'string', title: 'scheduler' },
      },
    },
  },
  'allOf that narrows and adds': {
    allOf: [
      { type: 'object', properties: { n: { type: 'number', minimum: 0 } }, required: ['n'] },
      { properties: { n: { type: 'integer', maximum: 5 }, m: { type: 'string' } } },
      { required: ['m'] },
    ],
  },
  'formats and texts of all kinds': {
    type: 'object',
    properties: Object.fromEntries(
      ['uri', 'email', 'date', 'time', 'date-time', 'uuid', 'color', 'password', 'textarea', 'made-up'].map(
        (format) => [format, { type: 'string', format }],
      ),
    ),
  },
  'names that are hard to point at': {
    type: 'object',
    properties: {
      'a/b': { type: 'string' },
      'c~d': { type: 'integer' },
      'e%f#g é': { type: 'boolean' },
      '': { type: 'string' },
    },
    required: ['a/b', 'e%f#g é'],
  },
  'anchors and ids': {
    $id: 'https://example.com/root',
    type: 'object',
    properties: {
      a: { $ref: '#here' },
      b: { $ref: 'other' },
      c: { $ref: 'https://example.com/other#/$defs/inner' },
    },
    $defs: {
      x: { $anchor: 'here', type: 'integer' },
      y: { $id: 'https://example.com/other', type: 'string', $defs: { inner: { type: 'boolean' } } },
    },
  },
  'a choice of types, constants with titles, open enums': {
    type: 'object',
    properties: {
      any: { type: ['string', 'number', 'array'] },
      size: {
        oneOf: [
          { const: 1, title: 'Small' },
          { const: 2, title: 'Large' },
        ],
      },
      model: { anyOf: [{ enum: ['fast', 'good'] }, { type: 'string' }] },
      many: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 2 },
    },
  },
};
