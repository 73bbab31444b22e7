import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import type { Json, JsonObject } from '../../../src/domain/json';
import type { ModelContract } from '../../../src/domain/model';
import { appendLines } from '../../../src/experiments/resultsFile';
import { sortRuns } from '../../../src/experiments/wantedRuns';
import type { Store } from '../../../src/store/store';
import { planExperiment } from '../../support/atOnce';
import { loadedOf, planHere, resultsIn } from '../../support/experiments/plannedRuns';
import { answered } from '../../support/runsInMemory';
import { useStoreFolder } from '../../support/store/openStore';

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
          [...runs, ...unsent].flatMap(({ repeat, serves, ...ids }) =>
            serves.map(({ variation, item }, at) => ({ ...ids, key: `${variation} ${item} ${repeat}`, at })),
          );
        const ids = new Map(placesIn(planOf(one, undefined)).map(({ key, customId }) => [key, customId]));
        for (const body of Object.keys(BODIES)) {
          const places = placesIn(planOf(one, body));
          assert.equal(places.length, ids.size);
          for (const { key, at, customId, earlierIds } of places) {
            if (at === 0) assert.equal(customId, ids.get(key), body);
            assert.ok([customId, ...earlierIds!()].includes(ids.get(key)!), body);
          }
        }
        const all = planOf(one, 'modes').runs.flatMap(({ customId, earlierIds }) => [
          ...new Set([customId, ...earlierIds!()]),
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

describe('Results of an earlier version', () => {
  const use = useStoreFolder();
  let store: Store;
  beforeEach(async () => {
    store = await use.open();
  });
  /** The ID that it made of the request to which the contract of the day led. */
  const earlierId = (requestSha256: string, repeat: number) => `${requestSha256.slice(0, 24)}-${repeat}`;
  const rows = [
    { '/input/text': 'cat', '/input/count': ' 2 ' },
    { '/input/text': 'dog', '/input/count': '7' },
  ];

  for (const before of ['modes', 'a schema without modes', 'a mode that takes a scope'])
    for (const now of Object.keys(BODIES).filter((body) => body !== 'texts only'))
      it(`belong to their runs when the contract has ${now} in place of ${before}`, async () => {
        const order = { rows, scope: 'pets', isText: true };
        const earlier = planOf(order, before).runs;
        const lines = earlier.map(({ requestSha256, repeat }, at) =>
          JSON.stringify({
            custom_id: earlierId(requestSha256, repeat),
            state: (['finished', 'failed', 'sent', 'unconfirmed'] as const)[at % 4],
            started_at: '2026-01-01T00:00:00.000Z',
          }),
        );
        await appendLines(resultsIn(use.folder), lines);
        const plan = planOf(order, now);
        const sorted = await sortRuns(store, loadedOf(plan.runs, plan), resultsIn(use.folder));
        assert.equal(sorted.missing.length, 0);
        const states = [sorted.finished, sorted.failed.length, sorted.unconfirmed.length];
        assert.deepEqual(states, plan.runs.length === 0 ? [0, 0, 0] : [2, 2, 4]);
      });

  it('cause a question where their line is torn', async () => {
    const order = { rows: rows.slice(0, 1), isText: true };
    const id = earlierId(planOf(order, 'modes').runs[0]!.requestSha256, 0);
    await appendLines(resultsIn(use.folder), [`{"custom_id":"${id}","sta`]);
    const plan = planOf(order, 'its name');
    const { unreadable } = await sortRuns(store, loadedOf(plan.runs, plan), resultsIn(use.folder));
    assert.deepEqual([...(unreadable?.ids ?? [])], [id]);
  });

  it('keep their ID when a failed run is retried', async () => {
    const order = { rows: rows.slice(0, 1), isText: true };
    const [run] = planOf(order, 'modes').runs;
    const id = earlierId(run!.requestSha256, 0);
    await appendLines(resultsIn(use.folder), [
      JSON.stringify({ custom_id: id, state: 'failed', started_at: '2026-01-01T00:00:00.000Z' }),
    ]);
    const plan = planOf(order, 'its name');
    const { failed, ...sorted } = await sortRuns(store, loadedOf(plan.runs, plan), resultsIn(use.folder));
    const { job, done } = await planHere(store, use.folder, {
      ...sorted,
      runs: failed,
      run: async () => answered,
    });
    job.start();
    await done;
    const after = await sortRuns(store, loadedOf(plan.runs, plan), resultsIn(use.folder));
    assert.deepEqual([failed.map(({ customId }) => customId), after.finished], [[id], 1]);
  });
});
