import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { experimentFile } from '../../../src/experiments/file/format';
import { readExperiment } from '../../../src/experiments/file/read';
import { root } from '../../support/paths';

const schemaFile = path.join(root, 'schemas/experiment.schema.json');

const example = {
  version: 1,
  run: { model: 'language-id', input: {} },
  vary: { '/model': ['language-id', 'word-statistics'], '/params/top_k': { from: 1, to: 3, step: 1 } },
  over: { rows: 'labels.csv', map: { '/input/text': 'text' } },
  repeats: 1,
  expected: { column: 'language', at: '/language' },
  metrics: ['accuracy'],
};
const messages = (value: unknown) =>
  readExperiment(JSON.stringify(value)).problems.map(({ pointer }) => pointer);

describe('The file of an experiment', () => {
  // UPDATE=1 writes the schema after a change of the format.
  it('matches its published JSON schema', () => {
    const made = {
      ...z.toJSONSchema(experimentFile, { io: 'input', target: 'draft-7' }),
      title: 'Experiment of Model Bench',
      allowTrailingCommas: true,
    };
    if (process.env.UPDATE) writeFileSync(schemaFile, `${JSON.stringify(made, null, 2)}\n`);
    assert.deepEqual(JSON.parse(readFileSync(schemaFile, 'utf8')), made);
  });

  it('names the place of each problem', () => {
    const wrong: [string, object][] = [
      ['/run', { run: 3 }],
      ['/vary/~1model', { vary: { '/model': [] } }],
      ['/vary/~1params~1k', { vary: { '/params/k': { from: 2, to: 1, step: 1 } } }],
      ['/vary', { vary: { '/params/k': { from: 0, to: 1e9, step: 1 } } }],
      ['/repeats', { repeats: 0 }],
      ['/metrics/0', { metrics: ['best'] }],
      ['/metrics/0/ignore', { metrics: [{ metric: 'iou', ignore: ['case'] }] }],
      ['/expected/column', { over: { files: '*', map: { '/input/text': 'text' } } }],
      ['/expected', { expected: { folder: true } }],
      ['/metrics', { expected: undefined }],
      ['/version', { version: 7 }],
    ];
    for (const [pointer, change] of wrong) {
      const found = readExperiment(JSON.stringify({ ...example, ...change }));
      assert.ok(
        found.problems.some((problem) => problem.pointer.startsWith(pointer)),
        `${pointer}: ${JSON.stringify(found.problems)}`,
      );
      assert.equal(found.experiment, undefined);
      assert.ok(found.problems.every(({ message }) => !/undefined|\[object/.test(message)));
    }
  });

  it('follows no place of more than 100 parts or 1,000 characters', () => {
    const vary = (place: string) => ({ ...example, vary: { [`/input${place}`]: [1, 2] } });
    assert.deepEqual(messages(vary('/a'.repeat(99))), []);
    for (const place of ['/'.repeat(49_000), '/a'.repeat(100), `/${'a'.repeat(1_000)}`]) {
      const [problem] = readExperiment(JSON.stringify(vary(place))).problems;
      assert.match(problem!.message, /at most 100 parts and 1000 characters/);
      const deep = { ...example, expected: { column: 'language', at: `/x${place}` } };
      assert.notDeepEqual(messages(deep), []);
      assert.notDeepEqual(
        messages({ ...example, over: { ...example.over, map: { [`/input${place}`]: 'a' } } }),
        [],
      );
    }
  });

  it('keeps members that it does not know, and reports them', () => {
    const { problems, experiment } = readExperiment(JSON.stringify({ ...example, owner: 'Ada' }));
    assert.deepEqual(
      problems.map(({ pointer, severity }) => [pointer, severity]),
      [['/owner', 'warning']],
    );
    assert.equal(experiment?.owner, 'Ada');
  });

  it('never throws for any text or JSON', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { problems, experiment } = readExperiment(text);
        assert.ok(experiment !== undefined || problems.length > 0);
      }),
    );
    const places = fc.constantFrom(...Object.keys(example));
    fc.assert(
      fc.property(places, fc.jsonValue(), (place, value) => {
        readExperiment(JSON.stringify({ ...example, [place]: value }));
      }),
    );
  });

  it('accepts thresholds of measured metrics, and names the fault of others', () => {
    const problemsWith = (thresholds: unknown) =>
      readExperiment(
        JSON.stringify({
          ...{ run: { model: 'm' }, over: { rows: 'a.csv', map: {} }, expected: { column: 'b' } },
          ...{ metrics: ['accuracy'], thresholds },
        }),
      ).problems.map(({ pointer, message }) => `${pointer}: ${message}`);
    for (const right of ['>= 0.9', '>0', '<= 1', ' < 12.5 '])
      assert.deepEqual(problemsWith({ accuracy: right }), []);
    assert.deepEqual(problemsWith({ thumbs_up: '> 0.5' }), [], 'people may judge');
    const shape = '/thresholds/accuracy: Enter an operator and a number in quotes, such as ">= 0.9".';
    for (const wrong of ['0.9', '= 0.9', '>= a', 0.9, null])
      assert.deepEqual(problemsWith({ accuracy: wrong }), [shape], JSON.stringify(wrong));
    assert.deepEqual(problemsWith({ acuracy: '> 1' }), [
      '/thresholds/acuracy: “acuracy” is not measured: add it to "metrics".',
    ]);
    assert.deepEqual(problemsWith({ iou: '> 1' }), [
      '/thresholds/iou: “iou” is not measured: add it to "metrics".',
    ]);
  });
});
