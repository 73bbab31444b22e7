import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Json, JsonSchema } from '../../../src/domain/json';
import { validateValue } from '../../../src/forms/validate';
import { schemaOf, type TestGroup, tallyOf } from '../../support/forms/officialTests';

const FOLDER = 'test/support/forms/jsonSchemaTestSuite';
const all = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const files = JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as Record<string, TestGroup[]>;
    return { draft: name.replace('.json', ''), files };
  });

const isOptional = ([file]: [string, unknown]) => file.startsWith('optional/');
const drafts = all.map(({ draft, files }) => ({
  draft,
  files: Object.fromEntries(Object.entries(files).filter((entry) => !isOptional(entry))),
  optional: Object.fromEntries(Object.entries(files).filter(isOptional)),
}));

/** How many tests of a file need missing parts: other documents, metaschemas, and two keywords of draft 3. */
const UNKNOWN_IN: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  draft3: { disallow: 9, ref: 2, refRemote: 8, type: 20 },
  draft4: { definitions: 2, ref: 2, refRemote: 17 },
  draft6: { definitions: 2, ref: 2, refRemote: 23 },
  draft7: { definitions: 2, ref: 2, refRemote: 23 },
  'draft2019-09': { defs: 2, ref: 2, refRemote: 31, vocabulary: 3 },
  'draft2020-12': { defs: 2, dynamicRef: 13, ref: 2, refRemote: 31, vocabulary: 3 },
};

/** Optional demands that are not met: formats and contents are annotations, and 1.0 is an integer. */
const MISSED_OPTIONAL = ['content', 'format-assertion', 'zeroTerminatedFloats'];

describe('The tests of the official JSON-Schema-Test-Suite', () => {
  it('cover six drafts', () => assert.equal(drafts.length, 6));

  for (const { draft, files, optional } of drafts) {
    it(`reject no valid value of ${draft}, even the optional ones`, () => {
      const { refused, missed } = tallyOf(draft, optional);
      assert.deepEqual(refused, []);
      const where = missed.map((title) => /optional\/([\w-]+)/.exec(title)?.[1] ?? '');
      assert.deepEqual(
        where.filter((file) => !MISSED_OPTIONAL.includes(file)),
        [],
      );
    });

    for (const [file, groups] of Object.entries(files)) {
      it(`pass for ${draft}, with no valid value rejected and no invalid one accepted: ${file}`, () => {
        const { refused, missed, unknown } = tallyOf(draft, { [file]: groups });
        assert.deepEqual({ refused, missed }, { refused: [], missed: [] });
        assert.equal(unknown.length, UNKNOWN_IN[draft]?.[file] ?? 0);
      });

      // With a metaschema of its own, `not` itself may mean something else.
      if (file !== 'vocabulary')
        it(`get the same verdict for ${draft} inside other schemas: ${file}`, () => {
          for (const group of groups) {
            const schema = schemaOf(draft, group);
            if (/"(\$ref|\$?id|\$\w*[aA]nchor|\$\w+Ref)":/.test(JSON.stringify(schema))) continue;
            for (const { data } of group.tests) sameInside(draft, schema, data);
          }
        });
    }

    it(`get a verdict in nine of ten cases of ${draft}`, () => {
      const { right, unknown } = tallyOf(draft, files);
      assert.ok(right > 9 * unknown.length, `${unknown.length} unknown`);
    });
  }
});

/** Ways to write a schema that change no verdict, of which two invert unknown ones. */
function sameInside(draft: string, schema: JsonSchema, data: Json): void {
  const { verdict } = validateValue(schema, data);
  const declared = typeof schema === 'object' && '$schema' in schema ? { $schema: schema.$schema } : {};
  const ways: JsonSchema[] = [
    { not: { not: schema } },
    { anyOf: [{ not: {} }, schema] },
    { oneOf: [schema, { not: {} }] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: schema, then: {}, else: { not: {} } },
  ];
  const known = draft === 'draft3' ? [] : /draft[46]/.test(draft) ? ways.slice(0, 3) : ways;
  for (const way of known)
    assert.equal(
      validateValue({ ...declared, allOf: [way] }, data).verdict,
      verdict,
      JSON.stringify([way, data]),
    );
}
