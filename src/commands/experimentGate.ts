import { execFile } from 'node:child_process';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import { isThere } from '../experiments/files/door';
import { checkAgainstEarlier, earlierTable, earlierVariations } from '../experiments/gate/earlier';
import {
  checkThresholds,
  failedCheckText,
  type GateCheck,
  type Threshold,
  thresholdsIn,
} from '../experiments/gate/thresholds';
import { JUDGEMENT_KINDS } from '../experiments/judgements';
import type { LoadedExperiment } from '../experiments/load';
import { betterOf } from '../experiments/metrics/metrics';
import type { ReadResults } from '../experiments/results';
import { ResultsReader } from '../experiments/results';
import { MOST_RESULT_BYTES, readResultsFile, resultPlaces } from '../experiments/resultsFile';
import type { ExperimentTable } from '../experiments/table/table';
import type { ExperimentOrder } from './experiment';
import { type Figures, LOCALE } from './figures';
import type { Terminal } from './terminal';
import { UsageError } from './usageError';

/** The thresholds and figures to compare with; checked before the first run is sent. */
export interface Gate {
  readonly thresholds: readonly Threshold[];
  readonly earlier?: ReadResults;
  /** Absolute path of the results file. */
  readonly results: string;
}

/**
 * @param path absolute path of the experiment
 * @throws UsageError where something could never be checked
 */
export async function openGate(
  { thresholds, notWorseThan, shard }: ExperimentOrder,
  { experiment, metrics, plan }: LoadedExperiment,
  path: string,
  results: string,
): Promise<Gate> {
  // A part of the results meets or misses nothing.
  if (shard) return { thresholds: [], results };
  for (const { metric, operator } of thresholds) {
    const known = metrics.find(({ name }) => name === metric);
    if (!known && !JUDGEMENT_KINDS.some((kind) => kind === metric))
      throw new UsageError(
        l10n.t('“{0}” is not measured. The experiment measures: {1}.', metric, namesOf(metrics)),
      );
    if (known && (betterOf(known) === 'lower') !== (operator === '<='))
      throw new UsageError(
        operator === '<='
          ? l10n.t('A higher {0} is better: use --fail-below.', metric)
          : l10n.t('A lower {0} is better: use --fail-above.', metric),
      );
  }
  const all = [...thresholdsIn(experiment.thresholds), ...thresholds];
  if (notWorseThan === undefined) return { thresholds: all, results };
  if (metrics.length === 0)
    throw new UsageError(l10n.t('The experiment has no "metrics" by which it could be worse.'));
  const earlier = await earlierResults(notWorseThan, path);
  if (earlier.results.length === 0)
    throw new UsageError(l10n.t('There are no results in “{0}”.', notWorseThan));
  if (earlierVariations(plan.variations, earlier.results).every((key) => key === undefined))
    throw new UsageError(l10n.t('“{0}” has no results of the columns of this experiment.', notWorseThan));
  return { thresholds: all, earlier, results };
}

function namesOf(metrics: LoadedExperiment['metrics']): string {
  return metrics.map(({ name }) => name).join(', ') || '–';
}

/** Of a results file, or of the experiment's own at a commit of git. @throws UsageError */
async function earlierResults(named: string, path: string): Promise<ReadResults> {
  const file = resolve(named);
  if (await isThere(file).catch(() => true)) return readResultsFile(file);
  const own = resultPlaces(path).file;
  const wrong = l10n.t('“{0}” is no results file, and no commit that has “{1}”.', named, basename(own));
  if (named.startsWith('-')) throw new UsageError(wrong);
  const read = promisify(execFile)('git', ['cat-file', 'blob', `${named}:./${basename(own)}`], {
    ...{ cwd: dirname(own), encoding: 'buffer', maxBuffer: MOST_RESULT_BYTES },
  });
  const { stdout } = await read.catch(() => {
    throw new UsageError(wrong);
  });
  return new ResultsReader().read(() => [stdout]);
}

/** Which checks are met, and the table with the earlier results. */
export interface GateResult {
  readonly checks: readonly GateCheck[];
  readonly before?: ExperimentTable;
}

/** Checks the figures, and prints the missed thresholds and how each column compares with before. */
export async function endGate(
  { thresholds, earlier, results }: Gate,
  figures: Figures,
  terminal: Terminal,
): Promise<GateResult> {
  const { table, metrics, summary, columns } = figures;
  const measured = columns.map((column, at) => ({ ...column, summary: summary.columns[at]! }));
  const met = checkThresholds(thresholds, measured, metrics, LOCALE);
  const names = columns.map(({ name }) => name);
  const before = earlier && (await earlierTable(table, results, earlier));
  const compared = before ? await checkAgainstEarlier(figures, before, names, LOCALE) : [];
  for (const check of met) if (!check.passed) terminal.warn(failedCheckText(check));
  if (earlier && compared.length === 0) terminal.warn(l10n.t('No row can be compared with before.'));
  for (const { passed, column, message } of compared)
    if (passed) terminal.print(l10n.t('{0}, against before: {1}', column, message));
    else terminal.warn(l10n.t('{0} is worse than before: {1}', column, message));
  return { checks: [...met, ...compared], ...(before && { before }) };
}
