import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Measure } from '../measure';
import { buildCli } from '../support/build';
import { writeFinished } from '../support/experiment';

const ROWS = 100_000;

/** The work of a CI job at every start: the figures of a large experiment that has finished. */
export const experimentFigures: Measure = {
  name: 'experiment-figures',
  what: `${ROWS} finished rows, their figures from a terminal`,
  goals: [
    { figure: 'processor', label: 'time of the processor', unit: 's', atMost: 10 },
    {
      figure: 'memory',
      label: 'most memory',
      unit: 'MB',
      atMost: 400,
      missedBecause: 'V8 in Node.js 24 keeps 131 MB for new objects',
    },
    { figure: 'memory', label: 'the same, with those of V8', unit: 'MB', atMost: 560 },
  ],
  pairs: 5,
  whyFewer: 'each takes seconds, and the processor’s time is steady',
  async prepare({ folder }) {
    const file = await writeFinished(folder, ROWS);
    const cli = buildCli(path.join(folder, 'cli'));
    return { pair: () => usedBy(cli, ['experiment', file, '--figures'], path.join(folder, 'used.json')) };
  },
};

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
