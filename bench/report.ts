import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { outFolder } from '../test/support/paths';
import type { Goal, Measure, Spread } from './measure';

export interface Outcome {
  readonly measure: Measure;
  readonly figures: Readonly<Record<string, Spread>>;
}

/** Whether a figure's median meets its goal. */
export function meets(goal: Goal, { median }: Spread): boolean {
  return (
    (goal.atMost === undefined || median <= goal.atMost) &&
    (goal.atLeast === undefined || median >= goal.atLeast)
  );
}

/** The figures of a version that were kept. */
export interface Kept {
  readonly version: string;
  readonly machine: string;
  readonly figures: Readonly<Record<string, Readonly<Record<string, Spread>>>>;
}

/** A table row per goal, beside the kept figure and its multiple. */
export function table(outcomes: readonly Outcome[], kept?: Kept): string {
  const rows = outcomes.flatMap(({ measure, figures }) =>
    measure.goals.map((goal) => {
      const spread = figures[goal.figure];
      if (!spread) throw new Error(`${measure.name} did not measure ${goal.figure}.`);
      const text = (value: number) => `${round(value)}${goal.unit && ` ${goal.unit}`}`;
      const bound = boundOf(goal, text);
      const met = bound === '' ? '' : meets(goal, spread) ? 'met' : missedWords(goal);
      const before = kept?.figures[measure.name]?.[goal.figure]?.median;
      const ratio = before ? `${round(spread.median / before)} ×` : '';
      return `| ${measure.name} | ${goal.label} | ${text(spread.median)} | ${text(spread.min)} – ${text(spread.max)} | ${spread.count} | ${before === undefined ? '' : text(before)} | ${ratio} | ${bound} | ${met} |`;
    }),
  );
  return [
    `| measure | figure | median | min – max | pairs | ${kept?.version ?? 'kept'} | now / kept | goal | |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Writes the tables to `out/bench`; returns the file's path. */
export function write(outcomes: readonly Outcome[], kept?: Kept): string {
  const folder = path.join(outFolder, 'bench');
  mkdirSync(folder, { recursive: true });
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const notes = outcomes.flatMap(({ measure }) =>
    measure.whyFewer ? [`- ${measure.name}: ${measure.pairs} pairs. ${measure.whyFewer}`] : [],
  );
  const before = kept ? `Kept: ${kept.version}, ${kept.machine}` : '';
  const parts = [`# Bench, ${stamp}`, '', machineSize(), before, '', table(outcomes, kept), '', ...notes, ''];
  const file = path.join(folder, `${stamp}.md`);
  writeFileSync(file, parts.join('\n'));
  return file;
}

/** Makes figures those of a version; measures that were not taken keep theirs. */
export function keep(folder: string, version: string, outcomes: readonly Outcome[]): void {
  mkdirSync(folder, { recursive: true });
  const former = lastKept(folder);
  const figures = Object.fromEntries(outcomes.map(({ measure, figures }) => [measure.name, figures]));
  const kept: Kept = {
    version,
    machine: machineSize(),
    figures: { ...(former?.version === version && former.figures), ...figures },
  };
  writeFileSync(path.join(folder, `${version}.json`), `${JSON.stringify(kept, undefined, 2)}\n`);
}

/** The kept figures of the newest version; undefined: none are. */
export function lastKept(folder: string): Kept | undefined {
  if (!existsSync(folder)) return undefined;
  const newest = readdirSync(folder)
    .filter((name) => /^\d+\.\d+\.\d+\.json$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
  return newest === undefined
    ? undefined
    : (JSON.parse(readFileSync(path.join(folder, newest), 'utf8')) as Kept);
}

function boundOf({ atMost, atLeast }: Goal, text: (value: number) => string): string {
  if (atMost !== undefined) return `≤ ${text(atMost)}`;
  return atLeast === undefined ? '' : `≥ ${text(atLeast)}`;
}

function missedWords({ missedBecause }: Goal): string {
  return missedBecause === undefined ? 'MISSED' : `missed: ${missedBecause}`;
}

function machineSize(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node ${process.version}, ${process.platform} ${process.arch}.`;
}

function round(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
