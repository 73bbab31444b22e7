import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readModel } from '../../../src/contracts/model';
import type { Json } from '../../../src/domain/json';
import type { ModelContract } from '../../../src/domain/model';
import type { ExperimentItem } from '../../../src/experiments/file/items';
import { randomOrder } from '../../../src/experiments/file/sample';
import { variationsOf } from '../../../src/experiments/plan/grid';
import { modelsOf, type PlanOrder } from '../../../src/experiments/plan/plan';
import { planProblemPlace } from '../../../src/experiments/plan/planProblemPlace';
import { isInShard } from '../../../src/experiments/plan/runId';
import { planExperiment } from '../../support/atOnce';

const contractOf = (slug: string): ModelContract =>
  readModel(
    {
      slug,
      modes: {
        execute: {
          input_schema: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string' }, image: { type: 'object' }, strict: { type: 'boolean' } },
          },
          params_schema: {
            type: 'object',
            properties: { top_k: { type: 'integer', minimum: 1, maximum: 9 } },
          },
        },
      },
    },
    slug,
  )!;
const contracts = new Map(['a', 'b'].map((slug) => [slug, contractOf(slug)]));
const base = { model: 'a', mode: 'execute', input: {}, params: {} };
const rowsOf = (values: readonly Record<string, Json>[]): ExperimentItem[] =>
  values.map((value, at) => ({ name: `row ${at + 2}`, values: value, files: [] }));
const order = (items: ExperimentItem[], more: Partial<PlanOrder> = {}): PlanOrder => ({
  base,
  variations: variationsOf({ '/model': ['a', 'b'], '/params/top_k': [1, 2] }),
  items: { items, faults: [], isText: true },
  repeats: 2,
  contracts,
  ...more,
});

describe('The plan of an experiment', () => {
  it('contains a run for each variation, item and repeat, with the request to send', () => {
    const { runs: cells, problems } = planExperiment(
      order(rowsOf([{ '/input/text': 'x' }, { '/input/text': 'y' }])),
    );
    assert.deepEqual([cells.length, problems], [16, []]);
    assert.equal(new Set(cells.map(({ customId }) => customId)).size, 16);
    assert.deepEqual(cells[0]!.request.params, { top_k: 1 });
    assert.deepEqual([cells[1]!.request.model, cells[1]!.request.params], ['a', { top_k: 2 }]);
    assert.deepEqual(modelsOf(base, order([]).variations), ['a', 'b']);
  });

  it('checks each run as a form does, and plans no run that would be rejected', () => {
    const items = rowsOf([{ '/input/text': 'x' }, { '/params/top_k': '99', '/input/text': 'y' }, {}]);
    const { runs: cells, problems } = planExperiment(order(items, { variations: [{}], repeats: 1 }));
    assert.equal(cells.map(({ serves }) => serves[0]!.item).join(), '0');
    const places = problems.map(({ items: [item], pointer }) => `${item} ${pointer}`);
    assert.deepEqual(places, ['1 /params/top_k', '2 /input/text']);
  });

  it('reports a problem of several variations or inputs once, with their names', () => {
    const placesOf = (values: readonly Record<string, Json>[], vary: Parameters<typeof variationsOf>[0]) => {
      const plan = planExperiment(order(rowsOf(values), { variations: variationsOf(vary) }));
      return plan.problems.map((problem) => `${planProblemPlace(problem, plan)} ${problem.pointer}`);
    };
    const right = { '/input/text': 'x' };
    assert.deepEqual(placesOf([right, {}], { '/model': ['a', 'b'], '/params/top_k': [1, 2] }), [
      'row 3 (4 variations) /input/text',
    ]);
    assert.deepEqual(placesOf([{}, right, {}, {}], {}), ['row 2 and 2 more /input/text']);
    assert.deepEqual(placesOf([right, right], { '/model': ['a', 'b'], '/params/top_k': [1, 99] }), [
      'row 2 and 1 more (2 variations) /params/top_k',
    ]);
    assert.deepEqual(placesOf([right], { '/params/top_k': [1, 99] }), ['row 2, top_k 99 /params/top_k']);
    const alone = planExperiment({ ...order([{ name: '', values: {}, files: [] }]), variations: [{}] });
    assert.equal(alone.problems.map((problem) => planProblemPlace(problem, alone)).join(), 'The request');
    const wrong = (at: number) => ({ '/input/text': 'x', '/params/top_k': `no ${at}` });
    const many = Array.from({ length: 100 }, (_, at) => wrong(at));
    const plan = planExperiment(order(rowsOf(many), { variations: variationsOf({ '/model': ['a', 'b'] }) }));
    assert.deepEqual(
      plan.problems.map(({ items, variations }) => [items.size, variations.size]),
      [[100, 2]],
      'all are counted, however many there are',
    );
  });

  it('sends no path or address of a file that a cell gives as a reference', () => {
    const anything = readModel({ slug: 'a', input_schema: { type: 'object' } }, 'a')!;
    const refs = './a.txt ../../x /etc/passwd C:\\x ~/x FILE:///x vscode-local:/x file:///x'.split(' ');
    const rows = rowsOf([...refs, 'media_1'].map((ref) => ({ '/input/file/media_ref': ref })));
    const { runs, unsent } = planExperiment(
      order(rows, { variations: [{}], repeats: 1, contracts: new Map([['a', anything]]) }),
    );
    assert.deepEqual(runs.map(({ request }) => request.input.file)[0], { media_ref: 'media_1' });
    assert.equal(runs.length, 1);
    assert.equal(unsent.length, refs.length);
  });

  it('contains one run for two rows with the same request, and new runs only for changed values', () => {
    const twice = rowsOf([{ '/input/text': 'same' }, { '/input/text': 'same' }]);
    const { runs: cells } = planExperiment(order(twice));
    assert.equal(cells.length, 8);
    assert.ok(cells.every(({ serves }) => serves.length === 2));
    assert.ok(cells.every(({ otherIds }) => otherIds === undefined));
    const ids = (values: number[]) =>
      new Set(
        planExperiment(order(twice, { variations: variationsOf({ '/params/top_k': values }) })).runs.map(
          ({ customId }) => customId,
        ),
      );
    const [before, after] = [ids([1, 2, 3]), ids([1, 4, 3])];
    const added = [...after].filter((id) => !before.has(id)).length;
    assert.equal(added, 2, 'the new value’s, once for each repeat');
  });

  it('runs its inputs in the order of the seed, each with all variations, before any is repeated', () => {
    const rows = rowsOf(['a', 'b', 'c', 'd'].map((text) => ({ '/input/text': text })));
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { runs } = planExperiment(order(rows, { seed }));
        const wanted = randomOrder(rows, seed);
        assert.deepEqual(
          runs.map(({ repeat, serves }) => [repeat, serves[0]!.item]),
          [0, 1].flatMap((repeat) =>
            wanted.flatMap((item) => Array.from({ length: 4 }, () => [repeat, item])),
          ),
        );
      }),
      { numRuns: 24 },
    );
  });

  it('identifies a file by its content, in any place and with any name of its upload', () => {
    const item = (uri: string, sha256: string): ExperimentItem => ({
      name: uri,
      values: { '/input/text': 'x', '/input/image': { media_ref: uri, filename: 'cat.png' } },
      files: [{ path: '', uri, filename: 'cat.png', sizeBytes: 1, sha256 }],
    });
    const id = (one: ExperimentItem) =>
      planExperiment(order([one], { variations: [{}], repeats: 1 })).runs[0]!.customId;
    assert.equal(id(item('file:///a/cat.png', '11')), id(item('file:///c%3A/b/cat.png', '11')));
    assert.notEqual(id(item('file:///a/cat.png', '11')), id(item('file:///a/cat.png', '22')));
  });

  it('splits into disjoint shards that cover it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{24}-\d$/), fc.integer({ min: 1, max: 5 }), (id, of) => {
        const shards = Array.from({ length: of }, (_, at) => ({ number: at + 1, of }));
        assert.equal(shards.filter((shard) => isInShard(id, shard)).length, 1);
      }),
    );
  });
});
