import { basename, dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { EndedExperiment } from '../commands/experimentEnd';
import { LOCALE, type ReportedFigures } from '../commands/figures';
import { shownBodyPath } from '../experiments/files/bodies';
import { replaceFile } from '../experiments/files/door';
import { htmlReport, type ReportRow } from '../experiments/report/html';
import { markdownSummary } from '../experiments/report/markdown';
import { changesBetween, type ReportTexts, reportTexts } from '../experiments/report/reportTexts';
import { reportRows } from '../experiments/report/rows';
import type { CorrectedComparison } from '../experiments/table/figureTexts';
import { sizeText } from '../experiments/table/sizeText';
import type { ExperimentTable } from '../experiments/table/table';
import { fileOfHit, hitPlacesIn } from '../runFiles/hitFile';
import type { ExperimentArguments } from './arguments';
import { type JunitCase, junitText } from './reports';

/** Writes the reports that a call asks for. */
export async function writeReports(
  { json, junit, report }: Pick<ExperimentArguments, 'json' | 'junit' | 'report'>,
  reported: EndedExperiment,
): Promise<void> {
  if (json !== undefined) await replaceFile(resolve(json), jsonText(reported));
  if (junit !== undefined) await replaceFile(resolve(junit), junitText(casesOf(reported)));
  if (report === undefined) return;
  const texts = textsOf(reported);
  const isMarkdown = /\.md$/i.test(report);
  const text = isMarkdown
    ? markdownSummary(texts)
    : htmlReport(texts, await rowsOf(reported), LOCALE, reported.figures.table.rows);
  await replaceFile(resolve(report), text);
}

/** Those of the experiment: rows of inputs that are gone are not measured. */
function inputsOf({ plan: { items } }: ExperimentTable): number {
  return items.filter(({ isGone }) => !isGone).length;
}

/** The report of the table, with the checks and the rows that have changed since the earlier results. */
function textsOf({ figures, gate: { checks, before }, loaded, path }: EndedExperiment): ReportTexts {
  const { table, metrics, names } = figures;
  const { experiment, inputs } = loaded;
  const { name = basename(path), description } = experiment;
  const counts = { all: inputs.length, sampled: inputsOf(table) };
  const size = sizeText(experiment, counts, table.plan.runs.length, LOCALE);
  const texts = reportTexts({ name, description, size }, figures, new Date());
  const since = before
    ? names.flatMap((column, at) => {
        const other = before.against(at, undefined);
        const title = l10n.t('{0}, against before', column);
        return other === undefined ? [] : changesBetween(before, metrics, [at, other], title);
      })
    : [];
  return {
    ...texts,
    changes: [...since, ...texts.changes],
    checks: checks.map(({ title, column, message, passed, isUndecided = false }) => ({
      text: `${column}: ${title}. ${message}`,
      passed,
      isUndecided,
    })),
  };
}

async function rowsOf({
  figures: { table, metrics, shown },
  results,
  path,
}: EndedExperiment): Promise<ReportRow[]> {
  const rows = await reportRows(
    {
      table,
      metrics,
      locale: LOCALE,
      folder: dirname(path),
      order: Array.from({ length: table.rows }, (_, row) => row),
      columns: shown,
      others: [process.cwd()],
      hitFile: (id) => fileOfHit(id, hitPlacesIn([process.cwd()])),
      resultPath: (name) => shownBodyPath(results, name),
    },
    new AbortController().signal,
  );
  return rows ?? [];
}

function groupsJson({ metric, groups }: NonNullable<ReportedFigures['grouped']>, column: number) {
  return groups.map(({ name, figures }) => {
    const { measured } = figures[column]!;
    const interval = typeof measured?.interval === 'object' ? measured.interval : null;
    return { name, metric: metric.name, value: measured?.value ?? null, interval, n: measured?.count ?? 0 };
  });
}

/** The figures for scripts: unrounded numbers. */
function jsonText({ figures, gate, results, path }: EndedExperiment): string {
  const { metrics, summary, comparisons, unbeaten, names, table } = figures;
  const summaries = summary.columns.map((column, at) => ({
    name: names[at],
    variation: column.variation,
    runs: {
      finished: column.finished,
      failed: column.failed,
      unconfirmed: column.unconfirmed,
      missing: column.missing,
    },
    metrics: Object.fromEntries(
      metrics.map((metric, index) => {
        const { measured, items, blank, fault, near } = column.metrics[index]!;
        const comparison = comparisons[at]?.[index];
        const figure = {
          value: measured?.value ?? null,
          interval: typeof measured?.interval === 'object' ? measured.interval : null,
          n: measured?.count ?? 0,
          different: measured?.different ?? 0,
          of: items,
          not_expected: blank,
          failed: measured?.failed ?? 0,
          ...(fault && { fault: fault.kind }),
          ...(near && { other_spelling: near }),
          best: unbeaten[index]!.includes(at),
          ...(comparison && { difference: differenceJson(comparison) }),
        };
        return [metric.name, figure];
      }),
    ),
    ...(column.labels && { expected_labels: Object.fromEntries(column.labels.labels) }),
    ...(figures.grouped && { groups: groupsJson(figures.grouped, at) }),
    cost: column.cost.map(({ amount, currency }) => ({ amount, currency })),
    without_cost: column.unpriced,
    timed: column.timed,
    median_ms: column.median ?? null,
    percentile95_ms: column.percentile95 ?? null,
  }));
  const report = {
    version: 1,
    experiment: basename(path),
    results: basename(results),
    rows: inputsOf(table),
    baseline: names[0] ?? null,
    columns: summaries,
    checks: gate.checks,
    agreements: (summary.agreements ?? []).map(({ first, second, count, same, kappa, isWeighted }) => ({
      first,
      second,
      n: count,
      same,
      kappa: kappa ?? null,
      weighted: isWeighted,
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** @returns p of this comparison alone, and that corrected for all of the file */
function differenceJson({
  difference,
  interval,
  count,
  sign,
  moreRows,
  p,
  corrected,
  together,
}: CorrectedComparison) {
  return {
    value: difference,
    interval: typeof interval === 'object' ? interval : null,
    n: count,
    sign,
    more_rows: moreRows ?? null,
    p,
    p_corrected: corrected,
    comparisons: together,
  };
}

/** The checks as tests, and one for the runs of each column. */
function casesOf({ figures, gate, path }: EndedExperiment): JunitCase[] {
  const name = basename(path);
  const runs = figures.summary.columns.map(({ failed, unconfirmed, missing }, at): JunitCase => {
    const isWhole = unconfirmed + missing === 0;
    const message = [
      ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
      ...(unconfirmed > 0 ? [l10n.t('{0} unconfirmed', unconfirmed)] : []),
      ...(missing > 0 ? [l10n.t('{0} not run', missing)] : []),
    ].join(', ');
    return {
      name: l10n.t('every run has finished'),
      classname: figures.names[at]!,
      file: name,
      ...(message !== '' && { problem: { isError: !isWhole, message, details: message } }),
    };
  });
  const checked = gate.checks.map(
    ({ title, column, passed, message, figures: numbers }): JunitCase => ({
      name: title,
      classname: column,
      file: name,
      output: message,
      ...(numbers && { properties: numbers }),
      ...(!passed && { problem: { isError: false, message: title, details: message } }),
    }),
  );
  return [...runs, ...checked];
}
