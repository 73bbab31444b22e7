import * as l10n from '@vscode/l10n';
import type { LoadedExperiment } from '../experiments/file/load';
import { verdictTexts } from '../experiments/judges/verdicts';
import { type SortedRuns, underWayText } from '../experiments/plan/wantedRuns';
import { addressesIn } from '../experiments/results/mediaKeeper';
import type { ResultLine } from '../experiments/results/resultLine';
import { countingEntry } from '../experiments/results/resultOrder';
import { comparedWarnings, judgedResults } from '../experiments/setup/comparedParts';
import { formatNumber } from '../wording/number';
import { exitCodes } from './exitCodes';
import type { ExperimentCall } from './experiment';
import { endGate, type Gate } from './experimentGate';
import { writeReports } from './experimentReports';
import { LOCALE, printFigures, type ReportedFigures } from './figures';
import type { Terminal } from './terminal';

/** Reasons of unconfirmed runs, or of files that are not kept, that are shown. */
const MOST_REASONS = 3;

/** How many runs have which outcome, those of judges too. */
export interface RunCounts {
  readonly all: number;
  readonly finished: number;
  readonly failed: number;
  readonly missing: number;
  readonly underWay: number;
  /** Not run, since their columns ended early. */
  readonly leftOut: number;
  /** The lines of runs that may have been charged. */
  readonly unconfirmed: readonly (ResultLine | undefined)[];
}

/** @param all the runs of the call */
export function countsOf(
  { finished, failed, missing, underWay, leftOut, unconfirmed, known }: SortedRuns,
  all: number,
): RunCounts {
  return {
    all,
    finished,
    leftOut,
    failed: failed.length,
    missing: missing.length,
    underWay: underWay.length,
    unconfirmed: unconfirmed.map(({ customId }) => countingEntry(known.lines.runs.get(customId) ?? [])?.line),
  };
}

/** The end of a call, whether it sent runs or not. */
interface End {
  readonly loaded: LoadedExperiment;
  readonly figures: ReportedFigures;
  readonly counts: RunCounts;
  readonly gate: Gate;
  /** Absolute paths of the results file and of the experiment. */
  readonly results: string;
  readonly path: string;
  /** Warnings that were printed before. */
  readonly warned?: readonly string[];
}

/** Prints the figures of an experiment, checks its gate and writes its reports. @returns the exit code */
export async function endExperiment(
  asked: ExperimentCall,
  { loaded, figures, counts, gate, results, path, warned = [] }: End,
  terminal: Terminal,
): Promise<number> {
  terminal.print(
    l10n.t(
      '{0} of {1} runs finished. Results: {2}',
      ...[counts.finished, counts.all].map((count) => formatNumber(count, LOCALE)),
      results,
    ),
  );
  if (counts.leftOut > 0)
    terminal.print(l10n.t('{0} runs are left out, since their columns ended early.', counts.leftOut));
  const { table, problems } = figures;
  const judged = judgedResults(loaded.experiment, table.plan, table.results);
  for (const text of comparedWarnings(judged, table.comparing))
    if (!warned.includes(text)) terminal.warn(text);
  const ids = new Set(table.plan.runs.map(({ customId }) => customId));
  warnOfResults(
    [...table.results.values()].filter(({ custom_id: id }) => ids.has(id)),
    terminal,
  );
  printFigures(figures, terminal);
  for (const text of [...problems, ...verdictTexts(loaded.judges, table.judging.verdicts)])
    terminal.warn(text);
  const { checks, before } = await endGate(gate, figures, terminal);
  await writeReports(asked, { figures, checks, loaded, results, path, ...(before && { before }) });
  const code = exitCodeOf(counts, asked.acceptUnconfirmed, terminal);
  return code === exitCodes.passed && checks.some(({ passed }) => !passed) ? exitCodes.failed : code;
}

/** Says which results have odd values, which name files by address, and why these were not kept. */
function warnOfResults(lines: readonly ResultLine[], terminal: Terminal): void {
  const odd = lines.filter(({ odd_values: isOdd }) => isOdd).length;
  if (odd > 0)
    terminal.warn(
      l10n.t(
        'Results that are not valid JSON: {0}. NaN, Infinity and the like were read as null, bytes that are not UTF-8 as Windows-1252.',
        odd,
      ),
    );
  const named = lines.filter((line) => addressesIn(line).length > 0).length;
  if (named > 0)
    terminal.warn(
      l10n.t(
        'Results that name pictures or other media by address: {0}. Such addresses may expire; --fetch-media keeps the files.',
        named,
      ),
    );
  const problems = lines.flatMap(({ media_problem: problem }) => problem ?? []);
  if (problems.length === 0) return;
  terminal.warn(l10n.t('Results whose files could not be kept: {0}.', problems.length));
  for (const problem of [...new Set(problems)].slice(0, MOST_REASONS)) terminal.warn(`  ${problem}`);
}

/** Reports the unfinished runs. */
function exitCodeOf(
  { missing, underWay, failed, unconfirmed }: RunCounts,
  isAccepted: boolean,
  terminal: Terminal,
): number {
  if (failed > 0) terminal.print(l10n.t('{0} failed.', failed));
  if (unconfirmed.length > 0) {
    terminal.warn(
      isAccepted
        ? l10n.t('{0} unconfirmed, counted as failed: they may have been charged.', unconfirmed.length)
        : l10n.t(
            '{0} unconfirmed: they may have been executed and charged. They are not retried by themselves: use --retry-unconfirmed or --accept-unconfirmed.',
            unconfirmed.length,
          ),
    );
    const reasons = unconfirmed.flatMap((line) => line?.reason ?? []);
    for (const reason of [...new Set(reasons)].slice(0, MOST_REASONS)) terminal.warn(`  ${reason}`);
  }
  if (missing > 0) terminal.warn(l10n.t('{0} not run. Start again to continue.', missing));
  if (underWay > 0) terminal.warn(underWayText(underWay));
  if (missing + underWay > 0 || (unconfirmed.length > 0 && !isAccepted)) return exitCodes.service;
  return failed + unconfirmed.length > 0 ? exitCodes.failed : exitCodes.passed;
}
