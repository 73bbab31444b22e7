import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../test/support/paths';
import { inChild } from './inChild';
import type { Measure, Spread } from './measure';
import { measures } from './measures';
import { runOne } from './one';
import { keep, lastKept, meets, type Outcome, table, write } from './report';
import { buildPackage } from './support/build';

/** A measure that hangs keeps the others waiting no longer than this, unless it needs more. */
const MOST_MINUTES = 15;
/** Of a quick run, for one measure and for all together. */
const [QUICK_SECONDS, ALL_QUICK_SECONDS] = [75, 570];

const folder = path.dirname(fileURLToPath(import.meta.url));

/**
 * `npm run bench` measures everything, each in a process of its own; `npm run bench -- NAME …` only the named measures.
 * `--quick` takes one to three pairs each, and ends within ten minutes. `--profile` leaves a CPU profile of each
 * measure's process in `out/bench`, `--pairs=N` measures fewer pairs, `--keep` makes the figures those of this version.
 * Exits with 0 where every measure ended and met its goals, else with 1.
 */
async function main(args: readonly string[]): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const names = args.filter((arg) => !arg.startsWith('--'));
  const pairs = Number(flags.map((arg) => /^--pairs=(\d+)$/.exec(arg)?.[1]).find(Boolean) ?? 0);
  const [quick, profile] = ['--quick', '--profile'].map((flag) => flags.includes(flag));
  if (flags.includes('--one')) {
    await runOne(names[0]!, { quick, profile, pairs });
    return 0;
  }
  const all = measures.map(({ name }) => name);
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new Error(`No measure is called ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  const ends = performance.now() + (quick ? ALL_QUICK_SECONDS * 1000 : Number.POSITIVE_INFINITY);
  buildPackage();
  const kept = lastKept(path.join(folder, 'results'));
  const outcomes: Outcome[] = [];
  const missed: string[] = [];
  for (const measure of measures) {
    if (names.length > 0 && !names.includes(measure.name)) continue;
    console.log(`\n${measure.name}: ${measure.what}`);
    const limit = quick ? Math.min(QUICK_SECONDS * 1000, ends - performance.now()) : limitOf(measure);
    try {
      if (limit <= 0) throw new Error('not begun: the ten minutes are over');
      const child = ['--one', measure.name, ...flags];
      const figures = await inChild<Record<string, Spread>>(path.join(folder, 'run.mjs'), child, limit);
      const outcome = { measure, figures };
      outcomes.push(outcome);
      console.log(table([outcome], kept));
      for (const goal of measure.goals)
        if (!meets(goal, figures[goal.figure]!) && goal.missedBecause === undefined)
          missed.push(`${measure.name} (${goal.label})`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      console.error(why);
      missed.push(`${measure.name} (${why})`);
    }
  }
  console.log(
    `\n${table(outcomes, kept)}\n\nWritten to ${path.relative(process.cwd(), write(outcomes, kept))}`,
  );
  if (flags.includes('--keep')) keep(path.join(folder, 'results'), versionHere(), outcomes);
  console.log(
    missed.length === 0
      ? '\nAll goals are met.'
      : `\n${missed.length} missed:\n${missed.map((one) => `  ${one}`).join('\n')}`,
  );
  return missed.length === 0 ? 0 : 1;
}

const limitOf = ({ minutes = MOST_MINUTES }: Measure): number => minutes * 60_000;

function versionHere(): string {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;
}

process.exit(await main(process.argv.slice(2)));
