import assert from 'node:assert/strict';
import { readModel } from '../../../src/contracts/model';
import type { ModelContract } from '../../../src/domain/model';
import { CATALOGS } from '../../support/layouts/catalogs';
import { DOCUMENTS } from '../../support/layouts/documents';
import { HOSTS } from '../../support/layouts/hosts';
import type { Layout } from '../../support/layouts/layout';
import { PLAUSIBLE } from '../../support/layouts/plausible';
import { REGISTRIES } from '../../support/layouts/registries';
import { TOOLS } from '../../support/layouts/tools';
import { WORKFLOWS } from '../../support/layouts/workflows';

const PUBLISHED: readonly Layout[] = [
  ...HOSTS,
  ...CATALOGS,
  ...DOCUMENTS,
  ...TOOLS,
  ...WORKFLOWS,
  ...REGISTRIES,
];

describe('Layouts of other people’s invention', () => {
  for (const layout of PUBLISHED)
    it(`lead to the expected form: ${layout.name}`, () =>
      checkReading(layout, `${layout.source} (${layout.read})`));
});

describe('Layouts that a service may have', () => {
  for (const layout of PLAUSIBLE)
    it(`lead to the expected form: ${layout.name}`, () => checkReading(layout, layout.name));
});

type Expected = Pick<Layout, 'body' | 'input' | 'params' | 'modes' | 'examples' | 'at'>;

function checkReading({ body, input, params, modes, examples, at }: Expected, source: string): void {
  // A copy: results for a body are remembered for it.
  const model = readModel(structuredClone(body), 'm');
  assert.ok(model, source);
  const first = model.modes[0] as ModelContract['modes'][number];
  assert.deepEqual(model.modeNames, modes ?? [], source);
  if (input === undefined) assert.ok(['unknown', 'example'].includes(first.input.origin), source);
  else assert.deepEqual(typesOf(first.input.schema), input, source);
  assert.deepEqual(Object.keys(typesOf(first.params.schema)), params ?? [], source);
  assert.equal(first.examples.length, examples ?? 0, source);
  if (at !== undefined) assert.equal(first.input.at, at, source);
}

type Schema = { properties?: Record<string, Record<string, unknown>>; required?: string[] };

/** The types of an object's members, required ones with "!". */
function typesOf(shape: unknown): Record<string, string> {
  const root = target(shape, shape) as Schema;
  return Object.fromEntries(
    Object.entries(root.properties ?? {}).map(([name, member]) => {
      const [only] = Array.isArray(member.allOf) ? (member.allOf as unknown[]) : [member];
      const { type = 'any' } = target(only, shape) as { type?: string };
      return [name, `${type}${root.required?.includes(name) ? '!' : ''}`];
    }),
  );
}

/** The target of a reference, inside the schema itself. */
function target(schema: unknown, root: unknown): object {
  const { $ref } = schema as { $ref?: string };
  if ($ref === undefined) return schema as object;
  const pointer = $ref.startsWith('#/') ? $ref.slice(2) : `$defs/${$ref}`;
  const found = pointer
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], root);
  assert.ok(found, `${$ref} is not in reach`);
  return target(found, root);
}
