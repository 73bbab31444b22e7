import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
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

/** A table row per goal. */
export function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ measure, figures }) =>
    measure.goals.map((goal) => {
      const spread = figures[goal.figure];
      if (!spread) throw new Error(`${measure.name} did not measure ${goal.figure}.`);
      const text = (value: number) => `${round(value)}${goal.unit && ` ${goal.unit}`}`;
      const bound = boundOf(goal, text);
      const met = bound === '' ? '' : meets(goal, spread) ? 'met' : missedWords(goal);
      return `| ${measure.name} | ${goal.label} | ${text(spread.median)} | ${text(spread.min)} – ${text(spread.max)} | ${spread.count} | ${bound} | ${met} |`;
    }),
  );
  return [
    '| measure | figure | median | min – max | pairs | goal | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Writes a dated JSON and Markdown file; returns the Markdown file's path. */
export function write(folder: string, outcomes: readonly Outcome[]): string {
  mkdirSync(folder, { recursive: true });
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const machine = machineSize();
  const notes = outcomes.flatMap(({ measure }) =>
    measure.whyFewer ? [`- ${measure.name}: ${measure.pairs} pairs. ${measure.whyFewer}`] : [],
  );
  const markdown = [`# Bench, ${stamp}`, '', machine, '', table(outcomes), '', ...notes, ''].join('\n');
  const file = path.join(folder, `${stamp}.md`);
  writeFileSync(file, markdown);
  const data = outcomes.map(({ measure, figures }) => ({
    name: measure.name,
    what: measure.what,
    goals: measure.goals,
    figures,
  }));
  writeFileSync(
    path.join(folder, `${stamp}.json`),
    `${JSON.stringify({ machine, node: process.version, measures: data }, undefined, 2)}\n`,
  );
  return file;
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
