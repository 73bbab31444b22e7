import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Json } from '../../src/domain/json';
import { compareColumns, measureColumn } from '../../src/experiments/metrics/columns';
import type { Interval, NoInterval } from '../../src/experiments/metrics/intervals';
import type { MeasuredItem, MetricName } from '../../src/experiments/metrics/metrics';
import { holm } from '../../src/experiments/metrics/tests';

/**
 * Simulated experiments whose truth is known: how often a difference is called unlikely to be chance where there is none,
 * and how often a 95% interval holds the true value.
 */

export interface Coverage {
  /** The metric, and the shape of its values. */
  readonly of: string;
  readonly rows: number;
  /** Share of comparisons of two equal columns with p < 0.05. */
  readonly falseAlarms: number;
  /** Share of figures that had an interval: the others said that rows are too few or alike. */
  readonly given: number;
  /** Of the given intervals, the share that holds the true value; NaN where none was given. */
  readonly held: number;
  /** The same of the difference of a worse column. */
  readonly differences: { readonly given: number; readonly held: number };
}

/** A simulated experiment of two columns that are equally good, and a worse one. */
interface Simulated {
  readonly columns: readonly (readonly MeasuredItem[])[];
  readonly truth: number;
  /** Of the worse column. */
  readonly worse: number;
}

interface Simulation {
  readonly of: string;
  readonly metric: MetricName;
  readonly draw: (rows: number, random: Random) => Simulated;
}

type Random = () => number;

function randomFrom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return () => ((generator.next() >>> 0) + 0.5) / 2 ** 32;
}

/** Standard normal (G. Box and M. Muller, 1958). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}

function poisson(rate: number, random: Random): number {
  const limit = Math.exp(-rate);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** Rows of two columns with outcomes that are drawn in the same way, given the row, and of a worse one. */
function threeColumns(
  rows: number,
  draw: () => { readonly expected: Json; readonly got: (isWorse: boolean) => Json },
): readonly MeasuredItem[][] {
  const columns: MeasuredItem[][] = [[], [], []];
  for (let row = 0; row < rows; row++) {
    const { expected, got } = draw();
    for (const [at, column] of columns.entries())
      column.push({ item: String(row), expected, got: [got(at === 2)], isText: false });
  }
  return columns;
}

const shares: Simulation = {
  of: 'accuracy',
  metric: 'accuracy',
  draw: (rows, random) => {
    // Some rows are hard for both columns.
    const [hard, easy] = [0.2 + 0.6 * random(), 0.5 + 0.49 * random()];
    const columns = threeColumns(rows, () => {
      const share = random() < 0.5 ? hard : easy;
      return { expected: 'yes', got: (isWorse) => (random() < share * (isWorse ? 0.8 : 1) ? 'yes' : 'no') };
    });
    return { columns, truth: (hard + easy) / 2, worse: (0.8 * (hard + easy)) / 2 };
  },
};

const labels = (least: number, most: number): Simulation => ({
  of: `macro F1, ${least} to ${most} labels`,
  metric: 'macro_f1',
  draw: (rows, random) => {
    const count = least + Math.floor((most + 1 - least) * random());
    const weights = Array.from({ length: count }, () => 0.3 + random());
    const right = weights.map(() => 0.4 + 0.55 * random());
    return labelled(rows, random, weights, right);
  },
});

/** @param right the share of rows of each label that get it */
function labelled(
  rows: number,
  random: Random,
  weights: readonly number[],
  right: readonly number[],
): Simulated {
  const count = weights.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (label: number, isWorse: boolean) => right[label]! * (isWorse ? 0.85 : 1);
  // A wrong row gets any other label, or one that is never expected.
  const wrongLabel = (label: number) => (label + 1 + Math.floor(count * random())) % (count + 1);
  const columns = threeColumns(rows, () => {
    let label = 0;
    for (let left = random() * total; left > weights[label]! && label < count - 1; label++)
      left -= weights[label]!;
    return {
      expected: `${label}`,
      got: (isWorse) => `${random() < share(label, isWorse) ? label : wrongLabel(label)}`,
    };
  });
  const expected = [...new Set(columns[0]!.map((item) => Number(item.expected)))];
  const truthOf = (isWorse: boolean) => {
    const scores = expected.map((label) => {
      const missed = weights.reduce(
        (sum, weight, other) => sum + (other === label ? 0 : (weight * (1 - share(other, isWorse))) / count),
        0,
      );
      const own = share(label, isWorse);
      return (2 * weights[label]! * own) / (weights[label]! * (1 + own) + missed);
    });
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  };
  return { columns, truth: truthOf(false), worse: truthOf(true) };
}

/** Most rows are of one label, and few of the others. */
const unbalanced: Simulation = {
  of: 'macro F1, labels of 85%, 10% and 5%',
  metric: 'macro_f1',
  draw: (rows, random) => labelled(rows, random, [0.85, 0.1, 0.05], [0.89, 0.89, 0.89]),
};

/** Most rows are exact, some a little off, a few far off. */
const skewed: Simulation = {
  of: 'absolute error, 1 in 10 far off',
  metric: 'absolute_error',
  draw: (rows, random) => ({
    columns: threeColumns(rows, () => {
      const size = random();
      const off = size < 0.1 ? 10 : size < 0.3 ? 1 : 0;
      return { expected: 0, got: (isWorse) => off + (isWorse && random() < 0.3 ? 2 : 0) };
    }),
    ...{ truth: 1.2, worse: 1.8 },
  }),
};

const errors = (metric: 'absolute_error' | 'squared_error', truth: number): Simulation => ({
  of: metric === 'absolute_error' ? 'absolute error' : 'squared error, very skewed',
  metric,
  draw: (rows, random) => {
    const columns = threeColumns(rows, () => {
      const size = random() < 0.5 ? 0.5 : 1.5;
      return { expected: 0, got: (isWorse) => (isWorse ? 1.25 : 1) * size * normal(random) };
    });
    return { columns, truth, worse: truth * (metric === 'absolute_error' ? 1.25 : 1.25 ** 2) };
  },
});

const edits: Simulation = {
  of: 'edit distance, counts',
  metric: 'edit_distance',
  draw: (rows, random) => ({
    columns: threeColumns(rows, () => {
      const rate = random() < 0.5 ? 0.5 : 2.5;
      return {
        expected: 'text',
        got: (isWorse) => `text${'x'.repeat(poisson(rate * (isWorse ? 1.5 : 1), random))}`,
      };
    }),
    ...{ truth: 1.5, worse: 2.25 },
  }),
};

const overlaps: Simulation = {
  of: 'overlap of boxes, 1 in 8 missed',
  metric: 'iou',
  draw: (rows, random) => ({
    columns: threeColumns(rows, () => ({
      expected: [0, 0, 1, 1],
      got: (isWorse) =>
        random() < (isWorse ? 0.25 : 0.125) ? 'none' : [0, 0, 0.5 + 0.5 * Math.sqrt(random()), 1],
    })),
    truth: 0.875 * (0.5 + 0.5 * (2 / 3)),
    worse: 0.75 * (0.5 + 0.5 * (2 / 3)),
  }),
};

export const SIMULATIONS: readonly Simulation[] = [
  shares,
  labels(2, 5),
  unbalanced,
  errors('absolute_error', Math.sqrt(2 / Math.PI)),
  errors('squared_error', 1.25),
  skewed,
  edits,
  overlaps,
];

/** Some runs serve several rows, as the inputs of duplicated rows do. @param rows different ones */
export const SHARED_RUNS: readonly Simulation[] = [shares, SIMULATIONS[1]!, SIMULATIONS[3]!].map(
  ({ of, metric, draw }) => ({
    of: `${of}, rows that share runs`,
    metric,
    draw: (rows, random) => {
      const { columns, ...truths } = draw(rows, random);
      const sizes = Array.from({ length: rows }, () => 1 + Math.floor(4 * random()));
      return {
        columns: columns.map((items) =>
          items.flatMap((item, at) =>
            Array.from({ length: sizes[at]! }, (_, copy) => ({
              ...{ ...item, item: `${item.item} ${copy}` },
              runs: [item.item],
            })),
          ),
        ),
        ...truths,
      };
    },
  }),
);

/** Each label has few rows. */
export const MANY_LABELS = labels(20, 50);

/** Of the intervals that simulated experiments give, the share that holds the true value. */
export async function heldShare(
  { metric, draw }: Simulation,
  rows: number,
  experiments: number,
  seed: number,
): Promise<number> {
  const random = randomFrom(seed + rows);
  let [given, held] = [0, 0];
  for (let experiment = 0; experiment < experiments; experiment++) {
    const { columns, truth } = draw(rows, random);
    const { measured } = await measureColumn({ name: metric, tolerance: 0 }, columns[0] ?? []);
    if (typeof measured?.interval !== 'object') continue;
    given += 1;
    if (measured.interval.low <= truth && truth <= measured.interval.high) held += 1;
  }
  return held / given;
}

/** @param experiments simulated for each metric and number of rows */
export async function coverageOf(
  simulations: readonly Simulation[],
  counts: readonly number[],
  experiments: number,
  seed: number,
): Promise<Coverage[]> {
  const found: Coverage[] = [];
  for (const { of, metric, draw } of simulations)
    for (const rows of counts) {
      const random = randomFrom(seed + rows);
      let alarms = 0;
      const [figures, differences] = [new Held(), new Held()];
      for (let experiment = 0; experiment < experiments; experiment++) {
        const { columns, truth, worse } = draw(rows, random);
        const [first = [], second = [], third = []] = columns;
        const own = { name: metric, tolerance: 0 };
        const compared = await compareColumns(own, first, second);
        if (compared && compared.p < 0.05) alarms += 1;
        figures.count((await measureColumn(own, first)).measured?.interval, truth);
        differences.count((await compareColumns(own, third, first))?.interval, worse - truth);
      }
      found.push({
        ...{ of, rows, falseAlarms: alarms / experiments, ...figures.shares(experiments) },
        differences: differences.shares(experiments),
      });
    }
  return found;
}

/** Counts intervals, and those that hold the true value. */
class Held {
  #given = 0;
  #held = 0;

  count(interval: Interval | NoInterval | undefined, truth: number): void {
    if (typeof interval !== 'object') return;
    this.#given += 1;
    if (interval.low <= truth && truth <= interval.high) this.#held += 1;
  }

  shares(experiments: number): { readonly given: number; readonly held: number } {
    return { given: this.#given / experiments, held: this.#held / this.#given };
  }
}

/** How often at least one of five columns is called different from the baseline, where all six are equally good. */
export async function alarmsTogether(rows: number, experiments: number, seed: number): Promise<number> {
  const random = randomFrom(seed + rows);
  const accuracy = { name: 'accuracy', tolerance: 0 } as const;
  let alarms = 0;
  for (let experiment = 0; experiment < experiments; experiment++) {
    const share = 0.3 + 0.6 * random();
    const columns = Array.from({ length: 6 }, () =>
      Array.from(
        { length: rows },
        (_, row): MeasuredItem => ({
          ...{ item: String(row), expected: 'yes' },
          got: [random() < share ? 'yes' : 'no'],
        }),
      ),
    );
    const [baseline = [], ...others] = columns;
    const compared = await Promise.all(others.map((column) => compareColumns(accuracy, column, baseline)));
    if (holm(compared.flatMap((one) => one?.p ?? [])).some((p) => p < 0.05)) alarms += 1;
  }
  return alarms / experiments;
}

/** A table in Markdown, as docs/experiments.md has it, in percent: false alarms/held/differences held. */
export function coverageTable(found: readonly Coverage[], counts: readonly number[]): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  const heldText = ({ given, held }: Pick<Coverage, 'given' | 'held'>) => {
    const part = given < 0.995 ? `(${(100 * given).toFixed(0)})` : '';
    return given === 0 ? 'none' : percent(held) + part;
  };
  const names = [...new Set(found.map(({ of }) => of))];
  const lines = names.map((of) => [
    of,
    ...counts.map((rows) => {
      const one = found.find((other) => other.of === of && other.rows === rows)!;
      return [percent(one.falseAlarms), heldText(one), heldText(one.differences)].join('/');
    }),
  ]);
  const head = ['', ...counts.map((rows) => `n = ${rows}`)];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
