import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readResults } from '../../src/experiments/results';
import { root } from '../../test/support/paths';
import { type ChildSandbox, sandboxInChild } from '../../test/support/sandbox';
import { type Measure, timed } from '../measure';

const RUNS = Number(process.env.MODEL_BENCH_RUNS ?? 800);
const LATENCY_MS = 50;
/** Of the command line. */
const CONCURRENCY = 8;
const IDEAL_MS = (RUNS * LATENCY_MS) / CONCURRENCY;

/** The runs of an experiment against a service that takes its time: what indexing is measured by, a request for each run. */
export const experimentRuns: Measure = {
  name: 'experiment-runs',
  what: `${RUNS} runs at ${LATENCY_MS} ms latency, from the first request to the last response / runs · latency / ${CONCURRENCY}`,
  goals: [
    { figure: 'ideal', label: 'time / ideal', unit: '', atMost: 1.15 },
    { figure: 'bare', label: 'a bare loop of the same requests / its ideal', unit: '' },
    { figure: 'seconds', label: 'time', unit: 's' },
  ],
  pairs: 15,
  async prepare({ folder }) {
    const sandbox = await sandboxInChild({ flags: ['--latency', String(LATENCY_MS), '--wallet', '1000000'] });
    return {
      async pair() {
        const took = await run(sandbox, await writeExperiment(folder));
        const bare = await timed(() => bareLoop(sandbox));
        return { ideal: took / IDEAL_MS, bare: bare / IDEAL_MS, seconds: took / 1_000 };
      },
      close: () => sandbox.stop(),
    };
  },
};

/** In a folder of its own: nothing has a result, and the command line has no state. */
async function writeExperiment(folder: string): Promise<string> {
  const own = await mkdtemp(path.join(folder, 'runs-'));
  const rows = Array.from({ length: RUNS }, (_, at) => `text number ${at}\n`);
  await writeFile(path.join(own, 'texts.csv'), `text\n${rows.join('')}`);
  const over = { rows: 'texts.csv', map: { '/input/text': 'text' } };
  await writeFile(
    path.join(own, 'a.experiment.json'),
    JSON.stringify({ run: { model: 'language-id', input: {} }, over }),
  );
  return own;
}

/** Milliseconds from the first request to the last response. */
async function run({ baseUrl, apiKey }: ChildSandbox, folder: string): Promise<number> {
  const words = ['experiment', path.join(folder, 'a.experiment.json'), '--base-url', baseUrl];
  const child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', path.join(root, 'src/cli/main.ts')],
      ...[...words, '--max-cost', '1000', '--state', path.join(folder, 'state')],
    ],
    { cwd: root, env: { ...process.env, MODEL_BENCH_API_KEY: apiKey }, stdio: 'ignore' },
  );
  await once(child, 'close');
  const { results } = readResults(await readFile(path.join(folder, 'a.results.jsonl'), 'utf8'));
  const finished = results.filter(({ state }) => state === 'finished');
  if (finished.length !== RUNS) throw new Error(`${finished.length} of ${RUNS} runs finished.`);
  const starts = finished.map(({ started_at: at = '' }) => Date.parse(at));
  const ends = finished.map(({ duration_ms: ms = 0 }, at) => starts[at]! + ms);
  return Math.max(...ends) - Math.min(...starts);
}

/** The same requests from as many loops, with nothing else done: no journal, no budget, no results. */
async function bareLoop({ baseUrl, apiKey }: ChildSandbox): Promise<void> {
  let left = RUNS;
  const loop = async () => {
    for (; left > 0; ) {
      left -= 1;
      const response = await fetch(`${baseUrl}/api/runs`, {
        method: 'POST',
        headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          ...{ model: 'language-id', mode: 'execute', params: {} },
          input: { text: `text number ${left}` },
        }),
      });
      if (!response.ok) throw new Error(`A run was rejected: ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
}
