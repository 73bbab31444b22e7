import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';

const executeSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, n: { type: 'integer' } },
  required: ['text'],
};
const paramsSchema = { type: 'object', properties: { k: { type: 'integer', default: 5 } } };
const searchSchema = { type: 'object', properties: { image: { type: 'string', format: 'uri' } } };

const wrapper = fc.constantFrom('contract', 'release', 'spec', 'manifest', 'data', 'model', 'latest_version');
const listName = fc.constantFrom('modes', 'supportedModes', 'operations', 'available_modes');
const inputName = fc.constantFrom('input_schema', 'inputSchema', 'input', 'request_schema');
/** Values beside a contract that are no contract. */
const decoys = fc.record(
  {
    description: fc.string(),
    supportedModes: fc.constantFrom(['execute'], ['execute', 'search'], ['chat', 'generate'], 'execute'),
    operations: fc.constantFrom(['read', 'write'], { execute: true, search: true }),
    output_schema: fc.constant({ type: 'object', properties: { answer: { type: 'string' } } }),
    examples: fc.constant([{ input: { words: 'x' } }]),
    config: fc.constant({ parameters: { hidden: 4096 }, layers: 12 }),
    related: fc.constant([{ slug: 'other', modes: { execute: { input_schema: { type: 'string' } } } }]),
  },
  { requiredKeys: [] },
);

describe('A contract at any place of a detail', () => {
  it('appears in up to four wrappers, beside lists of names, examples and other models', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(wrapper, decoys), { maxLength: 4 }),
        listName,
        inputName,
        fc.boolean(),
        decoys,
        (wrappers, list, input, asArray, outer) => {
          const modes = {
            execute: { [input]: executeSchema, params_schema: paramsSchema },
            search: { [input]: searchSchema },
          };
          const listed = asArray ? Object.entries(modes).map(([name, mode]) => ({ name, ...mode })) : modes;
          let body: object = { [list]: listed };
          for (const [name, beside] of wrappers) body = { ...beside, [name]: body };
          if (wrappers.length > 0) body = { slug: 'm', ...outer, ...body };
          const model = readModel(body, 'm');
          assert.deepEqual(
            model?.modes.map((mode) => [mode.name, mode.input.schema, mode.input.origin]),
            [
              ['execute', executeSchema, 'declared'],
              ['search', searchSchema, 'declared'],
            ],
          );
          assert.deepEqual(model?.modes[0]?.params.schema, paramsSchema);
          assert.equal(model?.modes[1]?.params.origin, 'unknown');
        },
      ),
    );
  });

  it('combines the parts of one mode from several places', () => {
    const model = readModel(
      {
        slug: 'm',
        modes: [{ name: 'execute', title: 'Run it', price: '0.01 USD' }, { name: 'index' }],
        contract: { operations: { execute: { input_schema: executeSchema } } },
      },
      'm',
    );
    assert.deepEqual(
      model?.modes.map(({ name, title, input }) => [name, title, input.origin]),
      [
        ['execute', 'Run it', 'declared'],
        ['index', undefined, 'documented'],
      ],
    );
    assert.equal(model?.modes[0]?.price?.money?.amount, '0.01');
  });

  it('contains no parameters of another part of the configuration', () => {
    const model = readModel(
      { slug: 'm', input_schema: executeSchema, config: { parameters: { hidden: 4096 } } },
      'm',
    );
    assert.equal(model?.modes[0]?.params.origin, 'unknown');
  });
});
