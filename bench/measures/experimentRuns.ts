import type { ResultLine } from '../../src/experiments/results/resultLine';
import { type ChildSandbox, sandboxInChild } from '../../test/support/sandbox';
import { type Measure, timed } from '../measure';
import { runExperiment } from '../support/experiment';

const RUNS = Number(process.env.MODEL_BENCH_RUNS ?? 800);
const LATENCY_MS = 50;
/** Of the command line. */
const CONCURRENCY = 8;
const IDEAL_MS = (RUNS * LATENCY_MS) / CONCURRENCY;

/** The runs of an experiment against a slow service: measured like indexing, with a request for each run. */
export const experimentRuns: Measure = {
  name: 'experiment-runs',
  what: `${RUNS} runs at ${LATENCY_MS} ms latency, from the first request to the last response / runs · latency / ${CONCURRENCY}`,
  goals: [
    {
      ...{ figure: 'ideal', label: 'time / ideal', unit: '', atMost: 1.25 },
      missedBecause: 'each run has its own connection, and is on the disk before it leaves',
    },
    { figure: 'bare', label: 'a bare loop of the same requests / its ideal', unit: '' },
    { figure: 'seconds', label: 'time', unit: 's' },
  ],
  pairs: 15,
  async prepare({ folder }) {
    const sandbox = await sandboxInChild({ flags: ['--latency', String(LATENCY_MS), '--wallet', '1000000'] });
    return {
      async pair() {
        const took = durationOf(await runExperiment(sandbox, folder, RUNS));
        const bare = await timed(() => bareLoop(sandbox));
        return { ideal: took / IDEAL_MS, bare: bare / IDEAL_MS, seconds: took / 1_000 };
      },
      close: () => sandbox.stop(),
    };
  },
};

/** Milliseconds from the first request to the last response. */
function durationOf(runs: readonly ResultLine[]): number {
  const starts = runs.map(({ started_at: at = '' }) => Date.parse(at));
  const ends = runs.map(({ duration_ms: ms = 0 }, at) => starts[at]! + ms);
  return Math.max(...ends) - Math.min(...starts);
}

/** The same requests from as many loops, without other work: no journal, no budget, no results. */
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
