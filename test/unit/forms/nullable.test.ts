import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonSchema } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import { validateValue } from '../../../src/forms/validate';

type Parts = { readonly [keyword: string]: unknown };

/** A string or null, as schemas say it. */
const OR_NULL: readonly Parts[] = [
  { type: ['string', 'null'] },
  { type: ['null', 'string'], title: 'A' },
  { type: 'string', nullable: true },
  { type: 'string', 'x-nullable': true },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { oneOf: [{ type: 'null' }, { type: 'string', maxLength: 9 }] },
  { enum: ['aaa', 'bbb', null] },
  { type: ['string', 'null'], enum: ['aaa', 'bbb', null] },
];
/** Rules that do not concern null. */
const RULES: readonly Parts[] = [
  { minLength: 1 },
  { maxLength: 5 },
  { pattern: '^[a-z]+$' },
  { format: 'email' },
  { title: 'T' },
  { description: 'd', default: 'aaa' },
  { minLength: 2, pattern: 'a' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { if: { minLength: 2 }, then: { maxLength: 4 } },
  { minimum: 1 },
  {},
];
/** Rules that exclude null. */
const OTHERS: readonly Parts[] = [
  { type: 'string' },
  { type: 'string', minLength: 1 },
  { enum: ['aaa'] },
  { not: { type: 'null' } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { if: { type: 'null' }, then: false },
];
const part = fc.constantFrom(...OR_NULL, ...RULES, ...OTHERS);

/** How parts are put together into one schema that requires all of them; `$ref` to one of the document. */
const JOINED: readonly ((parts: readonly Parts[]) => Parts)[] = [
  (parts) => ({ allOf: parts }),
  (parts) => ({ allOf: parts.map((one) => ({ allOf: [one] })) }),
  ([first, ...others]) => ({ allOf: others, $defs: { first }, $ref: '#/properties/a/$defs/first' }),
  ([first, ...others]) => ({ $defs: { first }, allOf: [...others, { $ref: '#/properties/a/$defs/first' }] }),
  ([first, ...others]) => ({ ...first, allOf: others }),
  ([first, ...others]) => ({ allOf: [{ ...first, allOf: others.slice(1) }, ...others.slice(0, 1)] }),
];

function fieldOf(a: JsonSchema) {
  const form = formOf({ properties: { a } }, {});
  const field = form.kind === 'object' ? form.children()[0] : undefined;
  assert.ok(field);
  return field;
}
const allowsNull = (a: JsonSchema) => validateValue({ properties: { a } }, { a: null }).verdict !== 'invalid';

describe('A field whose schema names null', () => {
  it('takes null where all that applies allows it, and only there', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OR_NULL),
        fc.array(part, { maxLength: 3 }),
        fc.nat(3),
        fc.constantFrom(...JOINED),
        (orNull, others, at, joined) => {
          const schema = joined(others.toSpliced(at, 0, orNull));
          assert.equal(fieldOf(schema).nullable, allowsNull(schema), JSON.stringify(schema));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('becomes the field of its other type, with all its rules', () => {
    for (const orNull of OR_NULL.slice(0, 6))
      for (const joined of JOINED) {
        const field = fieldOf(joined([orNull, { minLength: 3 }, { pattern: 'a' }]));
        assert.deepEqual([field.kind, field.nullable], ['text', true]);
      }
  });

  it('lists options without null', () => {
    for (const joined of JOINED)
      for (const type of ['string', ['string', 'null']]) {
        const schema = joined([{ enum: ['aaa', null] }, { type }]);
        const field = fieldOf(schema);
        assert.deepEqual(field.kind === 'enum' && field.options.map(({ value }) => value), ['aaa']);
        assert.equal(field.nullable, allowsNull(schema));
      }
  });

  it('accepts null only when the schema names it, beside another type', () => {
    for (const rule of [...RULES, ...OTHERS]) assert.equal(fieldOf(rule).nullable, false);
  });
});
