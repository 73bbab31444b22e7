import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepAllEvidence } from '../test/support/evidence';
import { type Measure, type Prepared, type Spread, STEP_SECONDS, spread, within } from './measure';
import { measures } from './measures';
import { meets, type Outcome, table, write } from './report';

/** A measure that hangs keeps the others waiting no longer than this, unless it needs more. */
const MOST_MINUTES = 15;
/** On a quiet machine each takes less than a minute. */
const PAIR_SECONDS = 240;

/**
 * `npm run bench` measures everything; `npm run bench -- NAME …` only the named measures; `--profile NAME` leaves a
 * CPU profile of this process beside the results, `--pairs=N` measures fewer pairs. Exits non-zero when a goal is
 * missed or a measure has failed.
 */
async function main(args: readonly string[]): Promise<void> {
  const profile = args.includes('--profile');
  const pairs = args.map((arg) => /^--pairs=(\d+)$/.exec(arg)?.[1]).find((count) => count !== undefined);
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
  const missed: string[] = [];
  for (const measure of measures) {
    if (names.length > 0 && !names.includes(measure.name)) continue;
    console.log(`\n${measure.name}: ${measure.what}`);
    const run = () => runMeasure(measure, pairs === undefined ? measure.pairs : Number(pairs));
    try {
      const figures = profile
        ? await profiled(run, path.join(results, `${measure.name}.cpuprofile`))
        : await run();
      outcomes.push({ measure, figures });
      for (const goal of measure.goals)
        if (!meets(goal, figures[goal.figure]!) && goal.missedBecause === undefined)
          missed.push(`${measure.name} (${goal.label})`);
    } catch (error) {
      // The others are still worth having; the exit code tells that one is missing.
      failed.push(measure.name);
      console.error(error);
      continue;
    }
    console.log(table(outcomes.slice(-1)));
  }
  console.log(`\n${table(outcomes)}\n\nWritten to ${path.relative(process.cwd(), write(results, outcomes))}`);
  if (missed.length > 0) console.error(`\nGoals that were missed: ${missed.join(', ')}.`);
  if (failed.length > 0) console.error(`\nNot measured, see above: ${failed.join(', ')}.`);
  // A measure that has failed may have left a window or a server.
  process.exit(missed.length + failed.length > 0 ? 1 : 0);
}

async function runMeasure(measure: Measure, pairs: number): Promise<Record<string, Spread>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'model-bench-'));
  const minutes = measure.minutes ?? MOST_MINUTES;
  let prepared: Prepared | undefined;
  let step = 'its preparation';
  const work = async () => {
    prepared = await measure.prepare({ folder, log: (line) => console.log(`  ${line}`) });
    const { warmUp = 1 } = prepared;
    for (let i = 1; i <= warmUp; i++) {
      step = `warm-up ${i} of ${warmUp}`;
      await within(PAIR_SECONDS, step, prepared.pair());
    }
    const figures = new Map<string, number[]>();
    for (let i = 1; i <= pairs; i++) {
      step = `pair ${i} of ${pairs}`;
      for (const [name, value] of Object.entries(await within(PAIR_SECONDS, step, prepared.pair()))) {
        figures.set(name, [...(figures.get(name) ?? []), value]);
      }
    }
    return Object.fromEntries([...figures].map(([name, values]) => [name, spread(values)]));
  };
  try {
    return await within(60 * minutes, measure.name, work());
  } catch (error) {
    await keepAllEvidence(`bench ${measure.name}`, error);
    throw new Error(`${measure.name} failed in ${step}.`, { cause: error });
  } finally {
    const ended = within(STEP_SECONDS, `The end of ${measure.name}`, Promise.resolve(prepared?.close?.()));
    // It must not hide why the measure failed, and its figures are there by now.
    await ended.catch((error: unknown) => console.error(error));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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
