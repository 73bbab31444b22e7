import assert from 'node:assert/strict';
import {
  type ResponseMapping,
  responseMappingSchema,
  useResponseMappings,
} from '../../../src/domain/responseMapping';
import type { RunRecord } from '../../../src/domain/runRecord';
import { runUses } from '../../../src/features/mapping/uses';
import { readAgain } from '../../../src/runs/readAgain';

describe('Runs that were not understood', () => {
  const baseUrl = 'https://company.example';
  const body = { ref: 'r1', phase: 'ABGESCHLOSSEN', payload: { answer: 'warm' }, billing: { ct: 25 } };
  afterEach(() => useResponseMappings(() => undefined));

  const record = (id: string, changes: Partial<RunRecord> = {}): RunRecord => ({
    ...{
      id,
      environment: 'company',
      baseUrl,
      modelName: 'm',
      attachments: [],
      startedAt: 1,
      state: 'unclear',
    },
    draft: { model: 'm', mode: 'execute', input: {}, params: {} },
    result: { contentType: 'application/json', sizeBytes: 9, truncated: false },
    ...changes,
  });
  /** Points at places of the body, as a user does. */
  const pointed = (...places: readonly (readonly [label: RegExp, value: unknown, at: string])[]) =>
    places.reduce<ResponseMapping>((mapping, [label, value, at]) => {
      const use = runUses(value).find((each) => label.test(each.label));
      return responseMappingSchema.parse(use!.apply(mapping, at, use!.isMoney && 'EUR'));
    }, {});
  const read = async (records: readonly RunRecord[], mapping: ResponseMapping, shown?: string) => {
    useResponseMappings(() => mapping);
    const [put, costs]: [RunRecord[], unknown[]] = [[], []];
    const history = {
      get: (id: string) => records.find((one) => one.id === id),
      put: async (one: RunRecord) => put.push(one),
      runs: { unsettled: () => records, result: async () => Buffer.from(JSON.stringify(body)) },
    };
    const guard = { resolve: (one: RunRecord, cost: unknown) => costs.push([one.id, cost]) };
    const before = await readAgain({ history, guard } as never, baseUrl, shown);
    return { before, put, costs };
  };
  const all = pointed(
    [/means finished/, 'ABGESCHLOSSEN', '/phase'],
    [/^Result$/, 'warm', '/payload/answer'],
    [/^Run ID$/, 'r1', '/ref'],
    [/hundredths/, 25, '/billing/ct'],
  );

  it('become known by the places that the user pointed at, with their amounts', async () => {
    const others = [
      record('elsewhere', { baseUrl: 'https://other.example' }),
      record('set', { settledByUser: true }),
      record('cut', { result: { contentType: 'application/json', sizeBytes: 9, truncated: true } }),
      record('lost', { state: 'unknown' }),
    ];
    const { before, put, costs } = await read([record('a'), ...others], all);
    assert.deepEqual(
      before.map(({ id, state }) => [id, state]),
      [['a', 'unclear']],
    );
    assert.deepEqual(
      put.map(({ id, state, runId, cost }) => [id, state, runId, cost]),
      [['a', 'finished', 'r1', { amount: '0.25', currency: 'EUR' }]],
    );
    assert.deepEqual(costs, [['a', { amount: '0.25', currency: 'EUR' }]]);
  });

  it('stay so without a place that says how they ended', async () => {
    const { put } = await read([record('a')], pointed([/^Run ID$/, 'r1', '/ref']));
    assert.deepEqual(put, []);
  });

  it('include the one on screen, in any state', async () => {
    const { put } = await read([record('a', { state: 'finished' })], all, 'a');
    assert.equal(put.length, 1);
  });

  it('get one meaning for a word, the last that the user gave it', () => {
    const mapping = pointed(
      [/means failed/, 'OK', '/phase'],
      [/means finished/, 'DONE', '/phase'],
      [/means finished/, 'OK', '/phase'],
    );
    assert.deepEqual(mapping, { run: { state: '/phase', finished: ['DONE', 'OK'], failed: [] } });
  });
});
