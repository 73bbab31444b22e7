import * as l10n from '@vscode/l10n';
import type { LoadedExperiment } from '../experiments/file/load';
import { verdictTexts } from '../experiments/judges/verdicts';
import type { PlannedRun } from '../experiments/plan/plan';
import { type SortedRuns, underWayText } from '../experiments/plan/wantedRuns';
import { addressesIn } from '../experiments/results/mediaKeeper';
import type { ResultLine } from '../experiments/results/resultLine';
import { countingEntry } from '../experiments/results/resultOrder';
import { comparedWarnings, judgedResults } from '../experiments/setup/comparedParts';
import { formatNumber } from '../wording/number';
import type { CheckedGate } from './experimentGate';
import { figureLines, LOCALE, type ReportedFigures } from './figures';
import { type Line, printed, warning } from './show';

/** Reasons of failed and unconfirmed runs, or of files that are not kept, that are shown. */
const MOST_REASONS = 3;

/** How many runs have which outcome, those of judges too. */
export interface RunCounts {
  readonly all: number;
  readonly finished: number;
  readonly failed: CountingLines;
  readonly missing: number;
  readonly underWay: number;
  /** Not run, since their columns ended early. */
  readonly leftOut: number;
  /** The lines of runs that may have been charged. */
  readonly unconfirmed: CountingLines;
}

type CountingLines = readonly (ResultLine | undefined)[];

/** @param all the runs of the call */
export function countsOf(
  { finished, failed, missing, underWay, leftOut, unconfirmed, known }: SortedRuns,
  all: number,
): RunCounts {
  const linesOf = (runs: readonly PlannedRun[]) =>
    runs.map(({ customId }) => countingEntry(known.lines.runs.get(customId) ?? [])?.line);
  return {
    all,
    finished,
    leftOut,
    failed: linesOf(failed),
    missing: missing.length,
    underWay: underWay.length,
    unconfirmed: linesOf(unconfirmed),
  };
}

/** The end of an experiment's call, whether it sent runs or not. */
export interface EndedExperiment {
  readonly loaded: LoadedExperiment;
  readonly figures: ReportedFigures;
  readonly counts: RunCounts;
  readonly gate: CheckedGate;
  /** Absolute paths of the results file and of the experiment. */
  readonly results: string;
  readonly path: string;
  /** Warnings that were shown before. */
  readonly warned: readonly string[];
}

/** Whether each run has an outcome that is known. */
export function isWhole({ missing, underWay, unconfirmed }: RunCounts): boolean {
  return missing + underWay + unconfirmed.length === 0;
}

/**
 * The figures of an experiment, its gate and its unfinished runs, in lines.
 * @param isAccepted unconfirmed runs count as failed
 */
export function endLines(
  { loaded, figures, counts, gate, results, warned }: EndedExperiment,
  isAccepted = false,
): Line[] {
  const { table, problems } = figures;
  const finished = l10n.t(
    '{0} of {1} runs finished. Results: {2}',
    ...[counts.finished, counts.all].map((count) => formatNumber(count, LOCALE)),
    results,
  );
  const leftOut = l10n.t('{0} runs are left out, since their columns ended early.', counts.leftOut);
  const judged = judgedResults(loaded.experiment, table.plan, table.results);
  const doubts = comparedWarnings(judged, table.comparing).filter((text) => !warned.includes(text));
  const ids = new Set(table.plan.runs.map(({ customId }) => customId));
  const own = [...table.results.values()].filter(({ custom_id: id }) => ids.has(id));
  return [
    printed(finished),
    ...(counts.leftOut > 0 ? [printed(leftOut)] : []),
    ...[...doubts, ...resultWarnings(own)].map(warning),
    ...figureLines(figures).map(printed),
    ...[...problems, ...verdictTexts(loaded.judges, table.judging.verdicts)].map(warning),
    ...gate.lines,
    ...countLines(counts, isAccepted),
  ];
}

/** Which results have odd values, which name files by address, and why these were not kept. */
function resultWarnings(lines: readonly ResultLine[]): string[] {
  const odd = lines.filter(({ odd_values: isOdd }) => isOdd).length;
  const oddText = l10n.t(
    'Results that are not valid JSON: {0}. NaN, Infinity and the like were read as null, bytes that are not UTF-8 as Windows-1252.',
    odd,
  );
  const named = lines.filter((line) => addressesIn(line).length > 0).length;
  const namedText = l10n.t(
    'Results that name pictures or other media by address: {0}. Such addresses may expire; --fetch-media keeps the files.',
    named,
  );
  const problems = lines.flatMap(({ media_problem: problem }) => problem ?? []);
  const problemText = l10n.t('Results whose files could not be kept: {0}.', problems.length);
  return [
    ...(odd > 0 ? [oddText] : []),
    ...(named > 0 ? [namedText] : []),
    ...(problems.length > 0 ? [problemText, ...firstReasons(problems)] : []),
  ];
}

function firstReasons(reasons: readonly string[]): string[] {
  return [...new Set(reasons)].slice(0, MOST_REASONS).map((reason) => `  ${reason}`);
}

/** The runs that have not finished. */
function countLines({ missing, underWay, failed, unconfirmed }: RunCounts, isAccepted: boolean): Line[] {
  const unconfirmedText = isAccepted
    ? l10n.t('{0} unconfirmed, counted as failed: they may have been charged.', unconfirmed.length)
    : l10n.t(
        '{0} unconfirmed: they may have been executed and charged. They are not retried by themselves: use --retry-unconfirmed or --accept-unconfirmed.',
        unconfirmed.length,
      );
  const reasonsOf = (lines: CountingLines) => firstReasons(lines.flatMap((line) => line?.reason ?? []));
  return [
    ...(failed.length > 0 ? [l10n.t('{0} failed.', failed.length), ...reasonsOf(failed)].map(printed) : []),
    ...(unconfirmed.length > 0 ? [unconfirmedText, ...reasonsOf(unconfirmed)].map(warning) : []),
    ...(missing > 0 ? [warning(l10n.t('{0} not run. Start again to continue.', missing))] : []),
    ...(underWay > 0 ? [warning(underWayText(underWay))] : []),
  ];
}
