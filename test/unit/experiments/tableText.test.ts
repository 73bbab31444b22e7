import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import type { Json, JsonSchema } from '../../../src/domain/json';
import type { ModelContract } from '../../../src/domain/model';
import { readerFor } from '../../../src/experiments/file/tableText';
import { validateValue } from '../../../src/forms/validate';
import { planExperiment } from '../../support/atOnce';

const contractOf = (field: JsonSchema, required: readonly string[] = []): ModelContract =>
  readModel(
    {
      slug: 'm',
      modes: { execute: { input_schema: { type: 'object', required, properties: { x: field } } } },
    },
    'm',
  )!;
const draft = { model: 'm', mode: 'execute', input: {}, params: {} };
const reading = (field: JsonSchema, cell: Json, required: readonly string[] = []) =>
  readerFor(contractOf(field, required), draft, '/input/x')(cell);
/** A value in the form of a spreadsheet or a script. */
const written = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A field's schema, and a value of it. */
const whole = fc
  .tuple(fc.integer(), fc.integer({ min: 1, max: 1000 }), fc.nat(1000))
  .map(([low, by, steps]) => ({
    low: low * by,
    by,
    high: (low + steps) * by,
    value: (low + (steps >> 1)) * by,
  }));
const fields: fc.Arbitrary<readonly [JsonSchema, Json]> = fc.oneof(
  whole.map(
    ({ low, high, by, value }) =>
      [{ type: 'integer', minimum: low, maximum: high, multipleOf: by }, value] as const,
  ),
  whole.map(
    ({ low, high, value }) =>
      [{ type: 'integer', exclusiveMinimum: low - 1, exclusiveMaximum: high + 1 }, value] as const,
  ),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => [{ type: 'number', minimum: value, maximum: value }, value === 0 ? 0 : value] as const),
  fc.boolean().map((value) => [{ type: 'boolean' }, value] as const),
  fc
    .uniqueArray(fc.integer(), { minLength: 1 })
    .chain((options) => fc.constantFrom(...options).map((value) => [{ enum: options }, value] as const)),
  fc
    .uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 })
    .chain((options) =>
      fc.constantFrom(...options).map((value) => [{ type: 'string', enum: options }, value] as const),
    ),
  fc
    .tuple(fc.integer(), fc.constantFrom('auto', 'none'))
    .chain(([number, word]) =>
      fc.constantFrom<Json>(number, word).map((value) => [{ enum: [number, word] }, value] as const),
    ),
  fc.string({ minLength: 1 }).map((value) => [{ type: 'string', minLength: 1 }, value] as const),
  fc
    .array(fc.integer(), { minLength: 1, maxLength: 3 })
    .map(
      (value) => [{ type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 }, value] as const,
    ),
  fc.array(fc.string()).map((value) => [{ type: 'array', items: { type: 'string' } }, value] as const),
  fc
    .dictionary(fc.string(), fc.integer(), { noNullPrototype: true })
    .map(
      (value) =>
        [{ type: 'object', additionalProperties: { type: 'integer' } }, { ...value } as Json] as const,
    ),
);
const wrapped = fields.chain(([field, value]) =>
  fc
    .constantFrom<JsonSchema>(
      field,
      { anyOf: [field, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, field] },
      { allOf: [field, { title: 'X' }] },
      { $ref: '#/$defs/x', $defs: {} },
    )
    .map((schema) => [typeof schema === 'object' && '$ref' in schema ? field : schema, value] as const),
);

describe('A cell of a table', () => {
  it('converts back to any valid value of a field', () => {
    fc.assert(
      fc.property(wrapped, ([field, value]) => {
        fc.pre(validateValue(field, value).issues.length === 0);
        fc.pre(typeof value !== 'string' || value.trim() !== '');
        assert.deepEqual(reading(field, written(value)), value);
        assert.deepEqual(reading(field, written(value), ['x']), value);
      }),
      { numRuns: 1000 },
    );
  });

  it('causes one run for the same value, and two for 1 and "1"', () => {
    const ids = (field: JsonSchema, cells: readonly Json[], isText: boolean) =>
      planExperiment({
        base: draft,
        variations: [{}],
        items: {
          items: cells.map((x, i) => ({ name: `row ${i}`, values: { '/input/x': x }, files: [] })),
          faults: [],
          isText,
        },
        repeats: 1,
        contracts: new Map([['m', contractOf(field)]]),
      }).runs.length;
    assert.equal(ids({ type: 'number' }, ['1', '1.0', ' 1'], true), 1);
    assert.equal(ids({ type: 'string' }, ['1', '1.0'], true), 2);
    assert.equal(ids({ type: ['number', 'string'] }, [1, '1', 1.0], false), 2);
    assert.equal(ids({ enum: [1, '1'] }, [1, '1'], false), 2);
  });

  it('keeps names, and numbers that would change, as text', () => {
    for (const cell of '007 0x10 0b11 +5 .5 1_000 1,5 12345678901234567890 1e400 NaN'.split(' '))
      assert.equal(reading({ type: 'number' }, cell), cell);
    for (const cell of ['007', '1e3', '0x10']) assert.equal(reading({ type: 'string' }, cell), cell);
    assert.equal(reading(true, '7'), '7');
  });

  it('leaves the field out where it is blank and takes no blank text', () => {
    for (const field of [
      { type: 'integer' },
      { type: 'string', minLength: 1 },
      { enum: ['a'] },
      { type: ['integer', 'null'] },
    ])
      for (const cell of ['', '  '])
        if (!(field.type === 'string' && cell !== '')) assert.equal(reading(field, cell), undefined);
    assert.equal(reading({ type: 'string' }, ''), '');
    assert.equal(reading({ type: ['integer', 'null'] }, '', ['x']), null);
    assert.equal(reading({ type: 'integer' }, null), undefined);
    assert.equal(reading({ type: ['integer', 'null'] }, null), null);
  });

  it('keeps its value after any other cells of its column', () => {
    const cells = fc.array(fc.constantFrom('', ' ', '  ', '\t', '1', 'true', 'a'), {
      minLength: 2,
      maxLength: 6,
    });
    const field = fc.constantFrom<JsonSchema>(
      { type: 'string' },
      ...[
        { type: 'string', minLength: 2 },
        { type: 'integer' },
        { type: ['integer', 'null'] },
        { enum: [' ', 'a'] },
      ],
    );
    fc.assert(
      fc.property(field, cells, (schema, texts) => {
        const read = readerFor(contractOf(schema), draft, '/input/x');
        assert.deepEqual(
          texts.map(read),
          texts.map((text) => reading(schema, text)),
        );
      }),
    );
  });

  it('causes a problem of its row, with the next step', () => {
    const problem = (field: JsonSchema, cell: Json, isText = true) => {
      const items = {
        items: [{ name: 'row 2', values: { '/input/x': cell }, files: [] }],
        faults: [],
        isText,
      };
      const contracts = new Map([['m', contractOf(field, ['x'])]]);
      return planExperiment({ base: draft, variations: [{}], items, repeats: 1, contracts }).problems[0]
        ?.message;
    };
    assert.equal(problem({ type: 'integer', maximum: 2048 }, '5000'), 'Enter 2048 or less.');
    assert.equal(problem({ type: 'integer' }, 'many'), 'Enter a whole number.');
    assert.match(problem({ type: 'integer' }, '12345678901234567890') ?? '', /cannot be sent exactly/);
    assert.equal(problem({ type: 'integer' }, ''), 'This is required.');
    assert.equal(problem({ type: 'integer' }, null, false), 'This is required.');
    assert.equal(problem({ type: 'integer', minimum: 1 }, '1'), undefined);
  });
});
