import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ExperimentHead, ExperimentRun } from '../../../src/experiments/plan/experimentKind';
import { experimentOutcomes, type RunPayload } from '../../../src/experiments/plan/outcomes';
import type { ExperimentResults, StoredResult } from '../../../src/store/experimentResults';
import type { JobItem, RecordedRequest } from '../../../src/store/jobKind';
import { readResults } from '../../support/atOnce';

/** Any text, lone surrogates and line ends of all kinds among them. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...'\ud800 \udfff \n \r \u2028 \u2029 \0 " \\ \ufeff , [ }'.split(' ')),
  }),
);
/**
 * Not of one escaped character: the V8 of Node.js 24 reads such a key as a backslash where it has read an object before
 * with the same first keys and "\\" for the next, as `{"a":1,"\n":2}` after `{"a":1,"\\":2}`.
 */
const key = text.filter((name) => !/^(?:["\\]|\p{Cc}|\p{Cs})$/u.test(name));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const run = fc.record({
  customId: fc.stringMatching(/^[0-9a-f]{24}-\d$/),
  requestSha256: text,
  repeat: fc.nat(),
  variation: fc.dictionary(key, json, { maxKeys: 3 }),
  item: text,
  itemSha256: fc.option(text, { nil: undefined }),
  judge: fc.option(text, { nil: undefined }),
  index: fc.constant(0),
  state: fc.constantFrom('done', 'failed', 'unknown'),
  reason: fc.option(text, { nil: undefined }),
  at: fc.nat({ max: 4_000_000_000_000 }),
}) as unknown as fc.Arbitrary<JobItem<ExperimentRun>>;
const facts = fc.record(
  {
    startedAt: fc.nat({ max: 4_000_000_000_000 }),
    durationMs: fc.oneof(fc.double(), fc.integer()),
    members: fc.record(
      {
        ...{ result: json, result_without: fc.array(text, { maxLength: 2 }) },
        ...{ result_sha256: text, odd_values: fc.constant(true) },
      },
      { requiredKeys: [] },
    ),
    files: fc.array(fc.record({ name: text, bytes: fc.constant(new Uint8Array()) }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<RunPayload>;
const charge = fc.record(
  { runId: text, cost: fc.record({ amount: text, currency: text }) },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<Pick<RecordedRequest<RunPayload>, 'runId' | 'cost'>>;

const head = { id: 'job', results: '/try.results.jsonl', since: 0 } as unknown as ExperimentHead;
function written(
  item: JobItem<ExperimentRun>,
  payload?: RunPayload,
  charged?: Pick<RecordedRequest<RunPayload>, 'runId' | 'cost'>,
): StoredResult {
  const all: StoredResult[] = [];
  const results = { recordNow: (_: string, stored: readonly StoredResult[]) => all.push(...stored) };
  experimentOutcomes(results as unknown as ExperimentResults).record(head, [item], {
    sentAt: 1,
    ...charged,
    ...(payload && { payload }),
  });
  return all[0]!;
}

describe('The outcome of a run of an experiment', () => {
  it('reads back unchanged from its line, with any texts of the service and the files', () => {
    fc.assert(
      fc.property(run, facts, charge, (item, payload, charged) => {
        const { line, state, files: kept } = written(item, payload, charged);
        const { results, unreadable } = readResults(`${line}\n`);
        assert.deepEqual(unreadable, []);
        assert.deepEqual([results[0]?.custom_id, results[0]?.state], [item.customId, state]);
        const read = (value: unknown) => JSON.parse(JSON.stringify(value));
        const { startedAt = 1, files = [] } = payload;
        const [first, ...others] = files.map(({ name }) => name);
        const { cost } = charged;
        assert.deepEqual(
          JSON.parse(line),
          read({
            ...{ custom_id: item.customId, variation: item.variation, item: item.item, repeat: item.repeat },
            ...{ item_sha256: item.itemSha256, judge: item.judge, request_sha256: item.requestSha256 },
            ...{ state, ...payload.members },
            ...{ result_file: first, other_files: others.length === 0 ? undefined : others },
            ...{ reason: item.reason, duration_ms: payload.durationMs, run_id: charged.runId },
            cost: cost && { amount: cost.amount, currency: cost.currency || undefined },
            started_at: new Date(Math.max(startedAt, 1)).toISOString(),
            sender: state === 'unconfirmed' ? 'job' : undefined,
          }),
        );
        assert.deepEqual(kept, files.length === 0 ? undefined : files, 'the files go to the store with it');
        const same = (value: unknown) => JSON.stringify(value);
        assert.equal(same(results[0]?.result), same(payload.members?.result));
        assert.equal(same(results[0]?.variation), same(item.variation));
      }),
      { numRuns: 1_000 },
    );
  });

  it('stays unconfirmed where a second attempt failed before it was sent', () => {
    const item = { ...fc.sample(run, { seed: 1, numRuns: 1 })[0]!, state: 'failed' as const };
    const recorded = (before: string | undefined, sentAt?: number) => {
      const all: StoredResult[] = [];
      const results = {
        recordNow: (_: string, stored: readonly StoredResult[]) => all.push(...stored),
        recorded: () => before && { state: before },
      };
      const outcomes = experimentOutcomes(results as unknown as ExperimentResults);
      outcomes.record(head, [item], sentAt === undefined ? {} : { sentAt });
      return all.length;
    };
    assert.deepEqual(
      [recorded('unconfirmed'), recorded('unconfirmed', 1), recorded('failed'), recorded(undefined)],
      [0, 1, 1, 1],
    );
  });

  /** The outcome that the store knows: its state, when its request left, and of which job; then when the late one left. */
  for (const [known, sentAt, wanted] of [
    ['', 3, 'now'],
    ['finished 5 other', 3, 'earlier'],
    ['finished 5 job', 5, ''],
    ['finished 5 job', 7, 'now'],
    ['failed 5 job', 3, 'earlier'],
    ['unconfirmed 5 other', 3, 'earlier'],
    ['unconfirmed 5 job', 3, 'now'],
    ['unconfirmed 5 other', 5, 'now'],
  ] as const)
    it(`counts late, of a request at ${sentAt}, beside “${known}”: ${wanted || 'nothing new'}`, () => {
      const item = { ...fc.sample(run, { seed: 1, numRuns: 1 })[0]!, state: 'done' as const };
      const [state = '', at, sender] = known.split(' ');
      const line = JSON.stringify({ started_at: new Date(Number(at ?? 0)).toISOString(), sender });
      const told: string[] = [];
      const results = {
        recorded: () => (state === '' ? undefined : { state, line }),
        recordNow: () => told.push('now'),
        recordEarlierNow: () => told.push('earlier'),
      };
      const outcomes = experimentOutcomes(results as unknown as ExperimentResults);
      outcomes.recordLate(head, [item], { sentAt });
      assert.equal(told.join(), wanted);
    });
});
