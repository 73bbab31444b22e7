import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { figureLines, recordedFigures } from '../../../../src/commands/figures';
import { readModel } from '../../../../src/contracts/model';
import type { Json } from '../../../../src/domain/json';
import type { ModelContract } from '../../../../src/domain/model';
import { confusionOf, figuresOf } from '../../../../src/experiments/charts/figures';
import { type Summary, summarise } from '../../../../src/experiments/figures/summary';
import type { ExperimentFile } from '../../../../src/experiments/file/format';
import type { LoadedExperiment } from '../../../../src/experiments/file/load';
import { writeBody } from '../../../../src/experiments/files/bodies';
import type { MetricName } from '../../../../src/experiments/metrics/metrics';
import { mean } from '../../../../src/experiments/metrics/statistics';
import { signFlipTest } from '../../../../src/experiments/metrics/tests';
import { htmlReport } from '../../../../src/experiments/report/html';
import { markdownSummary } from '../../../../src/experiments/report/markdown';
import { runTable } from '../../../../src/experiments/report/runTable';
import { readCompared } from '../../../../src/experiments/results/comparedFiles';
import { comparingOf } from '../../../../src/experiments/results/measuredValue';
import { bodyName, keptResult } from '../../../../src/experiments/results/resultBody';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { figureWords, metricNumber } from '../../../../src/experiments/table/figureTexts';
import { placedPlan } from '../../../../src/experiments/table/placedPlan';
import { ExperimentTable } from '../../../../src/experiments/table/table';
import { formatDuration } from '../../../../src/wording/duration';
import { formatMoney } from '../../../../src/wording/money';
import { formatDigits } from '../../../../src/wording/number';
import { planExperiment, readResults } from '../../../support/atOnce';
import { reportOf } from '../../../support/experiments/reportTexts';
import { wholeSummary } from '../../../support/experiments/wholeSummary';
import { root } from '../../../support/paths';

interface Figure {
  readonly value: number;
  readonly interval: readonly [number, number];
  readonly count: number;
  readonly different: number;
  readonly unexpected?: number;
}
type Column = Readonly<Record<string, Figure>> & {
  readonly confusion: { readonly labels: string[]; readonly counts: number[][] };
  readonly median: number;
  readonly percentile95: number;
  readonly cost: string;
};
type Named<T> = Readonly<Record<string, T>>;
type Compared = Readonly<Record<'difference' | 'count' | 'different' | 'p' | 'fewP', number>>;
interface Figures {
  readonly columns: Named<Column>;
  readonly comparisons: Named<Compared & { readonly few: readonly number[] }>;
}
type Member = 'label' | 'number' | 'box' | 'words';
interface Outcome {
  readonly state: 'finished' | 'failed';
  readonly cost: string;
  readonly ms: number;
  readonly result?: Named<Json>;
  readonly long?: boolean;
}
interface Labelled {
  readonly rows: readonly ({ readonly text: string } & Readonly<Record<Member, string>>)[];
  readonly results: Named<Named<Outcome>>;
}

const read = (name: string) =>
  JSON.parse(readFileSync(path.join(root, 'test/unit/experiments/reference', name), 'utf8')) as unknown;
const { rows, results } = read('set.json') as Labelled;
const wanted = read('figures.json') as Figures;
const names = ['a', 'b'] as const;

const close = (got: number | undefined, expected: number, what: string, tolerance = 1e-9) =>
  assert.ok(
    got !== undefined && Math.abs(got - expected) <= tolerance * Math.max(1, Math.abs(expected)),
    `${what}: ${got} is not ${expected}`,
  );

const vector = Array.from({ length: 3_000 }, (_, at) => at / 7);
const raw = { json: {}, bytes: new Uint8Array(), contentType: 'application/json' } as never;

const contractOf = (slug: string) =>
  readModel(
    { ...{ slug, modes: { execute: { input_schema: { properties: { text: { type: 'string' } } } } } } },
    slug,
  )!;
const connected: ReadonlyMap<string, ModelContract> = new Map(names.map((name) => [name, contractOf(name)]));
/** On another computer, or under another environment, the contracts are not known. */
const CONNECTIONS: readonly (readonly [string, ReadonlyMap<string, ModelContract>])[] = [
  ['with a connection', connected],
  ['without a connection', new Map()],
];

/** A figure as a person reads it, rounded as its value is. */
function figureText(metric: MetricName, { value, interval, count, different }: Figure): string {
  const digits = metricNumber(value, 'en').split('.')[1]!.length;
  const rowsText = `${count === rows.length ? '200 rows' : `${count} of 200 rows`} (${different} different)`;
  const [low, high] = interval.map((end) => formatDigits(end, digits, 'en'));
  const shown = `${metric} ${formatDigits(value, digits, 'en')} (${low} to ${high}), ${rowsText}`;
  // Sampled intervals are compared apart.
  return SAMPLED.includes(metric) ? shown.slice(0, shown.indexOf('(')) : shown;
}

/** The metrics by the member of results that they compare. */
const COMPARED: readonly (readonly [Member, readonly MetricName[]])[] = [
  ['label', ['accuracy', 'macro_f1', 'exact']],
  ['number', ['absolute_error', 'squared_error']],
  ['box', ['iou']],
  ['words', ['edit_distance', 'contains']],
];
/** Their intervals come of random numbers: compared with a tenth of their width. */
const SAMPLED = ['absolute_error', 'squared_error', 'iou', 'edit_distance'];

describe('The figures of a labelled set of 200 rows', () => {
  let folder: string;
  const cases: {
    readonly connection: string;
    readonly member: Member;
    readonly metrics: readonly MetricName[];
    readonly table: ExperimentTable;
    readonly loaded: LoadedExperiment;
  }[] = [];
  const metricsOf = (of: readonly MetricName[]) => of.map((name) => ({ name, tolerance: 0 }));

  /** The grid over all rows, whose expected values are those of a column. */
  const planOf = (contracts: ReadonlyMap<string, ModelContract>, member: Member) =>
    planExperiment({
      base: { model: 'a', mode: 'execute', input: {}, params: {} },
      variations: names.map((name) => ({ '/model': name })),
      items: {
        items: rows.map((row, at) => ({
          ...{ name: `row ${at + 2}`, values: { '/input/text': row.text }, files: [], expected: row[member] },
        })),
        faults: [],
        isText: true,
      },
      ...{ repeats: 1, contracts },
    });

  /** The results as a job writes them, long ones in files of their own. */
  async function lines(): Promise<ResultLine[]> {
    const file = path.join(folder, 'a.results.jsonl');
    const texts: string[] = [];
    const { runs } = planOf(connected, 'label');
    const idOf = (name: string, text: string) =>
      runs.find(({ request: { model, input } }) => model === name && input.text === text)!.customId;
    for (const [column, name] of names.entries())
      for (const [text, { state, cost, ms, result, long: isLong }] of Object.entries(results[name]!)) {
        const id = idOf(name, text);
        const output = isLong ? { embedding: vector, ...result } : result;
        const kept = output && keptResult({ output, raw });
        const [long] = kept?.files ?? [];
        const body = long && bodyName('a.results', text, id, long.extension);
        if (long) await writeBody(file, body!, long.bytes);
        const line = {
          ...{ custom_id: id, variation: { '/model': names[column]! }, item: text, repeat: 0, state },
          ...{ cost: { amount: cost, currency: 'USD' }, duration_ms: ms, result: kept?.result },
          ...{ result_without: kept?.result_without, result_sha256: kept?.result_sha256, result_file: body },
        };
        texts.push(JSON.stringify(line));
      }
    await writeFile(file, `${texts.join('\n')}\n`);
    return [...readResults(`${texts.join('\n')}\n`).results];
  }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'reference-'));
    const all = await lines();
    const byId = new Map(all.map((line) => [line.custom_id, line]));
    for (const [connection, known] of CONNECTIONS)
      for (const [member, metrics] of COMPARED) {
        const experiment = { run: { mode: 'execute' }, expected: { column: member, at: `/${member}` } };
        const plan = planOf(known, member);
        const comparing = comparingOf(experiment as unknown as ExperimentFile);
        await readCompared(path.join(folder, 'a.results.jsonl'), all, comparing.at);
        const table = new ExperimentTable(placedPlan(plan, byId).plan, byId, comparing);
        const loaded = {
          judges: [],
          experiment,
          plan,
          inputs: plan.items,
          metrics: metricsOf(metrics),
        } as unknown as LoadedExperiment;
        cases.push({ connection, member, metrics, table, loaded });
      }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const each = async (
    check: (
      member: Member,
      metrics: readonly MetricName[],
      table: ExperimentTable,
      summary: Summary,
    ) => void | Promise<void>,
  ) => {
    for (const { member, metrics, table } of cases) {
      await check(member, metrics, table, await summarise(table, metricsOf(metrics)));
    }
  };

  it('equal those of scikit-learn, SciPy and NumPy in the table', async () => {
    let compared = 0;
    await each((_, metrics, table, { columns }) => {
      for (const [column, name] of names.entries()) {
        const own = wanted.columns[name]!;
        close(columns[column]!.median, own.median, 'median');
        close(columns[column]!.percentile95, own.percentile95, 'percentile');
        close(Number(columns[column]!.cost[0]!.amount), Number(own.cost), 'cost');
        for (const [at, metric] of metrics.entries()) {
          const { measured, items } = columns[column]!.metrics[at]!;
          const figure = own[metric === 'exact' ? 'accuracy' : metric]!;
          const { interval } = measured!;
          assert.ok(typeof interval === 'object', `${metric} has an interval`);
          const tolerance = SAMPLED.includes(metric) ? 0.1 * (figure.interval[1] - figure.interval[0]) : 1e-9;
          close(measured?.value, figure.value, `${name} ${metric}`);
          for (const [end, value] of [interval.low, interval.high].entries())
            assert.ok(Math.abs(value - figure.interval[end]!) <= tolerance, `${name} ${metric}: ${value}`);
          assert.deepEqual([measured?.count, items], [figure.count, table.rows]);
          assert.equal(measured?.different, figure.different);
          assert.equal(measured?.unexpected, figure.unexpected);
          compared += 1;
        }
      }
    });
    assert.equal(compared, 32, 'each with and without a connection');
  });

  it('equal the reference in differences and tests; sampled ones to 0.02', async () => {
    await each((_, metrics, _table, { comparisons }) => {
      for (const [at, metric] of metrics.entries()) {
        const figure = wanted.comparisons[metric];
        if (!figure) continue;
        const own = comparisons[1]![at]!;
        close(own.difference, figure.difference, metric);
        assert.deepEqual([own.count, own.different], [figure.count, figure.different]);
        close(own.p, figure.p, metric, 0.02);
      }
    });
    for (const [metric, { few, fewP }] of Object.entries(wanted.comparisons))
      close(await signFlipTest(few), fewP, `${metric} of twelve rows`);
  });

  it('equal the reference in charts', async () => {
    await each((_, metrics, table, summary) => {
      const { columns } = figuresOf(table, metricsOf(metrics), summary);
      for (const [column, name] of names.entries()) {
        close(columns[column]!.times!.quantiles[2], wanted.columns[name]!.median, 'median');
        for (const [at, metric] of metrics.entries()) {
          const figure = wanted.columns[name]![metric === 'exact' ? 'accuracy' : metric]!;
          close(columns[column]!.metrics[at]!.value, figure.value, metric);
          assert.equal(columns[column]!.metrics[at]!.count, figure.count);
        }
      }
    });
    for (const [column, name] of names.entries()) {
      const { labels, counts } = confusionOf(cases[0]!.table, column);
      assert.deepEqual({ labels, counts }, wanted.columns[name]!.confusion);
    }
  });

  it('equal the means of the exported rows', async () => {
    await each((_, metrics, table) => {
      const order = rows.map((_row, at) => at);
      const records = runTable(table, order, metricsOf(metrics));
      for (const metric of metrics) {
        if (metric === 'macro_f1') continue;
        const [at, model] = [metric, '/model'].map((name) => records.header.indexOf(name)) as [
          number,
          number,
        ];
        for (const name of names) {
          const values = records.rows.filter((row) => row[model] === name).flatMap((row) => row[at] ?? []);
          const figure: Figure = wanted.columns[name]![metric === 'exact' ? 'accuracy' : metric]!;
          close(mean(values as number[]), figure.value, metric);
          assert.equal(values.length, figure.count);
        }
      }
    });
  });

  it('equal those of reports and of the table’s head, with their rows', async () => {
    await each((member, metrics, _table, { columns }) => {
      const texts = reportOf('x', {
        ...{ name: 'reference', size: '' },
        columns: names.map((name, column) => ({
          name,
          words: metricsOf(metrics).flatMap((metric, at) =>
            figureWords(metric, columns[column]!.metrics[at]!, `/${member}`, 'en'),
          ),
        })),
      });
      const reports = [htmlReport(texts, [], 'en'), markdownSummary(texts).replaceAll('\\', '')];
      for (const name of names)
        for (const metric of metrics) {
          const figure: Figure = wanted.columns[name]![metric === 'exact' ? 'accuracy' : metric]!;
          const wantedText = figureText(metric, figure);
          for (const report of reports) assert.ok(report.includes(wantedText), wantedText);
        }
    });
  });

  it('stay the same without a network, to the last digit', async () => {
    for (const [member] of COMPARED) {
      const [one, other] = cases.filter((each) => each.member === member);
      const [first, second] = await Promise.all(
        [one!, other!].map(({ table, metrics }) => wholeSummary(table, metricsOf(metrics))),
      );
      assert.equal(other!.loaded.plan.runs.length, 0, 'no run can be sent');
      assert.deepEqual(second, first);
    }
  });

  it('appear in a terminal, with costs and times', async () => {
    let compared = 0;
    for (const { connection, metrics, loaded } of cases) {
      const printed = figureLines(await recordedFigures(loaded, path.join(folder, 'a.results.jsonl')));
      const headings = printed.filter((line) => !line.startsWith(' '));
      for (const name of names) {
        const under = (heading: string) => {
          const next = printed.indexOf(headings[headings.indexOf(heading) + 1]!);
          const rows = printed.slice(printed.indexOf(heading) + 1, next < 0 ? undefined : next);
          return rows
            .find((line) => line.startsWith(`  ${name} `))!
            .slice(name.length + 2)
            .trim();
        };
        const { cost, median, percentile95, ...figures } = wanted.columns[name]!;
        const times = [median, percentile95].map((ms) => formatDuration(ms, 'en'));
        for (const metric of metrics) {
          const { value, interval, count, different } = figures[metric === 'exact' ? 'accuracy' : metric]!;
          const line = under(metric);
          const digits = /^\d+\.(\d+)/.exec(line)![1]!.length;
          const [own, low, high] = [value, ...interval].map((one) => formatDigits(one, digits, 'en'));
          const range = SAMPLED.includes(metric) ? '[\\d.]+ to [\\d.]+' : `${low} to ${high}`;
          const n = count === rows.length ? 'n 200' : `n ${count} of 200`;
          assert.match(
            line,
            new RegExp(`^${own} +(?:(?:may be )?best +)?${range} +${n}, ${different} different`),
            `${connection}: ${metric}`,
          );
          compared += 1;
        }
        assert.ok(under('cost').startsWith(formatMoney({ amount: cost, currency: 'USD' }, 'en')));
        assert.ok(under('median time').startsWith(`median ${times[0]}, 95% within ${times[1]}`));
        compared += 2;
      }
    }
    assert.equal(compared, 64);
  });
});
