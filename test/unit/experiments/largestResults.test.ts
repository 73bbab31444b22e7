import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MOST_UNREADABLE } from '../../../src/experiments/results/results';
import type * as resultsFile from '../../../src/experiments/results/resultsFile';
import { useCounted } from '../../support/countedWork';

/** Steps of reading a byte. */
const MOST_STEPS = 60;
/** Steps between two looks at the clock, which ends a turn after some milliseconds; 10,000 take 0.1 ms. */
const MOST_STEPS_AT_ONCE = 10_000;

const repeated = (count: number, line: (at: number) => string) =>
  `${Array.from({ length: count }, (_, at) => line(at)).join('\n')}\n`;
const ofRun = (id: string, at: number, more: object) =>
  JSON.stringify({ custom_id: id, started_at: new Date(at).toISOString(), ...more });
const paid = { state: 'finished', cost: { amount: '0.1' } };

/** Files that are as large as their kind may be, or large enough to tell growth. */
const READ: Readonly<Record<string, string>> = {
  'blank lines': '\n'.repeat(200_000),
  'lines that cannot be read': 'x\n'.repeat(MOST_UNREADABLE),
  runs: repeated(20_000, (at) => ofRun(`r${at}`, at, paid)),
  'paid requests of one run': repeated(20_000, (at) => ofRun('a', at, paid)),
  'senders of one run': repeated(20_000, (at) => ofRun('a', at, { state: 'sent', sender: `s${at}` })),
  judgements: repeated(20_000, (at) =>
    JSON.stringify({ judgement: 'accepted', custom_id: `r${at}`, judged_at: '2026-01-01T00:00:00Z' }),
  ),
  'lines of the greatest length': repeated(10, (at) =>
    ofRun(`r${at}`, at, { ...paid, result: 'x'.repeat(1_900_000) }),
  ),
  'deep lines': repeated(50, (at) => `${'['.repeat(5_000)}${at}${']'.repeat(5_000)}`),
};

describe('The largest results file of', () => {
  const counted = useCounted<typeof resultsFile>(['src/experiments/results/resultsFile.ts']);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-largest-'));
  });
  after(() => rm(folder, { recursive: true }));
  const written = async (text: string) => {
    const file = path.join(folder, 'try.results.jsonl');
    await writeFile(file, text);
    return file;
  };

  for (const [what, text] of Object.entries(READ))
    it(`${what} is read in short turns, in steps that grow with its length`, async () => {
      const file = await written(text);
      let looks = 0;
      const { now } = performance;
      performance.now = () => {
        looks += 1;
        return now.call(performance);
      };
      try {
        const steps = await counted.steps(() => counted.code.readResultsFile(file));
        assert.ok(steps < MOST_STEPS * text.length, `${steps} steps for ${text.length} characters`);
        assert.ok(steps < MOST_STEPS_AT_ONCE * looks, `${looks} looks at the clock in ${steps} steps`);
      } finally {
        performance.now = now;
      }
    });
});
