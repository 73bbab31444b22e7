import type { Browser } from 'playwright-core';
import type { Json } from '../../../src/domain/json';
import type { ExperimentFile } from '../../../src/experiments/file/format';
import { judgementLines } from '../../../src/experiments/judges/judging';
import type { Metric } from '../../../src/experiments/metrics/metrics';
import { judgementKey } from '../../../src/experiments/results/judgements';
import type { ComparedParts } from '../../../src/experiments/setup/comparedParts';
import { offeredParts } from '../../../src/experiments/setup/comparedParts';
import { metricsWithJudged } from '../../../src/experiments/table/measureRun';
import { shownDifferences } from '../../../src/experiments/table/numberDifferences';
import type { OtherColumn } from '../../../src/experiments/table/otherResults';
import { ExperimentTable } from '../../../src/experiments/table/table';
import { plotHandlers } from '../../../src/features/experiments/plotHandlers';
import { ShownTable } from '../../../src/features/experiments/shownTable';
import type { AskedSummary, ShownJudgement, TableQuery } from '../../../src/protocol/experiment';
import { openWebviewPage, type WebviewPage } from '../webviewPage';

/** The table page in a plain browser over the host's own code; only VS Code itself is missing. */
export interface ExperimentPageHarness extends WebviewPage {
  show(table: ExperimentTable, more?: Pick<ExperimentPageOptions, 'own' | 'others'>): Promise<void>;
  /** Rows are sent only after this. */
  hold(until: Promise<void>): void;
  /** The table that the host shows. */
  table(): ExperimentTable;
}

export interface ExperimentPageOptions {
  readonly table: ExperimentTable;
  /** Of a table with other results: that of its own, and the columns of the others. */
  readonly own?: ExperimentTable;
  readonly others?: readonly OtherColumn[];
  /** How the user looked at the table last, as the page keeps it. */
  readonly view?: Json;
  readonly metrics?: readonly Metric[];
  readonly experiment?: Partial<ExperimentFile>;
  readonly compared?: readonly ComparedParts[];
  readonly width?: number;
  readonly theme?: string;
  readonly responses?: Readonly<Record<string, (params: never) => unknown>>;
  /** Where the page loads pictures from, of results also by the name of their file. */
  readonly picture?: string | ((name: string) => string);
  /** A script that runs in the page before its own. */
  readonly before?: string;
  readonly pulse?: () => unknown;
  readonly hasClock?: boolean;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

interface RowsCall {
  readonly query: TableQuery;
  readonly from: number;
  readonly count: number;
  readonly columns: number[];
}

export async function openExperimentPage(
  browser: Browser,
  options: ExperimentPageOptions,
): Promise<ExperimentPageHarness> {
  const { metrics = [], experiment = {}, responses = {} } = options;
  const shownOf = (
    table: ExperimentTable,
    { own = table, others = [] }: Pick<ExperimentPageOptions, 'own' | 'others'> = {},
  ) => {
    const { picture } = options;
    const addresses = {
      input: (uri: string) => (typeof picture === 'function' ? picture(uri) : picture),
      result: (name: string) => (typeof picture === 'function' ? picture(name) : picture),
      resultPath: (name: string) => name,
    };
    return new ShownTable(
      {
        experiment: { run: {}, ...experiment },
        metrics: metricsWithJudged(metrics, table),
        table,
        ...{ own, others },
        problems: [],
        compared: options.compared ?? [],
        earlier: new Map(),
      },
      addresses,
      'en',
    );
  };
  let held: Promise<void> | undefined;
  let shown = shownOf(options.table, options);
  const head = () => ({
    ...shown.head('languages', { state: 'idle', ...shown.counts() }),
    ...(options.view !== undefined && { view: options.view }),
  });
  const own: Record<string, (params: never) => unknown> = {
    ...(plotHandlers(
      async () => shown,
      async () => undefined,
    ) as unknown as typeof responses),
    ready: head,
    summary: async ({ baseline, columns, groupBy }: AskedSummary) => {
      return shown.summary(baseline, columns, await shown.grouped('', groupBy));
    },
    figures: () => shown.figures(),
    confusion: ({ column }: { column: number }) => shown.confusion(column),
    rows: async ({ query, from, count, columns }: RowsCall) => {
      await held;
      return shown.rows(query, from, count, columns);
    },
    cell: ({ row, column }: { row: number; column: number }) => ({
      title: `row ${row}, column ${column}`,
      inputs: shown.inputs(shown.source.table.plan.items[row]!),
      compare: offeredParts(shown.source, { row, column }),
      runs: [{ repeat: 0, state: 'finished', facts: [{ name: 'cost', value: '$0.01' }] }],
    }),
    numberDifferences: ({ first, second }: { first: Place; second: Place }) => {
      const resultsOf = ({ row, column }: Place) =>
        shown.source.table.finished(row, column).map(({ result }) => result ?? null);
      return shownDifferences(resultsOf(first), resultsOf(second), 'en');
    },
    judge: async (judgement: ShownJudgement) => {
      const { plan, results, comparing, judgements } = shown.source.table;
      const lines = judgementLines(shown.source.table, judgement, new Date(), '');
      const latest = new Map([...judgements, ...lines].map((line) => [judgementKey(line), line]));
      await show(new ExperimentTable(plan, results, comparing, [...latest.values()]));
    },
    ...responses,
  };
  const show: ExperimentPageHarness['show'] = async (table, more) => {
    shown = shownOf(table, more);
    await opened.notify('changed', head());
  };
  const opened = await openWebviewPage(browser, {
    name: 'experiment',
    height: 800,
    ...(options.width !== undefined && { width: options.width }),
    ...(options.theme !== undefined && { theme: options.theme }),
    ...(options.before !== undefined && { before: options.before }),
    ...{ pulse: options.pulse, hasClock: options.hasClock },
    response: (method, params) => own[method]?.(params as never),
  });
  return {
    ...opened,
    show,
    table: () => shown.source.table,
    hold(until) {
      held = until;
    },
  };
}
