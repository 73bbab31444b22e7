import * as l10n from '@vscode/l10n';
import { sumByCurrency } from '../../domain/amounts';
import { countEach, greatestOf } from '../../domain/many';
import type { ShownCell } from '../../protocol/experiment';
import { formatDuration } from '../../wording/duration';
import { formatSums } from '../../wording/money';
import { isOfRightAndWrong, type Metric } from '../metrics/metrics';
import { mean, standardDeviation } from '../metrics/statistics';
import type { ResultLine } from '../results/resultLine';
import { hitStrip, measuredRank, type StripHit } from './hitStrip';
import { comparedText } from './lineReadings';
import { measureRun } from './measureRun';
import { type LineOutcome, numberText } from './outcome';
import type { CellRun, ExperimentTable } from './table';
import { shownVerdicts } from './verdictTexts';

/** A cell of the table, ready to be shown as text; `file`: of a picture, relative to the results file. */
export type TableCell = Omit<ShownCell, 'src' | 'column' | 'difference'> & { readonly file?: string };

/** Of the cell's runs the one that needs attention first. */
export function cellState(runs: readonly CellRun[]): ShownCell['state'] {
  if (runs.length === 0) return 'empty';
  const states = runs.map(({ line }) => line?.state);
  if (states.includes('unconfirmed')) return 'unconfirmed';
  if (states.includes('failed')) return 'failed';
  const finished = states.filter((state) => state === 'finished').length;
  if (finished === 0) return 'missing';
  return finished === runs.length ? 'finished' : 'partly';
}

/**
 * @param metrics of the experiment
 * @param locale BCP 47
 * @param runs those of the cell that are shown; missing: all
 * @param rater the person who looks at it
 */
export function tableCell(
  table: ExperimentTable,
  row: number,
  column: number,
  metrics: readonly Metric[],
  locale?: string,
  runs: readonly CellRun[] = table.runs(row, column),
  rater = '',
): TableCell {
  const lines = runs.flatMap(({ line }) => line ?? []);
  const shown = shownLine(table, lines);
  const outcome: LineOutcome = shown ? table.outcome(shown) : { kind: 'none', text: '' };
  const score = shown && table.score(shown);
  const hits = shown && hitsOf(table, shown, outcome, row, metrics);
  const right = rightness(table, { row, column }, metrics, runs);
  return {
    state: cellState(runs),
    ...outcome,
    ...(hits && { kind: 'hits' as const, hits }),
    ...(score !== undefined && { score }),
    ...spreadOf(table, lines),
    ...costText(table, lines, locale),
    ...timeOf(lines, locale),
    ...(right !== undefined && { isRight: right }),
    ...(shown && judgementsOf(table, shown, { metrics, row, rater, locale })),
  };
}

/** The hits of a cell, to the rank that is measured. */
function hitsOf(
  table: ExperimentTable,
  line: ResultLine,
  { kind }: LineOutcome,
  row: number,
  metrics: readonly Metric[],
): StripHit[] | undefined {
  if (kind !== 'hits' && !metrics.some((metric) => 'hits' in metric)) return undefined;
  const hits = hitStrip(table, line, row, measuredRank(metrics));
  return hits.length > 0 ? hits : undefined;
}

/** People's and models' judgements of the shown run. A person's own come before those of others. */
function judgementsOf(
  table: ExperimentTable,
  line: ResultLine,
  of: {
    readonly metrics: readonly Metric[];
    readonly row: number;
    readonly rater: string;
    readonly locale: string | undefined;
  },
): Pick<TableCell, 'judged' | 'own' | 'hasNote' | 'verdicts'> {
  const ratings = table.ratings(line.custom_id);
  const { note: _note, ...own } = ratings.get(of.rater) ?? {};
  const hasNote = [...ratings.values()].some(({ note }) => note !== undefined);
  const verdicts = shownVerdicts(table, of.metrics, line, of.row, of.locale).map(({ short }) => short);
  return {
    judged: { ...table.judged(line.custom_id), ...own },
    ...(Object.keys(own).length > 0 && { own }),
    ...(hasNote && { hasNote }),
    ...(verdicts.length > 0 && { verdicts }),
  };
}

/** Of repeats the most frequent outcome, the first of them where several are; a failed run only when none finished. */
export function shownLine(table: ExperimentTable, lines: readonly ResultLine[]): ResultLine | undefined {
  const finished = lines.filter(({ state }) => state === 'finished');
  if (finished.length === 0) return lines.find(({ state }) => state === 'failed') ?? lines[0];
  if (finished.length === 1) return finished[0];
  const counts = countEach(finished.map((line) => sameBy(table, line)));
  const most = greatestOf(counts.values());
  return finished.find((line) => counts.get(sameBy(table, line)) === most);
}

/** The key by which repeats agree: the label or number that the cell shows; of texts and files, the whole content. */
function sameBy(table: ExperimentTable, line: ResultLine): string {
  const { kind, text } = table.outcome(line);
  return kind === 'label' || kind === 'number' || kind === 'hits'
    ? text
    : comparedText(line, table.placeIn(line.variation));
}

function spreadOf(table: ExperimentTable, lines: readonly ResultLine[]): Pick<TableCell, 'spread'> {
  const finished = lines.filter(({ state }) => state === 'finished');
  const outcomes = finished.map((line) => table.outcome(line));
  if (outcomes.length < 2) return {};
  const values = outcomes.flatMap(({ value }) => value ?? []);
  if (values.length === outcomes.length) {
    const deviation = standardDeviation(values);
    const texts = [mean(values), deviation].map((value) => numberText(toDigitsOf(deviation, value)));
    return { spread: l10n.t('mean {0} ± {1}, n {2}', ...texts, values.length) };
  }
  const counts = countEach(finished.map((line) => sameBy(table, line)));
  return { spread: l10n.t('{0} of {1} agree', greatestOf(counts.values()), outcomes.length) };
}

/** Rounded to the first two digits of a deviation: "12,345.6 ± 0.28". */
function toDigitsOf(deviation: number, value: number): number {
  if (deviation === 0) return value;
  return Number(value.toFixed(Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(deviation))))));
}

function costText(
  table: ExperimentTable,
  lines: readonly ResultLine[],
  locale: string | undefined,
): Pick<TableCell, 'cost'> {
  const sums = sumByCurrency(lines.flatMap(({ custom_id: id }) => table.costs(id)));
  return sums.length === 0 ? {} : { cost: formatSums(sums, locale) };
}

function timeOf(lines: readonly ResultLine[], locale: string | undefined): Pick<TableCell, 'time'> {
  const times = durationsOf(lines);
  return times.length === 0 ? {} : { time: formatDuration(mean(times), locale) };
}

export function durationsOf(lines: readonly ResultLine[]): number[] {
  return lines.flatMap(({ duration_ms: ms }) => (ms === undefined ? [] : [ms]));
}

/** Whether all finished repeats are right; undefined without an expected value or such a metric. */
export function rightness(
  table: ExperimentTable,
  place: { readonly row: number; readonly column: number },
  metrics: readonly Metric[],
  runs: readonly CellRun[] = table.runs(place.row, place.column),
): boolean | undefined {
  const metric = metrics.find(isOfRightAndWrong);
  if (!metric) return undefined;
  const values = runs.flatMap(({ line }) => (line && measureRun(table, place, line, metric)) ?? []);
  return values.length === 0 ? undefined : values.every((value) => value === 1);
}
