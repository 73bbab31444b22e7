import * as l10n from '@vscode/l10n';
import { agreementText } from '../experiments/figures/agreements';
import { type TableFigures, tableFigures } from '../experiments/figures/tableFigures';
import type { LoadedExperiment } from '../experiments/file/load';
import type { Metric } from '../experiments/metrics/metrics';
import { type RecordedTable, recordedTable } from '../experiments/results/recordedTable';
import type { ReadResults } from '../experiments/results/results';
import { readResultsFile } from '../experiments/results/resultsFile';
import { endedTexts, StopWatch } from '../experiments/stop/stopWatch';
import { columnNames } from '../experiments/table/columnHead';
import { comparisonText, pairsText, readingTexts } from '../experiments/table/figureTexts';
import { partText } from '../experiments/table/glance';
import { groupFigures, groupsBy } from '../experiments/table/groups';
import { MARKS } from '../wording/signs';
import { table } from './table';
import { UsageError } from './usageError';

/** The command line speaks English. */
export const LOCALE = 'en';

/** The figures of an experiment's results. The first column is the baseline. */
export interface ReportedFigures extends RecordedTable, TableFigures {
  readonly metrics: readonly Metric[];
  /** Why columns have ended early, by column. */
  readonly ended: ReadonlyMap<number, string>;
}

interface FiguresAsked {
  /** The lines of the results file, where they have been read. */
  readonly read?: ReadResults;
  /** Absolute path of the experiment, and a column of its inputs: see `groupsBy`. */
  readonly path?: string;
  readonly groupBy?: string | undefined;
}

/**
 * @param results absolute path of the results file
 * @throws UsageError where there is no column to group by
 */
export async function recordedFigures(
  loaded: LoadedExperiment,
  results: string,
  { read, path = '', groupBy }: FiguresAsked = {},
): Promise<ReportedFigures> {
  const recorded = await recordedTable(loaded, results, read ?? (await readResultsFile(results)));
  const { table: measured, metrics } = recorded;
  const names = columnNames(measured.plan);
  const watch = StopWatch.of(loaded, results);
  watch?.add([...measured.results.values()]);
  const ended = endedTexts(watch, names);
  const groupOf =
    groupBy === undefined ? undefined : await groupsBy(path, loaded.experiment, measured.plan, groupBy);
  if (groupBy !== undefined && !groupOf)
    throw new UsageError(l10n.t('The inputs have no column “{0}” to group by.', groupBy));
  const grouped = groupOf && (await groupFigures(measured, metrics, groupOf));
  const { margin } = loaded.experiment;
  const figures = await tableFigures(measured, metrics, { names, ended, grouped, margin, locale: LOCALE });
  return { ...recorded, ...figures, ended };
}

/** Each kind of figure of all columns below one another, aligned: the same at a terminal and in a pipe. */
export function figureLines({
  names,
  rows,
  metrics,
  comparisons,
  ended,
  summary,
}: ReportedFigures): string[] {
  const printed = [...ended].map(([at, text]) => `${names[at]!}: ${text}`);
  for (const { kind, name, cells } of rows) {
    const index = metrics.findIndex((metric) => metric.name === name);
    // Beside a low figure of few rows, “best” would be read as a praise.
    const isShared = cells.filter((cell) => cell?.isBest).length > 1;
    const mark = isShared ? l10n.t('may be best') : l10n.t('best');
    const lines = names.flatMap((column, at) => {
      const cell = cells[at];
      if (!cell) return [];
      const { text, interval, note = '', different, words } = cell;
      const best = cell.isBest ? mark : '';
      if (kind === 'cost' || kind === 'time')
        return [[column, words[0]!, best, '', partText(summary.columns[at]!, LOCALE) ?? '', '']];
      const pairs = kind === 'metric' ? summary.columns[at]!.metrics[index]?.measured?.pairs : undefined;
      const comparison = kind === 'metric' ? comparisons[at]?.[index] : undefined;
      const compared = pairs
        ? pairsText(pairs, LOCALE)
        : comparison && `${MARKS[comparison.sign]} ${comparisonText(name, comparison, LOCALE)}`;
      const isFault = (kind === 'metric' || kind === 'group') && note === '';
      // Of pairs, the verdict has their counts.
      const rows = pairs ? '' : different === undefined ? note : `${note}, ${different}`;
      return [[column, text, best, interval?.text ?? '', rows, isFault ? words[0]! : compared || '']];
    });
    if (lines.length === 0) continue;
    printed.push(kind === 'group' ? `· ${name}` : name);
    // Numbers are read from their last digit.
    const areNumbers = lines.every(([, text]) => /^[\d.,]+$|^–$/.test(text!));
    for (const line of table(lines, areNumbers ? 1 : undefined)) printed.push(`  ${line}`);
  }
  for (const [at, column] of summary.columns.entries())
    for (const [index, figure] of column.metrics.entries())
      for (const text of readingTexts(metrics[index]!, figure, LOCALE))
        printed.push(`${names[at]!}: ${text}`);
  for (const one of summary.agreements ?? []) printed.push(agreementText(one, one, LOCALE));
  return printed;
}
