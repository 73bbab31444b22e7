import assert from 'node:assert/strict';
import type { JsonObject, JsonSchema } from '../../../src/domain/json';
import { contractChanges, contractUse } from '../../../src/runFiles/changed';
import { readRunFile } from '../../../src/runFiles/read';
import { contractOf, modeWith } from '../../support/runFiles/contract';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The file uses the first three. */
const BEFORE: Properties = {
  size: { type: 'number', minimum: 0, maximum: 9 },
  text: { type: 'string', maxLength: 5 },
  style: { enum: ['a', 'b', 'c'] },
  unused: { type: 'string' },
};
const USED = { size: 5, text: 'abc', style: 'a' };
const without = (name: string) =>
  Object.fromEntries(Object.entries(BEFORE).filter(([other]) => other !== name));

/** Another contract, and the members of the file that it breaks. */
const CHANGES: Readonly<
  Record<string, readonly [Properties, readonly string[], required?: readonly string[]]>
> = {
  'a used member is gone': [without('text'), ['text']],
  'a used member has another name': [{ ...without('text'), text_2: BEFORE.text! }, ['text']],
  'an unused member is gone': [without('unused'), []],
  'a used type changes': [{ ...BEFORE, size: { type: 'boolean' } }, ['size']],
  'an unused type changes': [{ ...BEFORE, unused: { type: 'boolean' } }, []],
  'a listed value is no longer allowed': [{ ...BEFORE, style: { enum: ['b', 'c'] } }, ['style']],
  'bounds narrow past the values': [
    { ...BEFORE, size: { type: 'number', maximum: 4 }, text: { type: 'string', maxLength: 2 } },
    ['size', 'text'],
  ],
  'bounds narrow down to the values': [
    { ...BEFORE, size: { type: 'number', minimum: 5, maximum: 5 }, text: { type: 'string', minLength: 3 } },
    [],
  ],
  'everything is allowed': [{ ...BEFORE, size: {} }, []],
  'texts and defaults change': [
    { ...BEFORE, text: { ...(BEFORE.text as object), title: 'New', description: 'New', default: 'x' } },
    [],
  ],
  'an unused member becomes required': [BEFORE, ['unused'], ['unused']],
  'a member is added': [{ ...BEFORE, more: { type: 'string' } }, []],
  'a required member is added': [{ ...BEFORE, more: { type: 'string' } }, ['more'], ['more']],
  'the order changes': [Object.fromEntries(Object.entries(BEFORE).reverse()), []],
};

/** Members in the input itself, in an object of it, and in each item of a list. */
const NESTINGS: readonly {
  readonly at: string;
  readonly schema: (inner: JsonSchema) => JsonSchema;
  readonly input: (used: JsonObject) => JsonObject;
}[] = [
  { at: '/input', schema: (inner) => inner, input: (used) => used },
  {
    at: '/input/inner',
    schema: (inner) => ({ type: 'object', properties: { inner } }),
    input: (inner) => ({ inner }),
  },
  {
    at: '/input/inner/0',
    schema: (items) => ({ type: 'object', properties: { inner: { type: 'array', items } } }),
    input: (used) => ({ inner: [used] }),
  },
];

describe('A model that has changed since a file last ran', () => {
  for (const [name, [after, broken, required = []]] of Object.entries(CHANGES))
    it(`causes problems only in the parts that the file uses: ${name}`, () => {
      for (const closed of [false, true])
        for (const { at, schema, input } of NESTINGS) {
          const contract = (properties: Properties, members: readonly string[] = []) =>
            contractOf(
              modeWith(
                schema({
                  ...{ type: 'object', properties, required: members },
                  ...(closed && { additionalProperties: false }),
                } as JsonSchema),
              ),
            );
          const file = readRunFile(JSON.stringify({ model: 'm', input: input(USED), params: { top_k: 3 } }));
          const found = contractChanges(file, contractUse(file, contract(BEFORE)), contract(after, required));
          assert.deepEqual(
            found.map(({ pointer }) => pointer),
            broken.map((member) => `${at}/${member}`),
          );
          for (const { message } of found) assert.match(message, /has changed since this file last ran/);
        }
    });
});
