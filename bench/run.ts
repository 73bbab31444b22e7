import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Measure, type Spread, spread } from './measure';
import { measures } from './measures';
import { meets, type Outcome, table, write } from './report';

/**
 * `npm run bench` measures everything; `npm run bench -- NAME …` only the named measures; `--profile NAME` leaves a
 * CPU profile of this process beside the results. Exits non-zero when a goal is missed.
 */
async function main(args: readonly string[]): Promise<void> {
  const profile = args.includes('--profile');
  const names = args.filter((arg) => !arg.startsWith('--'));
  const unknown = names.filter((name) => !measures.some((measure) => measure.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No measure is called ${unknown.join(', ')}. There are: ${measures.map(({ name }) => name).join(', ')}.`,
    );
  }
  const results = path.join(path.dirname(fileURLToPath(import.meta.url)), 'results');
  const outcomes: Outcome[] = [];
  const failed: string[] = [];
  for (const measure of measures) {
    if (names.length > 0 && !names.includes(measure.name)) continue;
    console.log(`\n${measure.name}: ${measure.what}`);
    const run = () => runMeasure(measure);
    try {
      const figures = profile
        ? await profiled(run, path.join(results, `${measure.name}.cpuprofile`))
        : await run();
      outcomes.push({ measure, figures });
    } catch (error) {
      // The others are still worth having; the exit code tells that one is missing.
      failed.push(measure.name);
      console.error(error);
      continue;
    }
    console.log(table(outcomes.slice(-1)));
  }
  if (failed.length > 0) console.error(`\nNot measured, see above: ${failed.join(', ')}.`);
  console.log(`\n${table(outcomes)}\n\nWritten to ${path.relative(process.cwd(), write(results, outcomes))}`);
  const missed = outcomes.some(({ measure, figures }) =>
    measure.goals.some((goal) => !meets(goal, figures[goal.figure]!)),
  );
  process.exitCode = missed || failed.length > 0 ? 1 : 0;
}

async function runMeasure(measure: Measure): Promise<Record<string, Spread>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'model-bench-'));
  const prepared = await measure.prepare({ folder, log: (line) => console.log(`  ${line}`) });
  try {
    for (let i = 0; i < (prepared.warmUp ?? 1); i++) await prepared.pair();
    const figures = new Map<string, number[]>();
    for (let i = 0; i < measure.pairs; i++) {
      for (const [name, value] of Object.entries(await prepared.pair())) {
        figures.set(name, [...(figures.get(name) ?? []), value]);
      }
    }
    return Object.fromEntries([...figures].map(([name, values]) => [name, spread(values)]));
  } finally {
    await prepared.close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function profiled<T>(work: () => Promise<T>, file: string): Promise<T> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  try {
    return await work();
  } finally {
    const { profile } = await session.post('Profiler.stop');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(profile));
    console.log(`Profile: ${path.relative(process.cwd(), file)}`);
  }
}

await main(process.argv.slice(2));
