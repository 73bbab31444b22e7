import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../../src/contracts/model';
import type { Json } from '../../../../src/domain/json';
import type { ModelContract } from '../../../../src/domain/model';
import { summarise } from '../../../../src/experiments/figures/summary';
import type { ExperimentItem } from '../../../../src/experiments/file/items';
import { variationsOf } from '../../../../src/experiments/plan/grid';
import type { ExperimentPlan } from '../../../../src/experiments/plan/plan';
import { itemSha256 } from '../../../../src/experiments/plan/runId';
import { comparingOf } from '../../../../src/experiments/results/measuredValue';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { placedPlan } from '../../../../src/experiments/table/placedPlan';
import { strayTexts } from '../../../../src/experiments/table/strayTexts';
import { ExperimentTable } from '../../../../src/experiments/table/table';
import { planExperiment } from '../../../support/atOnce';
import { wholeSummary } from '../../../support/experiments/wholeSummary';

const contractOf = (slug: string): ModelContract =>
  readModel(
    {
      slug,
      modes: {
        execute: {
          input_schema: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string' }, strict: { type: 'boolean' }, list: { type: 'array' } },
          },
          params_schema: { type: 'object', properties: { top_k: { type: 'integer', maximum: 9 } } },
        },
      },
    },
    slug,
  )!;
const contracts = new Map(['a', 'b'].map((slug) => [slug, contractOf(slug)]));
const none = new Map<string, ModelContract>();

type Values = Readonly<Record<string, string>>;

/** Rows of a table; their expectation is their text. */
const itemsOf = (rows: readonly Values[]): ExperimentItem[] =>
  rows.map((values, at) => ({
    name: `row ${at + 2}`,
    values,
    files: [],
    expected: values['/input/text'] ?? '',
  }));

const planOf = (
  rows: readonly Values[],
  known: ReadonlyMap<string, ModelContract>,
  more: { readonly vary?: Record<string, Json[]>; readonly base?: object } = {},
): ExperimentPlan =>
  planExperiment({
    base: { model: 'a', mode: 'execute', input: {}, params: {}, ...more.base },
    variations: variationsOf(more.vary ?? { '/model': ['a', 'b'] }),
    items: { items: itemsOf(rows), faults: [], isText: true },
    repeats: 2,
    contracts: known,
  });

/** A line for each run: its result tells of which input it is. */
const linesOf = (plan: ExperimentPlan): ResultLine[] =>
  plan.runs.map(({ customId, repeat, requestSha256, request, serves: [place] }) => ({
    custom_id: customId,
    variation: plan.variations[place!.variation]!,
    item: plan.items[place!.item]!.name,
    item_sha256: itemSha256(plan.items[place!.item]!),
    repeat,
    request_sha256: requestSha256,
    state: 'finished',
    result: (request.input as { text: string }).text,
    cost: { amount: '0.01', currency: 'USD' },
  }));

const byId = (lines: readonly ResultLine[]) => new Map(lines.map((line) => [line.custom_id, line]));

const tableOf = (plan: ExperimentPlan, lines: readonly ResultLine[]) =>
  new ExperimentTable(placedPlan(plan, byId(lines)).plan, byId(lines), comparingOf(undefined));

/** Ids of results by row, column and repeat. */
const resultsIn = (table: ExperimentTable) =>
  Array.from({ length: table.rows }, (_, row) =>
    Array.from({ length: table.columns }, (__, column) =>
      table.runs(row, column).map(({ line, repeat }) => [repeat, line?.custom_id]),
    ),
  );

const row = fc.record(
  {
    '/input/text': fc.string({ minLength: 1, maxLength: 4 }),
    '/input/strict': fc.constantFrom('yes', 'no', 'true', '1'),
    '/input/list': fc.constantFrom('[1]', '{}', '[]'),
    '/params/top_k': fc.constantFrom('1', ' 2 ', '2', '3'),
  },
  { requiredKeys: ['/input/text'] },
);

/** People's edits of a table: the rows after it, of which some are those before it. */
const edited = fc.array(row, { minLength: 1, maxLength: 8 }).chain((before) =>
  fc.record({
    before: fc.constant(before),
    after: fc.array(fc.oneof(fc.constantFrom(...before), row), { maxLength: 10 }),
  }),
);

describe('Results and their inputs', () => {
  it('stay together through any insert, delete, reorder and edit, with and without contracts', async () => {
    await fc.assert(
      fc.asyncProperty(edited, async ({ before, after }) => {
        const lines = linesOf(planOf(before, contracts));
        const known = tableOf(planOf(after, contracts), lines);
        const unknown = tableOf(planOf(after, none), lines);
        const identities = itemsOf(after).map(itemSha256);
        for (const [at, values] of after.entries())
          for (const column of [0, 1])
            for (const { line } of known.runs(at, column)) {
              if (line) assert.equal(line.result, values['/input/text']);
              else
                assert.ok(
                  !lines.some(({ item_sha256: id }) => id === identities[at]),
                  'a result of an input that is there is not lost',
                );
            }
        assert.deepEqual(resultsIn(unknown), resultsIn(known));
        const metrics = [{ name: 'accuracy', tolerance: 0 }] as const;
        assert.deepEqual(await wholeSummary(unknown, metrics), await wholeSummary(known, metrics));
      }),
      { numRuns: 150 },
    );
  });

  it('get rows of their own, without a measure, when their inputs are deleted', async () => {
    const before = [{ '/input/text': 'kept' }, { '/input/text': 'gone' }];
    const lines = linesOf(planOf(before, contracts));
    for (const known of [contracts, none]) {
      const results = byId(lines);
      const { plan, strays } = placedPlan(planOf([{ '/input/text': 'kept' }], known), results);
      const table = new ExperimentTable(plan, results, comparingOf(undefined));
      assert.deepEqual(
        plan.items.map(({ name, isGone = false }) => `${name} ${isGone}`).join(),
        'row 2 false,row 3 true',
      );
      assert.equal(
        table
          .runs(1, 0)
          .map(({ line }) => line?.result)
          .join(),
        'gone,gone',
      );
      const { columns } = await summarise(table, [{ name: 'accuracy', tolerance: 0 }]);
      assert.equal(columns[0]?.finished, 2);
      assert.match(
        strayTexts(strays, 'en').join(),
        /^4 results are of inputs that have changed or are gone: row 3 \(\$0\.04\)/,
      );
    }
  });

  it('match in a file of an older version only where that is certain', () => {
    const before = [{ '/input/text': 'kept' }, { '/input/text': 'gone' }];
    const lines = linesOf(planOf(before, contracts)).map(({ item_sha256: _, ...line }) => line as ResultLine);
    const after = [{ '/input/text': 'new' }, { '/input/text': 'kept' }];
    for (const known of [contracts, none]) {
      const table = tableOf(planOf(after, known), lines);
      const results = Array.from({ length: table.rows }, (_, at) => table.runs(at, 0)[0]?.line?.result);
      assert.deepEqual(results, [undefined, 'kept', 'gone']);
    }
  });

  it('keep their place when the contract now rejects them, and are not sent', () => {
    const rows = [{ '/input/text': 'x', '/params/top_k': '9' }];
    const lines = linesOf(planOf(rows, contracts));
    const strict = new Map(
      ['a', 'b'].map((slug) => [
        slug,
        readModel(
          {
            slug,
            input_schema: { type: 'object' },
            params_schema: { type: 'object', properties: { top_k: { type: 'integer', maximum: 5 } } },
          },
          slug,
        )!,
      ]),
    );
    const plan = planOf(rows, strict);
    assert.equal(plan.runs.length, 0);
    assert.ok(plan.unsent.length === 4 && plan.unsent.every(({ isRejected }) => isRejected));
    assert.equal(placedPlan(plan, byId(lines)).plan.runs.length, 4);
  });
});

describe('The identity of an input', () => {
  it('follows from its values and the content of its files, not from names, places or the order of values', () => {
    const file = (uri: string, sha256: string) => ({
      path: '',
      uri,
      filename: 'cat.png',
      sizeBytes: 1,
      sha256,
    });
    const picture = (uri: string, sha256: string) => ({
      values: { '/input/image': { media_ref: uri, filename: 'cat.png' } },
      files: [file(uri, sha256)],
    });
    assert.equal(itemSha256(picture('file:///a.png', '11')), itemSha256(picture('file:///c%3A/b.png', '11')));
    assert.notEqual(itemSha256(picture('file:///a.png', '11')), itemSha256(picture('file:///a.png', '22')));
    const a = { '/input/a': '1', '/input/b': '2' };
    const b = { '/input/b': '2', '/input/a': '1' };
    assert.equal(itemSha256({ values: a, files: [] }), itemSha256({ values: b, files: [] }));
  });
});
