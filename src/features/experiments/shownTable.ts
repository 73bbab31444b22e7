import * as l10n from '@vscode/l10n';
import { segmentsOf } from '../../domain/pointer';
import { confusionOf, figuresOf } from '../../experiments/charts/figures';
import { type Summary, summarise } from '../../experiments/figures/summary';
import { type TableFigures, tableFigures } from '../../experiments/figures/tableFigures';
import { metricsIn } from '../../experiments/file/askedMetrics';
import { delimiterText } from '../../experiments/file/faultText';
import { type ExperimentFile, STOP_METRICS } from '../../experiments/file/format';
import { IGNORABLE } from '../../experiments/metrics/ignoring';
import { gridRuns, judgesRuns } from '../../experiments/plan/plan';
import { type ReportTexts, reportTexts } from '../../experiments/report/reportTexts';
import { METRIC_NAMES } from '../../experiments/setup/edits';
import { variedText } from '../../experiments/setup/typedValues';
import { endedTexts, StopWatch } from '../../experiments/stop/stopWatch';
import { becameText, changedBetween } from '../../experiments/table/changedRows';
import { type TableTitles, tableTitles } from '../../experiments/table/columnHead';
import { comparisonText, nearText } from '../../experiments/table/figureTexts';
import { type GlanceOptions, runsText } from '../../experiments/table/glance';
import { groupFigures, groupsBy } from '../../experiments/table/groups';
import { expectedText } from '../../experiments/table/itemTexts';
import { paidInAll } from '../../experiments/table/paid';
import { type RowOrder, rowOrder } from '../../experiments/table/rowOrder';
import { sizeText } from '../../experiments/table/sizeText';
import type { PlacedRun } from '../../experiments/table/table';
import type {
  HeadPlace,
  ShownConfusion,
  ShownFigures,
  ShownSummary,
  TableHead,
  TableProgress,
  TableQuery,
  TableRowsPart,
} from '../../protocol/experiment';
import { formatSums } from '../../wording/money';
import { visibleText } from '../../wording/plainText';
import { ShownCells } from './shownCells';

export type Counts = Pick<
  TableProgress,
  'total' | 'finished' | 'missing' | 'failed' | 'unconfirmed' | 'rejected'
>;

/** Runs under way that the file no longer has, and those of the file that are not under way; without results. */
export interface PlanChange {
  readonly outdated: number;
  readonly added: number;
}

const MOST_LABELS = 60;

/** A loaded experiment as the page asks for it: its head, rows in an order, and the summaries of columns. */
export class ShownTable extends ShownCells {
  #ended: StopWatch | undefined;
  #order: { readonly key: string; readonly order: RowOrder } | undefined;
  readonly #summaries = new Map<number, Promise<Summary>>();

  /** @param expectedCost of all runs, in words */
  head(name: string, progress: TableProgress, expectedCost?: string): TableHead {
    const { experiment, metrics, problems, table } = this.source;
    const { columns, common } = this.titles;
    const hasExpected = experiment?.expected !== undefined;
    const asked = experiment ? metricsIn(experiment).map((metric) => metric.name) : [];
    return {
      name: experiment?.name ?? name,
      ...(experiment?.description !== undefined && { description: experiment.description }),
      locale: this.locale,
      problems: problems.map(({ message, severity }) => ({ message, severity })),
      columns: columns.map(({ name, places, other }) => ({
        name: visibleText(name),
        places: places.map(visiblePlace),
        ...(other && { other: { ...other, label: visibleText(other.label) } }),
      })),
      common: common.map(visiblePlace),
      rows: table.rows,
      labels: this.#labels(),
      metrics: metrics.map((metric) => metric.name),
      hasExpected,
      failedIsWrong: table.comparing.failedIsWrong,
      isJudged: experiment?.expected !== undefined && 'judged' in experiment.expected,
      varied: Object.entries(experiment?.vary ?? {}).map(([pointer, values]) => ({
        pointer,
        name: segmentsOf(pointer).at(-1) ?? '',
        text: variedText(values, false),
      })),
      repeats: experiment?.repeats ?? 1,
      sample: experiment?.sample?.inputs,
      seed: experiment?.seed,
      thresholds: shownThresholds(experiment),
      margin: experiment?.margin,
      stop: experiment?.stop,
      stopMetrics: [...STOP_METRICS, ...asked.filter((name) => name.startsWith('hit@'))],
      compared: this.source.compared.map(({ model, at, parts, fault }) => ({
        model,
        at,
        parts: parts.map((part) => part.at),
        isWrong: fault !== undefined,
      })),
      asked,
      // Metrics that compare need expected values.
      metricNames: [...new Set([...(hasExpected ? METRIC_NAMES : []), ...asked])],
      size: [experiment && this.#size(experiment), expectedCost, this.#paid(), this.#delimiter()]
        .filter(Boolean)
        .join(', '),
      progress,
    };
  }

  /** The expected values; none where they are too many to choose from. */
  #labels(): string[] {
    const { items } = this.source.table.plan;
    const labels = new Set(items.flatMap(({ expected }) => expectedText(expected).expected ?? []));
    return labels.size > MOST_LABELS ? [] : [...labels].sort();
  }

  #delimiter(): string | undefined {
    const { delimiter } = this.source.loaded ?? {};
    return delimiter === undefined ? undefined : delimiterText(delimiter);
  }

  #paid(): string | undefined {
    const text = formatSums(paidInAll(this.source.own), this.locale);
    return text === '' ? undefined : l10n.t('paid so far {0}', text);
  }

  #size(experiment: ExperimentFile): string {
    const { items, runs } = this.source.own.plan;
    const sampled = items.filter(({ isGone }) => !isGone).length;
    const all = this.source.loaded?.inputs.length ?? sampled;
    return sizeText(experiment, { all, sampled }, runs.length, this.locale);
  }

  get titles(): TableTitles {
    const { own, others } = this.source;
    return tableTitles(own.plan, others, this.source.table.plan.variations);
  }

  /** A cell of a run; undefined: the table has none. */
  placeOf(customId: string): { readonly row: number; readonly column: number } | undefined {
    const [place] = this.source.own.plan.runs.find((run) => run.customId === customId)?.serves ?? [];
    return place && { row: place.item, column: place.variation };
  }

  /** The texts of a report about the shown columns. */
  async texts(
    { name, description, size }: Pick<TableHead, 'name' | 'description' | 'size'>,
    { columns, baseline = 0 }: TableQuery,
    grouped?: GlanceOptions['grouped'],
  ): Promise<ReportTexts> {
    const shown = columns.filter((column) => column < this.source.table.columns);
    const figures = await this.#figures(baseline, shown, grouped);
    return reportTexts({ name, description, size }, figures, new Date());
  }

  /** How runs that were planned before differ from those of the table. @param planned the IDs of all of them */
  changeSince(planned: ReadonlySet<string>): PlanChange {
    const { runs = [], unsent = [] } = this.source.loaded?.plan ?? {};
    // Without a contract it is not known which can be sent.
    if (unsent.some(({ isRejected }) => !isRejected)) return { outdated: 0, added: 0 };
    const now = new Set(gridRuns({ runs }).map(({ customId }) => customId));
    const { results } = this.source.own;
    return {
      outdated: [...planned].filter((id) => !now.has(id) && !results.has(id)).length,
      added: [...now].filter((id) => !planned.has(id) && !results.has(id)).length,
    };
  }

  counts(): Counts {
    const counts = { total: 0, finished: 0, missing: 0, failed: 0, unconfirmed: 0, rejected: 0 };
    const { own, loaded } = this.source;
    const watch = this.#watch();
    const ofJudges: readonly PlacedRun[] = loaded ? judgesRuns(loaded.plan) : [];
    for (const { customId, isRejected } of [...own.plan.runs, ...ofJudges]) {
      const state = own.lineOf(customId)?.state ?? 'missing';
      if (state === 'missing' && watch?.isEnded({ customId })) continue;
      counts.total += 1;
      counts[isRejected && state !== 'finished' ? 'rejected' : state] += 1;
    }
    return counts;
  }

  /** The columns that have ended early. */
  #watch(): StopWatch | undefined {
    const { loaded, own } = this.source;
    if (this.#ended === undefined && loaded) {
      this.#ended = StopWatch.of(loaded, '');
      this.#ended?.add([...own.results.values()]);
    }
    return this.#ended;
  }

  #names(): string[] {
    return this.titles.columns.map(({ name }) => name);
  }

  async figures(): Promise<ShownFigures> {
    const { metrics, table } = this.source;
    const [known = this.#summarise(0)] = this.#summaries.values();
    return figuresOf(table, metrics, await known, this.locale);
  }

  confusion(column: number): ShownConfusion {
    return confusionOf(this.source.table, column);
  }

  #summarise(baseline: number): Promise<Summary> {
    const { metrics, table } = this.source;
    const computing = this.#summaries.get(baseline) ?? summarise(table, metrics, baseline);
    this.#summaries.set(baseline, computing);
    return computing;
  }

  /**
   * Figures over parts of the rows; undefined without such parts.
   * @param path absolute path of the experiment
   * @param by see `groupsBy`
   */
  async grouped(path: string, by: string | undefined): Promise<GlanceOptions['grouped']> {
    const { experiment, table, metrics } = this.source;
    if (by === undefined || !experiment) return undefined;
    const groupOf = await groupsBy(path, experiment, table.plan, by).catch(() => undefined);
    return groupOf && groupFigures(table, metrics, groupOf);
  }

  /** @param shown the columns whose comparisons are looked at together; missing: all */
  async summary(
    baseline = 0,
    shown?: readonly number[],
    grouped?: GlanceOptions['grouped'],
  ): Promise<ShownSummary> {
    const figures = await this.#figures(baseline, shown, grouped);
    const { columns } = figures.summary;
    return {
      runs: columns.map((column) => runsText(column, this.locale)),
      changes: [...this.#changes(figures), ...this.#uncompared(figures.shown)].map(visibleText),
      ...this.#near(columns, figures.shown),
      rows: figures.rows,
    };
  }

  /** Of the column with most rows that another spelling would make right. */
  #near(columns: Summary['columns'], shown: readonly number[]): Pick<ShownSummary, 'near'> {
    const { metrics } = this.source;
    const all = metrics.flatMap((metric, index) =>
      shown.flatMap((column) => {
        const near = columns[column]?.metrics[index]?.near;
        return near ? [{ metric, near }] : [];
      }),
    );
    const [most] = all.toSorted((a, b) => b.near.rows - a.near.rows);
    if (!most) return {};
    const ignored = new Set(all.flatMap(({ near }) => near.ignored));
    const ignore = IGNORABLE.filter((kind) => ignored.has(kind));
    return { near: { text: nearText(most.metric, most.near), ignore } };
  }

  /** The columns that other results have nothing of, in sentences. */
  #uncompared(shown: readonly number[]): string[] {
    const { own, others } = this.source;
    const names = this.#names();
    return [...new Set(others.map(({ of }) => of))].flatMap((of) => {
      const paired = new Set(others.flatMap((one) => (one.of === of ? (one.own ?? []) : [])));
      const without = shown.filter((column) => column < own.columns && !paired.has(column));
      if (without.length === 0) return [];
      const columns = without.map((column) => names[column]!).join(', ');
      return l10n.t(
        'Not compared with {0}, which has no results of the same requests: {1}.',
        of.label,
        columns,
      );
    });
  }

  /** How columns differ from their other results, in sentences. */
  #changes({ shown, comparisons, table, metrics }: TableFigures): string[] {
    const { columns } = this.titles;
    return shown.flatMap((column) => {
      const other = table.isOther(column) ? undefined : table.against(column, undefined);
      if (other === undefined || !shown.includes(other)) return [];
      const title = l10n.t('{0}, against {1}', columns[column]!.name, columns[other]!.other!.label);
      const compared = metrics.flatMap(
        ({ name }, index) => comparisonText(name, comparisons[column]?.[index], this.locale) ?? [],
      );
      const became = becameText(changedBetween(table, metrics, [column, other]));
      const parts = [...(became === undefined ? [] : [became]), ...compared];
      const text = parts.length > 0 ? parts.join('. ') : l10n.t('no row can be compared by a metric');
      return l10n.t('{0}: {1}', title, text);
    });
  }

  async #figures(
    baseline: number,
    shown: readonly number[] | undefined,
    grouped: GlanceOptions['grouped'],
  ): Promise<TableFigures> {
    const { metrics, table, experiment } = this.source;
    const names = this.#names();
    return tableFigures(table, metrics, {
      names,
      baseline,
      shown,
      grouped,
      locale: this.locale,
      margin: experiment?.margin,
      ended: endedTexts(this.#watch(), names),
      summary: await this.#summarise(baseline),
    });
  }

  rows(query: TableQuery, from: number, count: number, columns: readonly number[]): TableRowsPart {
    const { rows, folded } = this.order(query);
    return {
      rows: rows
        .slice(from, from + count)
        .map((row) => ({ ...this.rowHead(row), cells: this.cells(row, columns, query) })),
      total: rows.length,
      folded,
    };
  }

  order(query: TableQuery): RowOrder {
    const key = JSON.stringify(query);
    const { rater } = this.source;
    if (this.#order?.key !== key)
      this.#order = {
        key,
        order: rowOrder(this.source.table, { ...query, rater }, this.source.metrics),
      };
    return this.#order.order;
  }
}

/** Names and values of columns are texts of a repository. */
function visiblePlace({ pointer, name, value }: HeadPlace): HeadPlace {
  return { pointer, name: visibleText(name), value: visibleText(value) };
}

function shownThresholds(experiment: ExperimentFile | undefined): Record<string, string> {
  const entries = Object.entries(experiment?.thresholds ?? {});
  return Object.fromEntries(
    entries.flatMap(([metric, bound]) =>
      bound === undefined ? [] : [[metric, typeof bound === 'string' ? bound : bound.value]],
    ),
  );
}
