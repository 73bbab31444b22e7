import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import { anySchema } from '../../support/forms/anySchema';

const schemaOf = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});
/** The modes of a model, each with the fields of its input. */
const modesIn = (body: object) =>
  readModel(body, 'm')?.modes.map(({ name, input: { schema } }) => {
    const { properties = {} } = typeof schema === 'object' ? (schema as { properties?: object }) : {};
    return [name, Object.keys(properties).join()];
  });

describe('A table of modes under a name that says nothing', () => {
  it('keeps all of its modes, at any place and with any name of their input', () => {
    const others = fc.uniqueArray(fc.constantFrom('chat', 'embed', 'upscale', 'constructor', 'rank'), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(
        fc.constantFrom('foo', 'io', 'x', 'what_it_does', 'interface', '__proto__'),
        fc.constantFrom('input_schema', 'inputSchema', 'input'),
        fc.constantFrom('execute', 'index', 'search'),
        others,
        fc.constantFrom<(body: object) => object>(
          (body) => ({ slug: 'm', ...body }),
          (body) => ({ slug: 'm', input_schema: schemaOf('x'), ...body }),
          (body) => ({ slug: 'm', release: { version: '1', ...body } }),
          (body) => ({ data: { slug: 'm', ...body } }),
        ),
        (name, input, own, more, around) => {
          const modes = [own, ...more];
          const table = Object.fromEntries(modes.map((mode) => [mode, { [input]: schemaOf(`of_${mode}`) }]));
          const body = JSON.parse(JSON.stringify(around({ [name]: table }))) as object;
          assert.deepEqual(
            modesIn(body),
            modes.map((mode) => [mode, `of_${mode}`]),
          );
        },
      ),
    );
  });

  it('takes no record of another kind for a mode', () => {
    const search = { input_schema: schemaOf('q') };
    const chat = { input_schema: schemaOf('c') };
    for (const body of [
      { foo: { search, output: { schema: schemaOf('o') } } },
      { foo: { search, webhook: { payload: schemaOf('w') }, version: 2 } },
      {
        foo: {
          search: { ...search, params_schema: schemaOf('p') },
          preset: { params_schema: schemaOf('p') },
        },
      },
      { foo: { search: { input: schemaOf('q') }, price: { input: '0.10', output: '0.20' } } },
      { search, base: { slug: 'other', ...chat } },
      // Definitions, of which one happens to be called so.
      { foo: { search: schemaOf('q'), chat: schemaOf('c') } },
      { $defs: { search: schemaOf('q'), SearchResult: schemaOf('c') } },
      { schemas: { search: schemaOf('q'), chat: { ...schemaOf('c'), input_schema: schemaOf('d') } } },
    ])
      assert.deepEqual(modesIn({ slug: 'm', ...body }), [['search', 'q']], JSON.stringify(body));
  });

  it('takes each record with an input for a mode beside other members', () => {
    for (const [more, input] of [
      [{ version: 2 }, 'input_schema'],
      [{ webhook: { payload: schemaOf('w') } }, 'inputSchema'],
      [{}, 'input'],
    ] as const) {
      const foo = { ...more, search: { input: schemaOf('q') }, chat: { [input]: schemaOf('c') } };
      assert.deepEqual(modesIn({ slug: 'm', foo }), [
        ['search', 'q'],
        ['chat', 'c'],
      ]);
    }
  });

  it('accepts modes with an open input, and drops those marked as missing', () => {
    const search = { input_schema: schemaOf('q') };
    assert.deepEqual(
      modesIn({ slug: 'm', foo: { ping: { input_schema: { type: 'object' } }, search, index: false } }),
      [
        ['ping', ''],
        ['search', 'q'],
      ],
    );
  });

  it('never consists of the properties of a schema', () => {
    const names = fc.constantFrom('search', 'execute', 'index', 'chat', 'input_schema', 'input');
    const properties = fc.dictionary(
      names,
      fc.oneof(
        anySchema,
        fc
          .dictionary(names, anySchema, { minKeys: 1 })
          .map((inner) => ({ type: 'object', properties: inner })),
      ),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(properties, (all) => {
        const model = readModel({ slug: 'm', input_schema: { type: 'object', properties: all } }, 'm');
        assert.deepEqual(
          model?.modes.map(({ name }) => name),
          ['execute'],
        );
        assert.equal(model?.modesDeclared, false);
      }),
    );
  });
});
