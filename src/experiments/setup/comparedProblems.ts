import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Json } from '../../domain/json';
import type { ExperimentFile } from '../file/format';
import { itemsOf } from '../file/items';
import type { LoadedExperiment } from '../file/load';
import { globOf } from '../file/newExperiment';
import type { ExperimentProblem } from '../file/read';
import { variationKey, variationsOf } from '../plan/grid';
import { comparingOf } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { readResultsFile, resultPlaces } from '../results/resultsFile';
import type { ExperimentTable } from '../table/table';
import { comparedWarnings, expectedIn } from './comparedParts';

/** Larger files are read by the table only. */
const MOST_BYTES = 4_000_000;
/** Inputs to read expected values of, where each is a file. */
const MOST_FILES = 20;

/**
 * Problems of the compared part by the results so far, while the experiment is edited: no result has it, or all have an
 * object there where a label is expected.
 * @param path absolute path of the experiment
 */
export async function comparedProblems(
  experiment: ExperimentFile,
  path: string,
): Promise<ExperimentProblem[]> {
  const { expected, vary } = experiment;
  if (!expected || 'judged' in expected) return [];
  const { file } = resultPlaces(path);
  if (!(await isShort(file))) return [];
  const variations = new Set(variationsOf(vary).map(variationKey));
  // A file that cannot be read is reported by the table, and before runs are sent.
  const read = await readResultsFile(file).catch(() => undefined);
  const lines = read?.results.filter(({ variation }) => variations.has(variationKey(variation))) ?? [];
  if (lines.length === 0) return [];
  const wanted = await expectedValues(experiment, dirname(path), lines);
  return comparedWarnings(lines, comparingOf(experiment), wanted).map((message) => ({
    pointer: 'at' in expected ? '/expected/at' : '/expected',
    message,
    severity: 'warning',
    source: 'meaning',
  }));
}

/** Doubts about the compared parts of an experiment by the results of its table, in sentences. */
export function tableWarnings(
  { expected }: Pick<ExperimentFile, 'expected'>,
  { plan, results, comparing }: ExperimentTable,
): string[] {
  if (!expected || 'judged' in expected) return [];
  const lines = plan.runs.flatMap(({ customId }) => results.get(customId) ?? []);
  return comparedWarnings(lines, comparing, expectedIn(plan.items));
}

/** The same by the results of its plan. */
export async function partWarnings(
  { experiment, plan }: Pick<LoadedExperiment, 'experiment' | 'plan'>,
  results: string,
): Promise<string[]> {
  if (!experiment.expected || 'judged' in experiment.expected) return [];
  const ids = new Set(plan.runs.map(({ customId }) => customId));
  const read = await readResultsFile(results);
  const lines = read.results.filter(({ custom_id: id }) => ids.has(id));
  const expected = expectedIn(plan.items);
  return comparedWarnings(lines, comparingOf(experiment), expected);
}

/** The expected values of the inputs that have results, without reading other values. Empty: they are not known. */
async function expectedValues(
  { over, expected }: ExperimentFile,
  folder: string,
  lines: readonly ResultLine[],
): Promise<Json[]> {
  if (!over) return [];
  if ('rows' in over && !(await isShort(join(folder, over.rows)))) return [];
  const names = [...new Set(lines.map(({ item }) => item))].slice(0, MOST_FILES);
  const inputs = 'rows' in over ? { rows: over.rows, map: {} } : { files: names.map(globOf), map: {} };
  const { items } = await itemsOf(inputs, expected, folder);
  return expectedIn(items);
}

async function isShort(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && facts.size <= MOST_BYTES;
}
