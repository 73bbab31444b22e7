import assert from 'node:assert/strict';
import type { Json, JsonObject, JsonSchema } from '../../../src/domain/json';
import { formOf } from '../../../src/forms/buildForm';
import type { Field } from '../../../src/forms/fieldTypes';
import { walk } from './driveForm';

export function member(name: string, schema: JsonSchema, value?: Json, required: string[] = []): Field {
  const document = { type: 'object', properties: { [name]: schema }, required };
  const form = formOf(document, value === undefined ? {} : { [name]: value }, '/input');
  const field = walk(form, 1).find(({ key }) => key === name);
  assert.ok(field, `no field ${name}`);
  return field;
}

const some = (field: object, expected: object) =>
  Object.fromEntries(Object.keys(expected).map((key) => [key, (field as Record<string, unknown>)[key]]));

export type Case = readonly [name: string, schema: JsonObject, expected: object, value?: Json];

/** A test for each of the cases: the field of this schema has at least this. */
export function holds(cases: readonly Case[]) {
  for (const [name, schema, expected, value] of cases)
    it(`${name} ${JSON.stringify(schema).slice(0, 90)}${value === undefined ? '' : ` of ${JSON.stringify(value).slice(0, 20)}`}`, () =>
      assert.deepEqual(some(member(name, schema, value), expected), expected));
}
