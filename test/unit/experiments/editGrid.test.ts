import assert from 'node:assert/strict';
import fc from 'fast-check';
import { metricName } from '../../../src/experiments/file/askedMetrics';
import { readExperiment } from '../../../src/experiments/file/read';
import { METRIC_NAMES, withGrid } from '../../../src/experiments/setup/edits';

const TEXT = `{
  // why this is tried
  "version": 1,
  "run": { "model": "language-id", "input": {} },
  "vary": { "/model": ["language-id"], "/params/top_k": { "from": 1, "to": 3, "step": 1 } }, // three
  "over": { "rows": "labels.csv", "map": { "/input/text": "text" } },
  "expected": { "column": "language" },
  "metrics": [{ "metric": "json_equal", "tolerance": 0.5 }],
  "mine": 1
}
`;

describe('The grid of an experiment, edited in its table', () => {
  it('contains the edit, and keeps the comments and the rest', () => {
    const change = fc.record(
      {
        vary: fc.record({
          pointer: fc.constantFrom('/model', '/params/top_k', '/input/style'),
          values: fc.oneof(
            fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 5 }),
            fc.constant({ from: 0, to: 1, step: 0.25 }),
          ),
        }),
        repeats: fc.integer({ min: 1, max: 9 }),
        sample: fc.option(fc.integer({ min: 1, max: 9 })),
        metrics: fc.uniqueArray(fc.constantFrom(...METRIC_NAMES), { maxLength: 4 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(change, (asked) => {
        const after = withGrid(TEXT, asked);
        const { experiment } = readExperiment(after);
        assert.ok(after.includes('// why this is tried') && after.includes('"mine": 1'));
        if (asked.vary) assert.deepEqual(experiment!.vary![asked.vary.pointer], asked.vary.values);
        if (asked.repeats !== undefined) assert.equal(experiment!.repeats ?? 1, asked.repeats);
        if (asked.sample !== undefined)
          assert.deepEqual(
            experiment!.sample ?? null,
            asked.sample === null ? null : { inputs: asked.sample },
          );
        const names = experiment!.metrics!.map(metricName);
        if (asked.metrics) assert.deepEqual(names, asked.metrics);
        if (names.includes('json_equal')) assert.match(after, /"tolerance": 0\.5/);
        if (!asked.vary) assert.ok(after.includes('// three'));
        assert.equal(withGrid(after, asked), after, 'a second time changes nothing');
      }),
    );
  });

  it('stays unchanged when the experiment would become invalid', () => {
    assert.throws(() => withGrid(TEXT, { vary: { pointer: '/model', values: 'language-id' } }));
    assert.throws(() => withGrid(TEXT, { vary: { pointer: '/model', values: [] } }));
    assert.throws(() =>
      withGrid(TEXT, { vary: { pointer: '/params/k', values: { from: 3, to: 1, step: 1 } } }),
    );
    assert.equal(withGrid('{', { repeats: 2 }), '{');
  });
});
