import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { sameJson, setAt } from '../../../src/domain/value';
import { formOf, initialInput } from '../../../src/forms/buildForm';
import type { Field } from '../../../src/forms/fieldTypes';
import { compileSchema } from '../../../src/forms/schema/compile';
import { validateValue } from '../../../src/forms/validate';
import { anySchema } from '../../support/forms/anySchema';
import { fillForm, readBack, walk } from '../../support/forms/driveForm';
import { HARD } from '../../support/forms/hardSchemas';

const TASKS = 'node_modules/@huggingface/tasks/src/tasks';
const published = readdirSync(TASKS)
  .filter((task) => existsSync(`${TASKS}/${task}/spec/input.json`))
  .map((task): [string, JsonSchema] => [
    task,
    JSON.parse(readFileSync(`${TASKS}/${task}/spec/input.json`, 'utf8')),
  ]);

const PICKS = [0, 1, 2, 3, 4, 5, 6, 7];

describe('The form of a schema', () => {
  it('builds from each of the 33 published input schemas', () => assert.equal(published.length, 33));

  for (const [name, read] of [...published, ...Object.entries(HARD)]) {
    it(`filled for ${name}, gives a value that validates`, () => {
      // A copy: results for a schema are remembered for it.
      const schema = structuredClone(read) as JsonSchema;
      for (const pick of PICKS) {
        const value = fillForm(schema, pick);
        assert.deepEqual(validateValue(schema, value).issues, [], JSON.stringify(value));
        assert.ok(
          sameJson(readBack(formOf(schema, value)), value),
          `lost on the way: ${JSON.stringify(value)}`,
        );
      }
    });

    it(`reaches every property of ${name}`, () => {
      const schema = structuredClone(read) as JsonSchema;
      const reached = new Set(
        PICKS.flatMap((pick) => walk(formOf(schema, fillForm(schema, pick)))).map((field) => field.key),
      );
      const lost = propertyNames(compileSchema(schema)).filter((key) => !reached.has(key));
      assert.deepEqual(lost, []);
    });
  }

  it('shows every value unchanged, under any schema', () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue({ maxDepth: 3 }), (schema, value) => {
        const back = readBack(formOf(schema, value as Json));
        assert.ok(sameJson(back, value as Json), JSON.stringify(back));
      }),
      { numRuns: 600 },
    );
  });

  it('equals a new form after edits', () => {
    const told = (field: Field) => walk(field).map((each) => JSON.stringify(each));
    const edits = fc.array(fc.tuple(fc.nat(30), fc.jsonValue({ maxDepth: 1 }), fc.nat(3)), { maxLength: 6 });
    fc.assert(
      fc.property(anySchema, fc.jsonValue({ maxDepth: 3 }), edits, (schema, first, changes) => {
        let value = first as Json;
        let choices: ReadonlyMap<string, number> = new Map();
        for (const [at, entered, variant] of changes) {
          const fields = walk(formOf(schema, value, '', { choices }), 3);
          const { pointer, kind } = fields[at % fields.length]!;
          if (kind === 'choice') choices = new Map([...choices, [pointer, variant]]);
          else value = setAt(value, pointer, entered as Json);
          const copy = structuredClone(schema);
          const kept = told(formOf(schema, value, '', { choices }));
          const anew = told(formOf(copy, structuredClone(value), '', { choices }));
          // Where the counted work ends the rest is JSON: with fields that were kept, it ends later.
          fc.pre(!compileSchema(copy).work.isUsedUp);
          assert.deepEqual(kept, anew);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('builds and checks for any JSON as a schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => {
        walk(formOf(schema as JsonSchema, value as Json), 3);
        initialInput(schema as JsonSchema);
        validateValue(schema as JsonSchema, value as Json);
      }),
      { numRuns: 500 },
    );
  });

  it('orders fields by x-order, folds advanced ones and takes labels from titles', () => {
    const form = formOf(HARD['a Cog document'] as JsonSchema, {});
    assert.deepEqual(
      walk(form, 1)
        .slice(1)
        .map((field) => field.label),
      ['Image', 'Prompt', 'scheduler'],
    );
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const fields = walk(formOf({ type: 'object', properties: many, required: ['p11'] }, {}), 1).slice(1);
    assert.deepEqual(
      fields.filter((field) => field.advanced).map((field) => field.key),
      ['p8', 'p9', 'p10'],
    );
  });

  it('offers a file only for an address of a file', () => {
    const uri = (name: string, description?: string) => {
      const properties = {
        [name]: { type: 'string', format: 'uri', ...(description ? { description } : {}) },
      };
      return child(formOf({ type: 'object', properties }, {}), name).kind;
    };
    for (const [name, description] of [
      ['image_url'],
      ['input_audio'],
      ['driving', 'The driving video, 10 seconds at most'],
      ['source_url', 'URL of the input image to edit'],
      ['target_url', 'An image to match'],
    ] as const)
      assert.equal(uri(name, description), 'media', name);
    const optional = { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }], description: 'A video' };
    const form = formOf({ type: 'object', properties: { driving: optional } }, {});
    assert.equal(child(form, 'driving').kind, 'media');
    for (const [name, description] of [
      ['callback_url', 'URL to call when the image is ready'],
      ['webhook_url', 'Receives the finished video'],
      ['webhook', 'We POST the images here'],
      ['poll_url', 'URL to poll until the file is there'],
      ['url'],
      ['logo_link', 'The URL to a logo image for the external service'],
    ] as const)
      assert.equal(uri(name, description), 'text', name);
  });

  it('ends at references that only lead back to themselves, and says so', () => {
    const schema: JsonSchema = {
      $ref: '#/$defs/a',
      $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } },
    };
    assert.equal(formOf(schema, { x: 1 }).kind, 'json');
    assert.equal(validateValue(schema, 1).notes.length, 1);
  });
});

function child(form: Field, key: string): Field {
  const found = walk(form, 1).find((field) => field.key === key);
  assert.ok(found, `no field ${key}`);
  return found;
}

/** Every name under `properties` that the root leads to. */
function propertyNames({ root, lookup }: ReturnType<typeof compileSchema>): string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (node: unknown, isMedia = false): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') visit(lookup[String(value)]);
      else if (/^(default|enum|const|examples|required|if|x-.*)$/.test(key)) continue;
      else if (key === 'properties' && !isMedia && !('media_ref' in value))
        for (const name of Object.keys(value)) names.add(name);
      visit(value);
    }
  };
  visit(root);
  return [...names];
}
