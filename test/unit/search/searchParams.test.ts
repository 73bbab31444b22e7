import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonSchema } from '../../../src/domain/json';
import { chosenParams, searchParams } from '../../../src/features/search/searchParams';
import { anySchema } from '../../support/forms/anySchema';
import { modelOf } from '../../support/runPage';

function paramsOf(schema: JsonSchema, values = {}) {
  const [mode] = modelOf(true, schema).modes;
  return searchParams(mode!, values);
}

/** `false` names a member that must not be there. */
const allowing = anySchema.filter((schema) => schema !== false);

describe('The parameters of a search', () => {
  it('include every parameter of the schema, of any kind', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), allowing), (properties) => {
        const shown = paramsOf({ type: 'object', properties }).map(({ name }) => name);
        assert.deepEqual(shown.toSorted(), Object.keys(properties).toSorted());
      }),
    );
  });

  it('leave unchanged, and only those of the schema, with any names', () => {
    const names = fc.constantFrom('k', '__proto__', 'constructor', 'toString', 'hasOwnProperty');
    const entries = (of: object) => Object.entries(of).toSorted();
    fc.assert(
      fc.property(
        fc.dictionary(names, fc.constant({ type: 'integer' })),
        fc.dictionary(names, fc.nat()),
        (properties, given) => {
          const values = JSON.parse(JSON.stringify(given)) as Record<string, number>;
          const [mode] = modelOf(true, { type: 'object', properties }).modes;
          assert.deepEqual(
            entries(chosenParams(mode!, values)),
            entries(values).filter(([name]) => Object.hasOwn(properties, name)),
          );
        },
      ),
    );
  });
});
