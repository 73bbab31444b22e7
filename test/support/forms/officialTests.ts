import type { Json, JsonSchema } from '../../../src/domain/json';
import { validateValue } from '../../../src/forms/validate';

/** A group of the official JSON-Schema-Test-Suite: one schema and values under it. */
export interface TestGroup {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

const OLD_DRAFTS: Readonly<Record<string, string>> = {
  draft3: 'http://json-schema.org/draft-03/schema#',
  draft4: 'http://json-schema.org/draft-04/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft7: 'http://json-schema.org/draft-07/schema#',
};

/**
 * A group's schema under its draft: in the folders of the old drafts `$schema` is implied. Made each time, since
 * results for a schema are remembered for it.
 */
export function schemaOf(draft: string, { schema }: TestGroup): JsonSchema {
  const declared = OLD_DRAFTS[draft];
  return typeof schema === 'boolean' ? schema : { ...(declared && { $schema: declared }), ...schema };
}

/** The outcome of each test, by its title. `refused`: valid, but refused; `missed`: invalid, but accepted. */
export interface Tally {
  readonly right: number;
  readonly unknown: readonly string[];
  readonly refused: readonly string[];
  readonly missed: readonly string[];
}

/** Runs a draft's files (by name) and sorts their tests by outcome. */
export function tallyOf(draft: string, files: Readonly<Record<string, readonly TestGroup[]>>): Tally {
  const tally = { right: 0, unknown: [] as string[], refused: [] as string[], missed: [] as string[] };
  for (const [file, groups] of Object.entries(files))
    for (const group of groups)
      for (const test of group.tests) {
        const title = `${draft}/${file}: ${group.description}: ${test.description}`;
        const { verdict } = validateValue(schemaOf(draft, group), test.data);
        if (verdict === 'unknown') tally.unknown.push(title);
        else if ((verdict === 'valid') === test.valid) tally.right += 1;
        else tally[test.valid ? 'refused' : 'missed'].push(title);
      }
  return tally;
}
