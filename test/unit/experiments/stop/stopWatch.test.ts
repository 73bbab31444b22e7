import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Json } from '../../../../src/domain/json';
import { writeBody } from '../../../../src/experiments/files/bodies';
import type { PlannedRun } from '../../../../src/experiments/plan/plan';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { endedTexts, StopWatch } from '../../../../src/experiments/stop/stopWatch';
import { loadedOf, runWithId } from '../../../support/experiments/plannedRuns';

const ROWS = 30;
const FIRST_AND_SECOND = [0, 1].map((variation) => ({ variation, item: 0 }));
const items = Array.from({ length: ROWS }, (_, n) => ({
  ...{ name: `row ${n}`, values: { '/input/n': n }, files: [], expected: '1' },
}));
/** Two columns of runs, and one run that both show. */
const runs: PlannedRun[] = [0, 1].flatMap((variation) =>
  items.flatMap((_, item) =>
    [0, 1].map((repeat) => ({
      ...runWithId(`${variation}-${item}-${repeat}`, [{ variation, item }]),
      repeat,
    })),
  ),
);
const shared = { ...runWithId('shared', FIRST_AND_SECOND), repeat: 2 };

function watchOf(metric = 'accuracy', at = '', columns = 2, planned = [...runs, shared], own = items) {
  const variations = Array.from({ length: columns }, (_, n) => ({ '/params/k': n }));
  const experiment = { expected: { column: 'label', at }, stop: { metric, confidence: 0.95 } };
  const metrics = [{ name: 'json_equal', tolerance: 10 }];
  const loaded = { ...loadedOf(planned, { variations, items: own }), experiment, metrics };
  return (results = '/try.results.jsonl') => StopWatch.of(loaded as never, results);
}

/** The results of a column, each of one repeat. */
const lines = (
  column: number,
  result: Json,
  { repeat = 0, rows = ROWS, ...more }: Partial<ResultLine> & { rows?: number } = {},
) =>
  Array.from({ length: rows }, (_, item) => ({
    ...{ custom_id: `${column}-${item}-${repeat}`, variation: {}, item: '', repeat, request_sha256: '' },
    ...{ state: 'finished' as const, result, ...more },
  }));

describe('The columns of an experiment that end early', () => {
  const ended = (watch: StopWatch | undefined) => [...(watch?.ended.keys() ?? [])];

  it('do worse than another by the first repeat of each input, for metrics of either direction', () => {
    for (const [metric, worse] of [
      ['accuracy', 1],
      ['absolute_error', 1],
    ] as const) {
      const watch = watchOf(metric)()!;
      watch.add([...lines(0, '1', { repeat: 1 }), ...lines(1, '9', { repeat: 1 })]);
      assert.deepEqual(ended(watch), [], 'repeats say the same again');
      watch.add([...lines(0, '1'), ...lines(1, '9')]);
      assert.deepEqual(ended(watch), [worse], metric);
      const of = (customId: string) => watch.isEnded({ customId });
      assert.deepEqual(['1-29-0', '1-29-1', '0-29-0', 'shared', 'other'].map(of), [
        true,
        true,
        false,
        false,
        false,
      ]);
      assert.match(
        endedTexts(watch, ['good', 'bad']).get(1) ?? '',
        /^ended early after \d+ inputs: good is better, right alone on \d+ of them and wrong alone on 0$/,
      );
    }
  });

  it('count a failed run as wrong, and no input without a run, as of a sample', () => {
    const sampled = runs.filter(({ customId }) => customId !== '0-3-0');
    for (const planned of [runs, sampled]) {
      const watch = watchOf('accuracy', '', 2, planned)()!;
      watch.add([...lines(0, '1'), ...lines(1, '1', { state: 'failed' })]);
      assert.deepEqual(ended(watch), [1]);
    }
  });

  it('stay with few inputs, equal results, no results of one of them, or nothing to compare', () => {
    for (const [at, all, metric = 'accuracy'] of [
      ['', [...lines(0, '1', { rows: 3 }), ...lines(1, '9', { rows: 3 })]],
      ['', [...lines(0, '9'), ...lines(1, '9')]],
      ['', lines(0, '1')],
      ['/label', [...lines(0, { label: '1' }), ...lines(1, { other: '1' })]],
      // The tolerance of the experiment.
      ['', [...lines(0, 1), ...lines(1, 9)], 'json_equal'],
    ] as const) {
      const watch = watchOf(metric, at)()!;
      watch.add(all);
      assert.deepEqual(ended(watch), []);
    }
    assert.equal(watchOf('accuracy', '', 1)(), undefined, 'one column has no rival');
    assert.equal(StopWatch.of(loadedOf(runs, { variations: [{}, {}], items }), ''), undefined);
    assert.equal(endedTexts(undefined, []).size, 0);
  });

  it('stay where all inputs are equal, which count as one', () => {
    const alike = items.map((item) => ({ ...item, values: { '/input/n': 1 } }));
    const watch = watchOf('accuracy', '', 2, [...runs, shared], alike)()!;
    watch.add([...lines(0, '1'), ...lines(1, '9')]);
    assert.deepEqual(ended(watch), []);
  });

  it('follow from results in files of their own once these are written', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'model-bench-stop-'));
    const file = path.join(folder, 'try.results.jsonl');
    const name = 'try.results/long.json';
    const { result: _, ...long } = lines(1, null)[0]!;
    const others = lines(1, null).map(({ custom_id }) => ({ ...long, custom_id, result_file: name }));
    const watch = watchOf('accuracy', '/label')(file)!;
    await watch.follow([...lines(0, { label: '1' }), ...others]);
    assert.deepEqual(ended(watch), []);
    await writeBody(file, name, Buffer.from('{"label":"9"}'));
    await watch.follow([]);
    assert.deepEqual(ended(watch), [1]);
    const again = watchOf('accuracy', '/label')(file)!;
    await again.read([...lines(0, { label: '1' }), ...others]);
    assert.deepEqual(ended(again), [1]);
    await rm(folder, { recursive: true });
  });
});
