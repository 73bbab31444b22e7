import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadExperiment } from '../../src/experiments/file/load';
import { itemSha256 } from '../../src/experiments/plan/runId';
import { resultText } from '../../src/experiments/results/results';
import { resultPlaces } from '../../src/experiments/results/resultsFile';
import type { Measure } from '../measure';
import { buildCli } from '../support/build';

const ROWS = 100_000;
const LABELS = ['en', 'de', 'fr', 'es'];
const EXPERIMENT = {
  run: { model: 'languages', input: {} },
  over: { rows: 'texts.csv', map: { '/input/text': 'text' } },
  expected: { column: 'language', at: '/language' },
  metrics: ['accuracy', 'macro_f1'],
};

/** The work of a CI job at every start: the figures of a large experiment that has finished. */
export const experimentFigures: Measure = {
  name: 'experiment-figures',
  what: `${ROWS} finished rows, their figures from a terminal`,
  goals: [
    { figure: 'processor', label: 'time of the processor', unit: 's', atMost: 10 },
    { figure: 'memory', label: 'most memory', unit: 'MB', atMost: 400 },
  ],
  pairs: 5,
  whyFewer: 'each takes seconds, and the processor’s time is steady',
  async prepare({ folder }) {
    const file = await writeFinished(folder);
    const cli = buildCli(path.join(folder, 'cli'));
    return { pair: () => usedBy(cli, ['experiment', file, '--figures'], path.join(folder, 'used.json')) };
  },
};

/** Writes the experiment with the results of its finished runs. */
async function writeFinished(folder: string): Promise<string> {
  const file = path.join(folder, 'a.experiment.json');
  const text = JSON.stringify(EXPERIMENT);
  await writeFile(file, text);
  const rows = Array.from({ length: ROWS }, (_, at) => `text number ${at},${LABELS[at % 4]}\n`);
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

/** Seconds of the processor and most megabytes of a call. @param used file for the resource usage that the process reports */
async function usedBy(cli: string, words: readonly string[], used: string) {
  const tell = `import fs from 'node:fs'; process.on('exit', () => fs.writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage())))`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, cli, ...words],
    { stdio: 'ignore' },
  );
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The call ended with ${code}.`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(
    await readFile(used, 'utf8'),
  ) as NodeJS.ResourceUsage;
  return { processor: (userCPUTime + systemCPUTime) / 1_000_000, memory: (maxRSS * 1_024) / 1_000_000 };
}
