import fc from 'fast-check';
import type { JsonSchema } from '../../../src/domain/json';

const words = { title: fc.string(), description: fc.string(), deprecated: fc.boolean() };
const names = fc.oneof(fc.constantFrom('image', 'images', 'a', 'b', 'kind', '__proto__', 'x/y'), fc.string());
const small = fc.integer({ min: 0, max: 3 });
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

/** Schemas as people and generators write them, some of them wrong. */
export const anySchema: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonSchema>(
      true,
      {},
      false,
      { type: 'string' },
      { type: ['integer', 'null'] },
      { $ref: '#' },
    ),
    record({
      type: fc.constantFrom('string', 'text'),
      minLength: small,
      format: fc.constantFrom('uri', 'date', 'binary'),
      pattern: fc.constantFrom('^a', '(a+)+', '['),
    }),
    record({
      type: fc.constantFrom('number', 'integer', 'int'),
      minimum: fc.integer(),
      maximum: fc.integer(),
      exclusiveMinimum: fc.boolean(),
      multipleOf: fc.double(),
    }),
    record({ enum: fc.array(scalar, { maxLength: 4 }), nullable: fc.boolean() }),
    record({ const: scalar }),
    record({
      type: fc.constantFrom('array', ['array', 'null']),
      items: tie('schema'),
      minItems: small,
      uniqueItems: fc.boolean(),
    }),
    record({ prefixItems: fc.array(tie('schema'), { maxLength: 3 }), items: tie('schema') }),
    record({
      type: fc.constant('object'),
      properties: fc.dictionary(names, tie('schema'), { maxKeys: 4 }),
      required: fc.array(names, { maxLength: 2 }),
      additionalProperties: tie('schema'),
      dependentRequired: fc.dictionary(names, fc.array(names, { maxLength: 2 }), { maxKeys: 2 }),
      if: tie('schema'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: tie('schema'),
    }),
    record({ allOf: list(tie('schema')), anyOf: list(tie('schema')), oneOf: list(tie('schema')) }),
  ),
})).schema;

function list(item: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema[]> {
  return fc.array(item, { maxLength: 3 });
}

function record(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonSchema> {
  return fc.record({ ...model, ...words }, { requiredKeys: [] }) as fc.Arbitrary<JsonSchema>;
}
