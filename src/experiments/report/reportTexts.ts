import * as l10n from '@vscode/l10n';
import type { GlanceRow } from '../../protocol/experimentFigures';
import { localeFor } from '../../wording/displayLanguage';
import type { TableFigures } from '../figures/tableFigures';
import type { Metric } from '../metrics/metrics';
import { becameText, changedBetween } from '../table/changedRows';
import { runsText } from '../table/glance';
import { itemInputs, rowName } from '../table/itemTexts';
import { shortened } from '../table/outcome';
import type { ExperimentTable } from '../table/table';

/** The texts of a summary or report about an experiment. They can contain any characters. */
export interface ReportTexts {
  readonly name: string;
  readonly description?: string | undefined;
  /** "3 models × 50 files = 150 runs, about $0.30". */
  readonly size: string;
  readonly date: string;
  /** The name of the column that the others are compared with. */
  readonly baseline?: string;
  /** With the runs and figures in sentences. */
  readonly columns: readonly { readonly name: string; readonly words: readonly string[] }[];
  /** The summary, with a cell for each of these columns. */
  readonly figures: readonly GlanceRow[];
  readonly changes: readonly ReportChanges[];
  /** The demands of a gate. */
  readonly checks?: readonly ReportedCheck[];
}

interface ReportedCheck {
  readonly text: string;
  readonly passed: boolean;
  /** Of a part of the rows. */
  readonly isUndecided?: boolean;
}

/** "✓ two: accuracy >= 0.9". */
export function checkText({ text, passed, isUndecided = false }: ReportedCheck): string {
  return `${passed ? '✓' : isUndecided ? '?' : '✗'} ${text}`;
}

/** Rows that are right in one column and wrong in another. */
export interface ReportChanges {
  /** "word-statistics, against language-id". */
  readonly title: string;
  /** "7 became wrong, 2 became right". */
  readonly text: string;
  /** Rows that became wrong, by their inputs. */
  readonly rows: readonly string[];
}

/** @param of the experiment; the figures are those of the shown columns */
export function reportTexts(
  of: Pick<ReportTexts, 'name' | 'description' | 'size'>,
  { table, metrics, summary, names, shown, baseline, rows, locale }: TableFigures,
  at: Date,
): ReportTexts {
  return {
    ...of,
    date: at.toLocaleString(localeFor(locale), { dateStyle: 'long', timeStyle: 'long' }),
    ...(shown.length > 1 && names[baseline] !== undefined && { baseline: names[baseline] }),
    columns: shown.map((column) => ({
      name: names[column]!,
      words: [...new Set([runsText(summary.columns[column]!, locale), ...rows.flatMap(wordsOf(column))])],
    })),
    figures: rows.map((row) => ({ ...row, cells: shown.map((column) => row.cells[column]!) })),
    changes: shown.flatMap((column) => {
      const other = table.against(column, baseline);
      if (other === undefined || names[other] === undefined) return [];
      const title = l10n.t('{0}, against {1}', names[column]!, names[other]);
      return changesBetween(table, metrics, [column, other], title);
    }),
  };
}

/** The rows that neither `runsText` nor the table of figures says. */
const IN_WORDS: readonly GlanceRow['kind'][] = ['metric', 'cost', 'time'];

function wordsOf(column: number): (row: GlanceRow) => readonly string[] {
  return ({ kind, cells }) => (IN_WORDS.includes(kind) ? (cells[column]?.words ?? []) : []);
}

/** Rows that are named; the table of the report marks all. */
const MOST_NAMED = 20;
const LONGEST_NAME = 120;

/** Rows that changed between two columns, by the first metric of right and wrong. Empty: none did. */
export function changesBetween(
  table: ExperimentTable,
  metrics: readonly Metric[],
  columns: readonly [now: number, before: number],
  title: string,
): ReportChanges[] {
  const changed = changedBetween(table, metrics, columns);
  const text = becameText(changed);
  if (!changed || text === undefined) return [];
  const inputName = (row: number) => {
    const item = table.plan.items[row]!;
    const input = itemInputs(item).map((one) => one.text);
    return shortened([rowName(item), ...input].join(': '), LONGEST_NAME);
  };
  const others = changed.becameWrong.length - MOST_NAMED;
  const more = others > 0 ? [l10n.t('And {0} more.', others)] : [];
  return [{ title, text, rows: [...changed.becameWrong.slice(0, MOST_NAMED).map(inputName), ...more] }];
}
