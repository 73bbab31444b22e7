import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import { contract, decoys, formsOf, wrapper } from '../../support/placedContracts';

// For any place of a contract and any values beside it, the form is the same.

describe('A contract', () => {
  it('gives the same form in up to four wrappers, beside lists of names, examples, output and other models', () => {
    fc.assert(
      fc.property(
        contract,
        fc.array(fc.tuple(wrapper, decoys, fc.boolean()), { maxLength: 4 }),
        (bare, wrappers) => {
          const declared = readModel(bare, 'm')?.modesDeclared === true;
          let body: object = bare;
          // Where a contract names no modes, a list of modes beside it is no decoy.
          for (const [name, { supportedModes, ...others }, inList] of wrappers) {
            const beside = { ...others, ...(declared && supportedModes !== undefined && { supportedModes }) };
            body = { ...beside, [name]: inList ? [body] : body };
          }
          if (wrappers.length > 0) body = { slug: 'm', ...body };
          assert.deepEqual(formsOf(body), formsOf({ slug: 'm', ...bare }));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('names the place of each shape in the body', () => {
    fc.assert(
      fc.property(contract, fc.array(wrapper, { maxLength: 3 }), (bare, wrappers) => {
        const body = wrappers.reduce<object>((inner, name) => ({ [name]: inner }), { slug: 'm', ...bare });
        for (const { input } of readModel(body, 'm')?.modes ?? []) {
          if (input.origin === 'documented' || input.origin === 'unknown') continue;
          const at = input.at ?? 'none';
          const found = at
            .split('/')
            .slice(1)
            .reduce<unknown>(
              (value, key) =>
                (value as Record<string, unknown> | undefined)?.[
                  key.replaceAll('~1', '/').replaceAll('~0', '~')
                ],
              body,
            );
          assert.ok(found !== undefined, `${at} in ${JSON.stringify(body)}`);
        }
      }),
    );
  });
});

describe('Definitions', () => {
  const leaf = { type: 'string', enum: ['a', 'b'] };
  const place = fc.constantFrom('components', 'definitions', '$defs');
  it('resolve for a schema’s references, beside it or in a record around it', () => {
    fc.assert(
      fc.property(place, fc.array(wrapper, { maxLength: 3 }), fc.boolean(), (table, wrappers, beside) => {
        const path = table === 'components' ? '#/components/schemas/Size' : `#/${table}/Size`;
        const named = { Size: { allOf: [{ $ref: path.replace('Size', 'Leaf') }] }, Leaf: leaf };
        const definitions = { [table]: table === 'components' ? { schemas: named } : named };
        const input_schema = { type: 'object', properties: { size: { $ref: path } } };
        const inner = beside ? { input_schema, ...definitions } : { input_schema };
        const outer = wrappers.reduce<object>((body, name) => ({ [name]: body }), inner);
        const body = { slug: 'm', ...outer, ...(!beside && definitions) };
        const schema = readModel(body, 'm')?.modes[0]?.input.schema as Record<string, unknown>;
        const tables =
          table === 'components' ? (schema.components as Record<string, unknown>).schemas : schema[table];
        assert.deepEqual(tables, named);
      }),
    );
  });
});
