import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { checkedInputs, openDrift, seenLossText } from '../experiments/figures/drift';
import type { LoadedExperiment } from '../experiments/file/load';
import { isThere } from '../experiments/files/door';
import { resultsInCommit } from '../experiments/files/earlierResults';
import { checkAgainstEarlier } from '../experiments/gate/earlier';
import {
  checkThresholds,
  failedCheckText,
  type GateCheck,
  type Threshold,
  thresholdsIn,
} from '../experiments/gate/thresholds';
import { betterOf } from '../experiments/metrics/metrics';
import { JUDGEMENT_KINDS } from '../experiments/results/judgements';
import { readResultsFile, resultPlaces } from '../experiments/results/resultsFile';
import { type OtherResults, tableWith } from '../experiments/table/otherResults';
import type { ExperimentTable } from '../experiments/table/table';
import { messageOf } from '../wording/errors';
import type { ExperimentOrder } from './experiment';
import { LOCALE, type ReportedFigures } from './figures';
import { type Line, printed, warning } from './show';
import { UsageError } from './usageError';

/** The thresholds and figures to compare with; checked before the first run is sent. */
export interface Gate {
  readonly thresholds: readonly Threshold[];
  readonly earlier?: OtherResults;
  /** Columns without earlier results pass. */
  readonly allowsNew?: boolean | undefined;
  /** The experiment is the drift check of its own earlier results. */
  readonly isDrift?: boolean;
  /** A folder of ours, in which files of a commit are while they are measured. */
  readonly scratch: string;
}

/**
 * @param path absolute path of the experiment
 * @throws UsageError where something could never be checked
 */
export async function openGate(
  { thresholds = [], notWorseThan, allowNewColumns, shard }: ExperimentOrder,
  { experiment, metrics }: LoadedExperiment,
  path: string,
): Promise<Gate> {
  const scratch = scratchFolder();
  // A part of the results meets or misses nothing.
  if (shard) return { thresholds: [], scratch };
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
  if (notWorseThan === undefined) return { thresholds: all, scratch };
  if (metrics.length === 0)
    throw new UsageError(l10n.t('The experiment has no "metrics" by which it could be worse.'));
  const earlier = await earlierResults(notWorseThan, path, scratch);
  if (earlier.read.results.length === 0)
    throw new UsageError(l10n.t('There are no results in “{0}”.', notWorseThan));
  return { thresholds: all, earlier, allowsNew: allowNewColumns, scratch };
}

function namesOf(metrics: LoadedExperiment['metrics']): string {
  return metrics.map(({ name }) => name).join(', ') || '–';
}

/** Of a results file, or of the experiment's own at a commit of git. @throws UsageError */
async function earlierResults(named: string, path: string, scratch: string): Promise<OtherResults> {
  const file = resolve(named);
  if (await isThere(file).catch(() => true)) return { label: named, file, read: await readResultsFile(file) };
  const own = resultPlaces(path).file;
  const read = await resultsInCommit(own, { hash: named }, scratch).catch(() => {
    throw new UsageError(
      l10n.t('“{0}” is no results file, and no commit that has “{1}”.', named, basename(own)),
    );
  });
  return { label: named, ...read };
}

/** The runs to send again, and the gate that compares them with the results of the experiment. @throws UsageError */
export async function openDriftGate(
  loaded: LoadedExperiment,
  path: string,
  inputs: number | undefined,
): Promise<{ readonly loaded: LoadedExperiment; readonly gate: Gate }> {
  const drift = await openDrift(loaded, path, inputs).catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
  const gate = { thresholds: [], earlier: drift.earlier, scratch: scratchFolder(), isDrift: true };
  return { loaded: drift.loaded, gate };
}

function scratchFolder(): string {
  return join(tmpdir(), `model-bench-${randomUUID()}`);
}

/** The checks of a gate, and the lines about those that a person has to know. */
export interface CheckedGate {
  readonly checks: readonly GateCheck[];
  /** The table with the earlier results as further columns. */
  readonly before: ExperimentTable | undefined;
  /** The missed thresholds, and how each column compares with before. */
  readonly lines: readonly Line[];
}

export async function checkGate(
  { thresholds, earlier, allowsNew, scratch, isDrift = false }: Gate,
  figures: ReportedFigures,
): Promise<CheckedGate> {
  const { table, metrics, names, loaded } = figures;
  const { margin } = loaded.experiment;
  const met = checkThresholds(thresholds, figures);
  const before = earlier && (await withEarlier(table, earlier, scratch));
  const demand = isDrift ? 'unchanged' : 'notWorse';
  const compared = before
    ? await checkAgainstEarlier(before, metrics, names, LOCALE, { demand, allowsNew, margin })
    : [];
  const seen = isDrift ? [printed(seenLossText(checkedInputs(table), names.length * metrics.length))] : [];
  const missed = met.filter(({ passed }) => !passed).map((check) => warning(failedCheckText(check)));
  const lines = [...seen, ...missed, ...compared.map((check) => comparedLine(check, isDrift))];
  return { checks: [...met, ...compared], before, lines };
}

function comparedLine({ passed, column, message, isCompared }: GateCheck, isDrift: boolean): Line {
  if (isCompared === false) return warning(l10n.t('{0} was not compared with before: {1}', column, message));
  if (passed) return printed(l10n.t('{0}, against before: {1}', column, message));
  if (isDrift) return warning(l10n.t('{0} has changed: {1}', column, message));
  return warning(l10n.t('{0} is worse than before: {1}', column, message));
}

async function withEarlier(table: ExperimentTable, earlier: OtherResults, scratch: string) {
  try {
    return (await tableWith(table, [earlier])).table;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
