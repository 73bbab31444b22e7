import assert from 'node:assert/strict';
import { readExperiment } from '../../../src/experiments/file/read';
import { markAt } from '../../../src/runFiles/text';

const RUN = '"run":{"model":"m","input":{}}';
/** As many parts as an experiment holds: it may have 1,000,000 characters and 30,000 values. */
const filled = (part: (at: number) => string, most = 14_000): string =>
  Array.from({ length: most }, (_, at) => part(at)).join(',');
const deep = (at: number, length: number) => `/input${'/a'.repeat(length)}/${at}`;

const LARGEST: Readonly<Record<string, string>> = {
  'varied places': `{${RUN},"vary":{${filled((at) => `"/params/p${at}":[1]`)}}}`,
  'values of one place': `{${RUN},"vary":{"/params/a":[${filled(String, 9_000)}]}}`,
  'varied places with as many values as are possible': `{${RUN},"vary":{${filled((at) => `"/params/p${at}":${at < 13 ? '[1,2]' : '[1]'}`, 100)}}}`,
  'long places that begin alike': `{${RUN},"vary":{${filled((at) => `"${deep(at, 4_000)}":[1]`, 100)}}}`,
  ranges: `{${RUN},"vary":{${filled((at) => `"/params/p${at}":{"from":0,"to":${at === 0 ? 9_999 : 0},"step":1}`, 100)}}}`,
  'ranges without end': `{${RUN},"vary":{${filled((at) => `"/params/p${at}":{"from":0,"to":1e300,"step":1e-300}`, 100)}}}`,
  'mapped places': `{${RUN},"over":{"rows":"a.csv","map":{${filled((at) => `"/input/p${at}":"a"`)}}}}`,
  'unknown members': `{${RUN},${filled((at) => `"u${at}":1`)}}`,
  metrics: `{${RUN},"expected":{"judged":true},"metrics":[${filled(() => '"accuracy"')}]}`,
  globs: `{${RUN},"over":{"files":[${filled(() => '"{a,b}*"', 9_000)}],"map":{"/input/a":"file"}}}`,
};

describe('The largest experiment of', () => {
  // Each takes well below a second; a step for each pair of places takes minutes.

  for (const [what, text] of Object.entries(LARGEST))
    it(`${what} parses completely, with marks`, () => {
      assert.ok(text.length <= 1_000_000, String(text.length));
      const read = readExperiment(text);
      assert.doesNotMatch(read.errors[0]?.message ?? '', /too many|too long|nested/);
      for (const { pointer } of read.problems) markAt(read.root, pointer);
    });
});
