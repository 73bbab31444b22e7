import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import type { Json, JsonObject } from '../../../src/domain/json';
import type { ModelContract } from '../../../src/domain/model';
import { planExperiment } from '../../support/atOnce';

const schema = (properties: object) => ({ type: 'object', properties });
const INPUT = schema({ text: { type: 'string' }, count: { type: 'integer' }, strict: { type: 'boolean' } });
const PARAMS = schema({ top_k: { type: 'integer' } });

/** Details of one model that a service may send on different days. */
const BODIES: Readonly<Record<string, object>> = {
  modes: { modes: { execute: { input_schema: INPUT, params_schema: PARAMS } } },
  'modes and prices': {
    description: 'new words',
    modes: { execute: { price: '$5', input_schema: INPUT, params_schema: PARAMS }, search: {} },
  },
  'a schema without modes': { input_schema: INPUT, params_schema: PARAMS },
  'a list of names': { modes: ['execute', 'index'] },
  'a mode that takes a scope': { modes: { execute: { requires_scope: true, input_schema: INPUT } } },
  'texts only': { modes: { execute: { input_schema: schema({ count: { type: 'string' } }) } } },
  'its name': { name: 'A' },
};

const contractOf = (body: string): ModelContract => readModel({ slug: 'a', ...BODIES[body] }, 'a')!;

interface Asked {
  readonly rows: readonly Readonly<Record<string, Json>>[];
  readonly mode?: string;
  readonly scope?: string | undefined;
  readonly options?: JsonObject | undefined;
  readonly isText: boolean;
}

/** @param body of the model's detail; undefined: the service has not sent one */
const planOf = ({ rows, mode = 'execute', scope, options, isText }: Asked, body: string | undefined) =>
  planExperiment({
    base: {
      ...{ model: 'a', mode, input: {}, params: {} },
      ...(scope && { scope }),
      ...(options && { options }),
    },
    variations: [{}, { '/params/top_k': 2 }],
    items: {
      items: rows.map((values, at) => ({ name: `row ${at + 2}`, values, files: [] })),
      faults: [],
      isText,
    },
    repeats: 2,
    contracts: new Map(body === undefined ? [] : [['a', contractOf(body)]]),
  });

const idsIn = ({ runs, unsent }: ReturnType<typeof planOf>) =>
  [...runs, ...unsent].map(({ customId }) => customId).sort();

const asked = fc.record(
  {
    rows: fc.array(
      fc.record(
        {
          '/input/text': fc.constantFrom('cat', '1', '', 'true'),
          '/input/count': fc.constantFrom('1', ' 2 ', '2', 'x'),
          '/input/strict': fc.constantFrom('yes', 'no', 'TRUE'),
        },
        { requiredKeys: ['/input/text'] },
      ),
      { minLength: 1, maxLength: 5 },
    ),
    mode: fc.constantFrom('execute', 'execute', 'search'),
    scope: fc.constantFrom('pets', undefined),
    options: fc.constantFrom<(JsonObject | undefined)[]>(undefined, {}, { seed: 1 }),
    isText: fc.boolean(),
  },
  { requiredKeys: ['rows', 'isText'] },
);

describe('The ID of a run', () => {
  it('stays the same with any contract of the model, and is known for all texts that lead to one request', () => {
    fc.assert(
      fc.property(asked, (one) => {
        const placesIn = ({ runs, unsent }: ReturnType<typeof planOf>) =>
          [...runs, ...unsent.map((run) => ({ ...run, otherIds: [] as readonly string[] }))].flatMap(
            ({ repeat, serves, ...ids }) =>
              serves.map(({ variation, item }, at) => ({
                ...ids,
                key: `${variation} ${item} ${repeat}`,
                at,
              })),
          );
        const ids = new Map(placesIn(planOf(one, undefined)).map(({ key, customId }) => [key, customId]));
        for (const body of Object.keys(BODIES)) {
          const places = placesIn(planOf(one, body));
          assert.equal(places.length, ids.size);
          for (const { key, at, customId, otherIds = [] } of places) {
            if (at === 0) assert.equal(customId, ids.get(key), body);
            assert.ok([customId, ...otherIds].includes(ids.get(key)!), body);
          }
        }
        const all = planOf(one, 'modes').runs.flatMap(({ customId, otherIds = [] }) => [
          customId,
          ...otherIds,
        ]);
        assert.equal(new Set(all).size, all.length, 'no result belongs to two runs');
      }),
      { numRuns: 100 },
    );
  });

  it('differs where the user asks for something else', () => {
    const ids = (one: Partial<Asked>) =>
      idsIn(planOf({ rows: [{ '/input/text': 'cat' }], isText: true, ...one }, 'modes'))[0];
    const others = [
      ids({}),
      ids({ scope: 'pets' }),
      ids({ rows: [{ '/input/text': 'dog' }] }),
      ids({ rows: [{ '/input/text': 'cat', '/input/count': '1' }] }),
      ids({ rows: [{ '/input/text': 'cat', '/input/count': '1 ' }] }),
    ];
    assert.equal(new Set(others).size, others.length);
  });
});
