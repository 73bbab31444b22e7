import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readResults } from '../support/atOnce';
import { tellFigures } from '../support/figures';
import { cliProgram } from '../support/programs';
import { sandboxInChild } from '../support/sandbox';

const ROWS = 20;
const SECONDS = 2;
/** Of the command line. */
const CONCURRENCY = 8;
const LEAST_OF_IDEAL = 0.9;

describe('Variations that take different times', () => {
  it('do not slow each other down', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mixed-durations-'));
    const [sandbox, cli] = await Promise.all([sandboxInChild({ flags: ['--wallet', '1000'] }), cliProgram()]);
    const texts = Array.from({ length: ROWS }, (_, n) => `text ${n}\n`).join('');
    await writeFile(path.join(folder, 'texts.csv'), `text\n${texts}`);
    const file = path.join(folder, 'try.experiment.json');
    const over = { rows: 'texts.csv', map: { '/input/text': 'text' } };
    const vary = { '/params/seconds': [0, SECONDS] };
    await writeFile(file, JSON.stringify({ run: { model: 'slow-echo', input: {} }, vary, over }));
    const words = ['experiment', file, '--base-url', sandbox.baseUrl, '--max-cost', '100'];
    const child = spawn(process.execPath, [cli, ...words, '--state', path.join(folder, 'state')], {
      env: { ...process.env, MODEL_BENCH_API_KEY: sandbox.apiKey },
      stdio: 'ignore',
    });
    await once(child, 'close');
    const { results } = readResults(await readFile(path.join(folder, 'try.results.jsonl'), 'utf8'));
    await sandbox.stop();
    await rm(folder, { recursive: true });
    const finished = results.filter(({ state }) => state === 'finished');
    assert.equal(finished.length, 2 * ROWS);
    const starts = finished.map(({ started_at: at = '' }) => Date.parse(at));
    const ends = finished.map(({ duration_ms: ms = 0 }, n) => starts[n]! + ms);
    const took = Math.max(...ends) - Math.min(...starts);
    // Eight at a time; the last ones cannot be split.
    const ideal = Math.ceil(ROWS / CONCURRENCY) * SECONDS * 1_000;
    tellFigures({
      case: `runs of 0 and ${SECONDS} s, eight at a time`,
      tried: finished.length,
      ...{ lost: 2 * ROWS - finished.length, doubled: 0, leaked: 0 },
      note: `${(took / 1_000).toFixed(1)} s, ${((100 * ideal) / took).toFixed(0)}% of the ideal pace`,
    });
    assert.ok(ideal / took >= LEAST_OF_IDEAL, `${took} ms of ${ideal} ms`);
  });
});
