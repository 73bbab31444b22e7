import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepAllEvidence } from '../test/support/evidence';
import { outFolder } from '../test/support/paths';
import { type Measure, type Prepared, type Spread, STEP_SECONDS, spread, within } from './measure';
import { measures } from './measures';

/** On a quiet machine each takes less than a minute. */
const PAIR_SECONDS = 240;
/** In a quick run, no pair begins after this time. */
const QUICK_MS = 8_000;
const MOST_QUICK_PAIRS = 3;

/** One measure in this process, which a parent has started for it: its figures are sent there. */
export async function runOne(name: string, { quick = false, profile = false, pairs = 0 }): Promise<void> {
  // Windows and servers end in the handlers of `exit`.
  process.once('SIGTERM', () => process.exit(1));
  const measure = measures.find((one) => one.name === name)!;
  const counts = {
    warmUp: quick ? 1 : Number.POSITIVE_INFINITY,
    pairs: quick ? Math.min(measure.pairs, MOST_QUICK_PAIRS) : pairs || measure.pairs,
    longestMs: quick ? QUICK_MS : Number.POSITIVE_INFINITY,
  };
  const run = () => figuresOf(measure, counts);
  const figures = await (profile
    ? profiled(run, path.join(outFolder, 'bench', `${name}.cpuprofile`))
    : run());
  await new Promise((resolve) => process.send!(figures, resolve));
  // A measure may have left a window or a server.
  process.exit(0);
}

interface Counts {
  /** The most warm-up pairs. */
  readonly warmUp: number;
  readonly pairs: number;
  /** Milliseconds of pairs after which no further pair begins. */
  readonly longestMs: number;
}

async function figuresOf(measure: Measure, counts: Counts): Promise<Record<string, Spread>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'model-bench-'));
  let prepared: Prepared | undefined;
  let step = 'its preparation';
  try {
    prepared = await measure.prepare({ folder, log: (line) => console.log(`  ${line}`) });
    const { warmUp = 1 } = prepared;
    for (let i = 1; i <= Math.min(warmUp, counts.warmUp); i++) {
      step = `warm-up ${i}`;
      await within(PAIR_SECONDS, step, prepared.pair());
    }
    const figures = new Map<string, number[]>();
    const began = performance.now();
    for (let i = 1; i <= counts.pairs && (i === 1 || performance.now() - began < counts.longestMs); i++) {
      step = `pair ${i} of ${counts.pairs}`;
      for (const [name, value] of Object.entries(await within(PAIR_SECONDS, step, prepared.pair())))
        figures.set(name, [...(figures.get(name) ?? []), value]);
    }
    return Object.fromEntries([...figures].map(([name, values]) => [name, spread(values)]));
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
