import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { splitResult } from '../../src/experiments/results/resultMedia';
import { readList } from '../../src/readers/list';
import { niceTicks } from '../../webview/experiment/charts/plot';
import { readUsage } from '../support/atOnce';
import { root } from '../support/paths';

/** Spread into a call here: a few values of ours, or one page of the store. */
const SHORT_LISTS: ReadonlySet<string> = new Set([
  'src/commands/files.ts',
  'src/experiments/metrics/metrics.ts',
  'src/experiments/plan/plan.ts',
  'src/experiments/table/figureTexts.ts',
  'src/experiments/table/glance.ts',
  'src/features/agents/grantItem.ts',
  'src/features/indexing/datasetCommands.ts',
  'src/indexing/plan.ts',
  'src/intake/fileCheck.ts',
  'src/jobs/workQueue.ts',
  'src/results/classify.ts',
  'src/runs/history/jobRuns.ts',
  'src/runs/receipts/activitySince.ts',
  'src/service/retryAfter.ts',
  'src/service/throttle/announcedLimit.ts',
  'src/service/throttle/pause.ts',
  'src/store/datasets.ts',
  'src/store/jobs.ts',
  'webview/run/experiment/values.ts',
  'webview/run/files.ts',
]);

describe('A list of 300,000 values', () => {
  const size = 300_000;
  const numbers = Array.from({ length: size }, (_, at) => at);

  it('appears in results, lists, usage and charts', () => {
    const picture = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(5_000)}`;
    assert.ok(splitResult([numbers, { image: picture }, Object.fromEntries(numbers.entries())]));
    const envelope = Object.fromEntries(numbers.map((at) => [`k${at}`, {}]));
    assert.equal(readList({ items: [], ...envelope })?.goesOn, false);
    readUsage(Object.fromEntries(numbers.slice(0, 150_000).map((at) => [`k${at}`, { cost: '1' }])));
    assert.ok(niceTicks(numbers).length > 1);
  });

  it('never becomes the arguments of one call, which takes some 100,000', () => {
    const spread = /\b(?:Math\.(?:max|min)|push|unshift|fromCharCode)\(\s*\.\.\./;
    const files = globSync('{src,webview}/**/*.ts', { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !file.startsWith('src/sandbox/') && !SHORT_LISTS.has(file));
    assert.ok(files.length > 500);
    const found = files.filter((file) => spread.test(readFileSync(path.join(root, file), 'utf8')));
    assert.deepEqual(found, [], 'use addAll, greatestOf and leastOf of domain/many.ts');
  });
});
