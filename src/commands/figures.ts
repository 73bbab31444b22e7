import * as l10n from '@vscode/l10n';
import { agreementText } from '../experiments/figures/agreements';
import { type Summary, summarise } from '../experiments/figures/summary';
import type { LoadedExperiment } from '../experiments/file/load';
import { type RecordedTable, recordedTable } from '../experiments/results/recordedTable';
import type { ReadResults } from '../experiments/results/results';
import { readResultsFile } from '../experiments/results/resultsFile';
import { endedTexts, StopWatch } from '../experiments/stop/stopWatch';
import { type Decided, decided } from '../experiments/table/best';
import { columnName, columnTitles } from '../experiments/table/columnHead';
import { comparisonText, pairsText, readingTexts } from '../experiments/table/figureTexts';
import { type GlanceOptions, type GlanceRow, glanceRows, MARKS, partText } from '../experiments/table/glance';
import { groupFigures, groupsBy } from '../experiments/table/groups';
import { table } from './table';
import type { Terminal } from './terminal';
import { UsageError } from './usageError';

/** The command line speaks English. */
export const LOCALE = 'en';

/** The figures of an experiment's results, as the table's head has them. The first column is the baseline. */
export interface ReportedFigures extends RecordedTable {
  readonly summary: Summary;
  readonly decided: Decided;
  readonly columns: readonly { readonly name: string; readonly at: string }[];
  readonly rows: readonly GlanceRow[];
  readonly grouped?: NonNullable<GlanceOptions['grouped']>;
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
  const summary = await summarise(measured, metrics);
  const both = await decided(measured, metrics, summary, { margin: loaded.experiment.margin });
  const titles = columnTitles(measured.plan).columns;
  const columns = measured.plan.variations.map((variation, at) => ({
    name: columnName(titles[at]!, at),
    at: measured.placeIn(variation),
  }));
  const watch = StopWatch.of(loaded, results);
  watch?.add([...measured.results.values()]);
  const ended = endedTexts(
    watch,
    columns.map(({ name }) => name),
  );
  const groupOf =
    groupBy === undefined ? undefined : await groupsBy(path, loaded.experiment, measured.plan, groupBy);
  if (groupBy !== undefined && !groupOf)
    throw new UsageError(l10n.t('The inputs have no column “{0}” to group by.', groupBy));
  const grouped = groupOf && (await groupFigures(measured, metrics, groupOf));
  const rows = glanceRows(summary, {
    metrics,
    ...both,
    locale: LOCALE,
    placeOf: (column) => columns[column]!.at,
    shown: [...columns.keys()],
    ended,
    ...(grouped && { grouped }),
  });
  return { ...recorded, ended, summary, decided: both, columns, rows, ...(grouped && { grouped }) };
}

/** Prints each kind of figure of all columns below one another, aligned: the same at a terminal and in a pipe. */
export function printFigures(
  { columns, rows, metrics, decided: { comparisons }, ended, summary }: ReportedFigures,
  terminal: Terminal,
): void {
  for (const [at, text] of ended) terminal.print(`${columns[at]!.name}: ${text}`);
  for (const { kind, name, cells } of rows) {
    const index = metrics.findIndex((metric) => metric.name === name);
    // Beside a low figure of few rows, “best” would be read as a praise.
    const isShared = cells.filter((cell) => cell?.isBest).length > 1;
    const mark = isShared ? l10n.t('may be best') : l10n.t('best');
    const lines = columns.flatMap((column, at) => {
      const cell = cells[at];
      if (!cell) return [];
      const { text, interval, note = '', different, words } = cell;
      const best = cell.isBest ? mark : '';
      if (kind === 'cost' || kind === 'time')
        return [[column.name, words[0]!, best, '', partText(summary.columns[at]!, LOCALE) ?? '', '']];
      const pairs = kind === 'metric' ? summary.columns[at]!.metrics[index]?.measured?.pairs : undefined;
      const comparison = kind === 'metric' ? comparisons[at]?.[index] : undefined;
      const compared = pairs
        ? pairsText(pairs, LOCALE)
        : comparison && `${MARKS[comparison.sign]} ${comparisonText(name, comparison, LOCALE)}`;
      const isFault = (kind === 'metric' || kind === 'group') && note === '';
      // Of pairs, the verdict has their counts.
      const rows = pairs ? '' : different === undefined ? note : `${note}, ${different}`;
      return [[column.name, text, best, interval?.text ?? '', rows, isFault ? words[0]! : compared || '']];
    });
    if (lines.length === 0) continue;
    terminal.print(kind === 'group' ? `· ${name}` : name);
    // Numbers are read from their last digit.
    const areNumbers = lines.every(([, text]) => /^[\d.,]+$|^–$/.test(text!));
    for (const line of table(lines, areNumbers ? 1 : undefined)) terminal.print(`  ${line}`);
  }
  for (const [at, { metrics: figures }] of summary.columns.entries())
    for (const text of readingTexts(metrics, figures, LOCALE))
      terminal.print(`${columns[at]!.name}: ${text}`);
  for (const one of summary.agreements ?? []) terminal.print(agreementText(one, one, LOCALE));
}
