import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResultLine } from '../../src/experiments/results/resultLine';
import { readResults } from '../../test/support/atOnce';
import { root } from '../../test/support/paths';
import type { ChildSandbox } from '../../test/support/sandbox';

/** Runs an experiment over `runs` texts from the command line, and resolves to its results. */
export async function runExperiment(
  { baseUrl, apiKey }: ChildSandbox,
  folder: string,
  runs: number,
): Promise<readonly ResultLine[]> {
  const own = await writeExperiment(folder, runs);
  const words = ['experiment', path.join(own, 'a.experiment.json'), '--base-url', baseUrl];
  const child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', path.join(root, 'src/cli/main.ts')],
      ...[...words, '--max-cost', '1000', '--state', path.join(own, 'state')],
    ],
    { cwd: root, env: { ...process.env, MODEL_BENCH_API_KEY: apiKey }, stdio: 'ignore' },
  );
  await once(child, 'close');
  const { results } = readResults(await readFile(path.join(own, 'a.results.jsonl'), 'utf8'));
  const finished = results.filter(({ state }) => state === 'finished');
  if (finished.length !== runs) throw new Error(`${finished.length} of ${runs} runs finished.`);
  return finished;
}

/** In a folder of its own: no run has a result, and the command line has no state. */
async function writeExperiment(folder: string, runs: number): Promise<string> {
  const own = await mkdtemp(path.join(folder, 'runs-'));
  const rows = Array.from({ length: runs }, (_, at) => `text number ${at}\n`);
  await writeFile(path.join(own, 'texts.csv'), `text\n${rows.join('')}`);
  const over = { rows: 'texts.csv', map: { '/input/text': 'text' } };
  await writeFile(
    path.join(own, 'a.experiment.json'),
    JSON.stringify({ run: { model: 'language-id', input: {} }, over }),
  );
  return own;
}
