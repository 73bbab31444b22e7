import assert from 'node:assert/strict';
import { summarise } from '../../../src/experiments/figures/summary';
import type { ExperimentFile } from '../../../src/experiments/file/format';
import { isShare, type Metric, metricRange } from '../../../src/experiments/metrics/metrics';
import type { JudgementLine } from '../../../src/experiments/results/judgements';
import { comparingOf, placeIn } from '../../../src/experiments/results/measuredValue';
import { keptResult } from '../../../src/experiments/results/resultBody';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { timeText } from '../../../src/experiments/table/glance';
import { measureRun } from '../../../src/experiments/table/measureRun';
import { ExperimentTable, type TablePlan } from '../../../src/experiments/table/table';
import { rowOf, tableOf } from '../../support/experiments/table';

const accuracy = { name: 'accuracy', tolerance: 0 } as const;

describe('The summary of a column', () => {
  const timed = (...times: (number | undefined)[]) => {
    const states: readonly ResultLine['state'][] = ['finished', 'failed', 'unconfirmed'];
    return tableOf({
      variations: [{}],
      items: times.map((_, at) => rowOf('x'.repeat(at + 1), 'x')),
      line: ({ item }) =>
        times[item] === -1
          ? undefined
          : {
              state: states[times[item] !== undefined && times[item] >= 1_000 ? (times[item] % 2) + 1 : 0]!,
              ...(times[item] !== undefined && { duration_ms: times[item] }),
            },
    });
  };

  it('counts its runs by state, and takes the times of finished ones', async () => {
    // Sorted as texts, 9 would be the longest.
    const [column] = (await summarise(timed(100, 9, 20, undefined, 1_000, 1_001, 1_003, -1), [])).columns;
    const { finished, failed, unconfirmed, missing, median, percentile95 } = column!;
    assert.deepEqual([finished, failed, unconfirmed, missing], [4, 1, 2, 1]);
    assert.deepEqual([median, percentile95], [20, 100]);
  });

  it('counts a run once that serves several rows, finished or failed', async () => {
    const line = (id: string, ms: number): ResultLine => ({
      ...{ custom_id: id, variation: {}, item: id, repeat: 0, request_sha256: id },
      ...{ state: 'finished', duration_ms: ms, result: id },
    });
    const plan: TablePlan = {
      variations: [{}],
      items: ['a', 'b', 'c', 'd'].map((name) => rowOf(name, name)),
      runs: [
        { customId: 'shared', repeat: 0, serves: [0, 1, 2].map((item) => ({ variation: 0, item })) },
        { customId: 'own', repeat: 0, serves: [{ variation: 0, item: 3 }] },
      ],
    };
    const results = new Map([line('shared', 10), line('own', 30)].map((one) => [one.custom_id, one]));
    const of = async (metrics: readonly Metric[]) =>
      (await summarise(new ExperimentTable(plan, results, comparingOf(undefined)), metrics)).columns[0]!;
    const { finished, median, percentile95, timed } = await of([]);
    assert.deepEqual([finished, median, percentile95, timed], [2, 20, 30, 2]);
    results.set('shared', { ...line('shared', 10), state: 'failed' });
    const { failed, metrics } = await of([{ name: 'accuracy', tolerance: 0 }]);
    const { measured } = metrics[0]!;
    assert.deepEqual([failed, measured?.failed, measured?.count], [1, 1, 4]);
  });

  it('compares with the baseline, which has no comparison itself', async () => {
    const table = tableOf({
      variations: ['a', 'b', 'c'].map((model) => ({ '/model': model })),
      items: [rowOf('one', 'x'), rowOf('four', 'y')],
      line: ({ variation, item }) => ({ result: variation > item ? 'x' : 'y' }),
    });
    const differences = async (baseline?: number) =>
      (await summarise(table, [accuracy], baseline)).comparisons.map((column) =>
        column.map((one) => one?.difference),
      );
    assert.deepEqual(await differences(), [[], [0.5], [0]]);
    assert.deepEqual(await differences(1), [[-0.5], [], [-0.5]]);
  });
});

describe('The times of a column', () => {
  it('claim 95% where as many ended by then, and of fewer than 20 runs all', async () => {
    for (let count = 1; count < 59; count++) {
      const table = tableOf({
        variations: [{}],
        items: Array.from({ length: count }, (_, at) => rowOf('x'.repeat(at))),
        line: ({ item }) => ({ result: '', duration_ms: 1000 * (item + 1) }),
      });
      const [column] = (await summarise(table, [])).columns;
      const [, share, limit] = / (all|95%) within ([\d.]+) s, n /.exec(timeText(column!, 'en')!)!;
      const within = Array.from({ length: count }, (_, at) => at + 1).filter((one) => one <= Number(limit));
      assert.ok(
        within.length / count >= (share === 'all' ? 1 : 0.95),
        `${count} runs: ${share} within ${limit}`,
      );
      assert.equal(share, count < 20 ? 'all' : '95%');
    }
  });
});

describe('One run of a cell', () => {
  const states = ['finished', 'failed', 'unconfirmed', undefined] as const;
  const table = (failedIsWrong: boolean, judgements: readonly JudgementLine[] = []) => {
    const made = tableOf({
      variations: [{}],
      items: [
        ...states.map((_, at) => rowOf('x'.repeat(at + 1), 'x')),
        rowOf('blank', ''),
        rowOf('unread', 'x'),
      ],
      comparing: { failedIsWrong },
      line: ({ item }) => {
        if (item === 4) return { state: 'failed' };
        if (item === 5) return { result_file: 'a.results/gone.json' };
        return states[item] && { state: states[item], result: 'x' };
      },
    });
    return new ExperimentTable(made.plan, made.results, made.comparing, judgements);
  };
  const values = (of: ExperimentTable, name: 'accuracy' | 'absolute_error' | 'score' = 'accuracy') =>
    of.plan.items.map((_, row) => {
      const [run] = of.runs(row, 0);
      return run?.line && measureRun(of, { row, column: 0 }, run.line, { name, tolerance: 0 });
    });

  it('counts once it finished with a readable result, and counts as wrong if it failed', () => {
    assert.deepEqual(values(table(true)), [1, 0, undefined, undefined, undefined, undefined]);
    assert.deepEqual(values(table(false)), [1, undefined, undefined, undefined, undefined, undefined]);
  });
});

describe('The comparison that an experiment asks for', () => {
  const of = (more: object) =>
    comparingOf({ run: { model: 'a', input: {} }, ...more } as unknown as ExperimentFile);

  it('counts failed runs as wrong unless the file says otherwise', () => {
    assert.deepEqual(
      [undefined, 'wrong', 'unmeasured'].map((failed) => of({ failed }).failedIsWrong),
      [true, true, false],
    );
  });

  it('reads one place of the result, or one for each model', () => {
    const byModel = { a: '/label', b: '/class' };
    const at = (more: object) => of(more).at;
    assert.equal(at({}), '');
    assert.equal(at({ expected: { column: 'x' } }), '');
    assert.equal(at({ expected: { judged: true } }), '');
    assert.equal(at({ expected: { column: 'x', at: '/label' } }), '/label');
    assert.equal(at({ expected: { column: 'x', at: byModel } }), '/label', 'that of its one model');
    assert.equal(at({ expected: { column: 'x', at: byModel }, run: { model: 'b', input: {} } }), '/class');
    assert.equal(at({ expected: { column: 'x', at: byModel }, run: { model: 'c', input: {} } }), '');
    assert.equal(at({ expected: { column: 'x', at: byModel }, run: 'a.run.json' }), '/label');
    const varied = at({ expected: { column: 'x', at: byModel }, vary: { '/model': ['a', 'b'] } });
    assert.deepEqual(
      ['a', 'b', 'c', 'toString'].map((model) => placeIn(varied, { '/model': model })),
      ['/label', '/class', '', ''],
    );
    assert.equal(at({ expected: { column: 'x', at: '/label' }, vary: { '/model': ['a'] } }), '/label');
  });
});

describe('The values of a metric', () => {
  const judge = (rule: object) => ({ name: 'judge', judge: rule }) as Metric;

  it('lie in its range, and are shares of rows only where each is 0 or 1', () => {
    for (const [metric, low, high, share] of [
      [judge({ kind: 'rubric', from: 2, to: 4 }), 2, 4, false],
      [judge({ kind: 'choices', scores: { good: 1, bad: 0 } }), 0, 1, true],
      [judge({ kind: 'choices', scores: { good: 2, so: 1, bad: 0.5 } }), 0.5, 2, false],
      [judge({ kind: 'pairwise', first: 'A', second: 'B', tie: 'tie', baseline: {} }), 0, 1, false],
      [{ name: 'score', tolerance: 0 }, 1, 5, false],
      [accuracy, 0, 1, true],
      [{ name: 'rouge_l', tolerance: 0 }, 0, 1, false],
      [{ name: 'edit_distance', tolerance: 0 }, 0, Infinity, false],
    ] as const) {
      assert.deepEqual(metricRange(metric), { low, high }, JSON.stringify(metric));
      assert.equal(isShare(metric), share, JSON.stringify(metric));
    }
  });
});

describe('A kept result', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const raw = (of: string, contentType: string, json?: unknown) =>
    ({ status: 200, headers: {}, bytes: bytes(of), contentType, json }) as never;

  it('stays undefined without a result, and becomes a file if the response is not JSON', () => {
    assert.equal(keptResult({ output: undefined, raw: raw('{}', 'application/json', {}) }), undefined);
    const kept = keptResult({ output: null, raw: raw('ID3 sound', 'audio/mpeg') });
    assert.deepEqual(
      kept?.files.map(({ extension, bytes: own }) => [extension, Buffer.from(own).toString()]),
      [['mp3', 'ID3 sound']],
    );
    assert.match(String(kept?.result), /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(
      keptResult({ output: null, raw: raw('null', 'application/json', null) })?.files.length,
      0,
    );
    assert.deepEqual(keptResult({ output: null, raw: raw('', 'text/plain') }), { result: null, files: [] });
  });

  it('stays in its line up to 16,000 characters as JSON, and becomes a file above that', () => {
    const kept = (length: number) =>
      keptResult({ output: 'x'.repeat(length), raw: raw('', 'application/json', {}) })!;
    assert.deepEqual(kept(15_998).files, []);
    const long = kept(15_999);
    assert.deepEqual(
      [long.result, long.files[0]?.extension, long.files[0]?.bytes.length],
      [undefined, 'txt', 15_999],
    );
    const list = keptResult({ output: Array(9_000).fill(1), raw: raw('', 'application/json', {}) })!;
    assert.equal(list.files[0]?.extension, 'json');
    assert.deepEqual(JSON.parse(Buffer.from(list.files[0]!.bytes).toString()), Array(9_000).fill(1));
  });
});
