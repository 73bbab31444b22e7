import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadExperiment } from '../../src/experiments/file/load';
import { itemSha256 } from '../../src/experiments/plan/runId';
import type { ResultLine } from '../../src/experiments/results/resultLine';
import { resultText } from '../../src/experiments/results/results';
import { resultPlaces } from '../../src/experiments/results/resultsFile';
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

const LABELS = ['en', 'de', 'fr', 'es'];
/** The experiment of `writeFinished`. */
export const FINISHED = {
  run: { model: 'languages', input: {} },
  over: { rows: 'texts.csv', map: { '/input/text': 'text' } },
  expected: { column: 'language', at: '/language' },
  metrics: ['accuracy', 'macro_f1'],
};

/** Writes `FINISHED` with the results of its runs. Returns its path. */
export async function writeFinished(folder: string, count: number): Promise<string> {
  const file = path.join(folder, 'a.experiment.json');
  const text = JSON.stringify(FINISHED);
  await writeFile(file, text);
  const rows = Array.from({ length: count }, (_, at) => `text number ${at},${LABELS[at % 4]}\n`);
  await writeFile(path.join(folder, 'texts.csv'), `text,language\n${rows.join('')}`);
  const { loaded } = await loadExperiment(file, text, async () => undefined, { unknownModels: 'keep' });
  if (!loaded) throw new Error('The experiment of the measure has errors.');
  const { items, unsent } = loaded.plan;
  const lines = unsent.map(({ customId, repeat, serves: [place] }) => {
    const item = items[place!.item]!;
    return resultText({
      ...{ custom_id: customId, variation: {}, item: item.name, item_sha256: itemSha256(item), repeat },
      ...{ request_sha256: `${customId}${customId}`, environment: 'command line', state: 'finished' },
      result: { language: LABELS[(place!.item + Number(place!.item % 7 === 0)) % 4]!, score: 0.9 },
      ...{ cost: { amount: '0.001', currency: 'USD' }, started_at: '2026-11-23T00:00:00.000Z' },
      ...{ duration_ms: place!.item, run_id: `run_${customId}` },
    });
  });
  await writeFile(resultPlaces(file).file, lines.join(''));
  return file;
}
