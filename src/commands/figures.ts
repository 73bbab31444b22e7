import { greatestOf } from '../domain/many';
import { agreementText } from '../experiments/agreements';
import type { LoadedExperiment } from '../experiments/load';
import { type RecordedTable, recordedTable } from '../experiments/recordedTable';
import { readResultsFile } from '../experiments/resultsFile';
import { endedTexts, StopWatch } from '../experiments/stop/stopWatch';
import { type Summary, summarise } from '../experiments/summary';
import { columnName, columnTitles } from '../experiments/table/columnHead';
import {
  type CorrectedComparison,
  comparisonText,
  correctedComparisons,
} from '../experiments/table/figureTexts';
import { type GlanceRow, glanceRows } from '../experiments/table/glance';
import type { Terminal } from './terminal';

/** The command line speaks English. */
export const LOCALE = 'en';

/** The figures of an experiment's results, as the table's head has them. The first column is the baseline. */
export interface ReportedFigures extends RecordedTable {
  readonly summary: Summary;
  readonly comparisons: readonly (readonly (CorrectedComparison | undefined)[])[];
  readonly columns: readonly { readonly name: string; readonly at: string }[];
  readonly rows: readonly GlanceRow[];
  /** Why columns have ended early, by column. */
  readonly ended: ReadonlyMap<number, string>;
}

/** @param results absolute path of the results file */
export async function recordedFigures(loaded: LoadedExperiment, results: string): Promise<ReportedFigures> {
  const recorded = await recordedTable(loaded, results, await readResultsFile(results));
  const { table, metrics } = recorded;
  const summary = await summarise(table, metrics);
  const comparisons = correctedComparisons(summary.comparisons);
  const titles = columnTitles(table.plan).columns;
  const columns = table.plan.variations.map((variation, at) => ({
    name: columnName(titles[at]!, at),
    at: table.placeIn(variation),
  }));
  const watch = StopWatch.of(loaded, results);
  watch?.add([...table.results.values()]);
  const ended = endedTexts(
    watch,
    columns.map(({ name }) => name),
  );
  const rows = glanceRows(summary, {
    ...{ metrics, comparisons, locale: LOCALE },
    placeOf: (column) => columns[column]!.at,
    shown: [...columns.keys()],
    ended,
  });
  return { ...recorded, ended, summary, comparisons, columns, rows };
}

/** Prints each kind of figure of all columns below one another, aligned: the same at a terminal and in a pipe. */
export function printFigures(
  { columns, rows, metrics, comparisons, ended, summary }: ReportedFigures,
  terminal: Terminal,
): void {
  for (const [at, text] of ended) terminal.print(`${columns[at]!.name}: ${text}`);
  for (const { kind, name, cells } of rows) {
    const index = metrics.findIndex((metric) => metric.name === name);
    const lines = columns.flatMap((column, at) => {
      const cell = cells[at];
      if (!cell) return [];
      const { text, interval, note = '', words } = cell;
      if (kind === 'cost' || kind === 'time') return [[column.name, words[0]!, '', '', '']];
      const compared = kind === 'metric' && comparisonText(name, comparisons[at]?.[index], LOCALE);
      const isFault = kind === 'metric' && note === '';
      return [[column.name, text, interval?.text ?? '', note, isFault ? words[0]! : compared || '']];
    });
    if (lines.length === 0) continue;
    terminal.print(name);
    for (const line of aligned(lines)) terminal.print(`  ${line}`);
  }
  for (const one of summary.agreements ?? []) terminal.print(agreementText(one, one, LOCALE));
}

/** Cells in columns of their widest text, two spaces apart; a column without text takes no room. */
function aligned(lines: readonly (readonly string[])[]): string[] {
  // Numbers are read from their last digit.
  const isRight = lines.every(([, text]) => /^[\d.,]+$|^–$/.test(text!));
  const widths = lines[0]!.map((_, at) => greatestOf(lines.map((line) => line[at]!.length)));
  return lines.map((line) =>
    line
      .flatMap((text, at) => {
        if (widths[at] === 0) return [];
        return at === 1 && isRight ? text.padStart(widths[at]!) : text.padEnd(widths[at]!);
      })
      .join('  ')
      .trimEnd(),
  );
}
