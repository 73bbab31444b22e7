import { addAll, countEach, greatestOf } from '../../domain/many';
import { Turns } from '../../service/turns';
import { isBlank, isLabel, kindsIn, labelsIn, type OtherKinds } from './equality';
import { type HitFacts, hitFacts } from './hits';
import { type Ignored, type NearMisses, nearMisses } from './ignoring';
import {
  type Interval,
  jackknifeDifference,
  jackknifeInterval,
  meanInterval,
  type NoInterval,
  pairedShareInterval,
  shareInterval,
} from './intervals';
import { wantedSet } from './itemMetrics';
import { LabelF1, type LabelPair, labelNumbers, labelPair, setPairs } from './labels';
import {
  asCompared,
  type BoxDoubts,
  boxDoubts,
  failureValue,
  isGiven,
  isOfLabels,
  isOfPairs,
  isOfRightAndWrong,
  isShare,
  type MeasuredItem,
  type Metric,
  mayIgnore,
  measureItem,
  metricRange,
  type SetupFault,
  setupFault,
} from './metrics';
import { effectiveCount, observations } from './observations';
import { differenceOf, mean } from './statistics';
import { mcnemar, permutationTest, type RowExchange, signFlipTest } from './tests';

/** Rows that a column won against the baseline by a judge of pairs, and how likely chance alone is as one-sided. */
export interface PairCounts {
  readonly won: number;
  readonly lost: number;
  /** Without contradictions. */
  readonly tied: number;
  /** Rows of which the judge named the same place in both orders. */
  readonly contradicted: number;
  /** Exact two-sided sign test of the won rows against the lost ones (W. Dixon and A. Mood, 1946). */
  readonly p: number;
}

/** A metric over a column. */
interface Measured {
  readonly value: number;
  /** 95%, or why there is none. */
  readonly interval: Interval | NoInterval;
  /** Items measured. */
  readonly count: number;
  /** Different ones among them, which the interval is of: see `observations`. */
  readonly different: number;
  /** Failed runs among them, which count as wrong. */
  readonly failed: number;
  /** Of a judge that compares pairs. */
  readonly pairs?: PairCounts;
  /** Of macro F1: results with a label that is never expected. */
  readonly unexpected?: number;
  /** Of macro F1: the label that fewest rows expect. */
  readonly rarest?: string;
  readonly hits?: HitFacts;
}

/** A metric of a column: a figure, a fault of the set-up, or neither while there is no result to measure. */
export interface ColumnFigure {
  readonly measured?: Measured;
  readonly fault?: SetupFault;
  /** Items of the column, and those without an expected value. */
  readonly items: number;
  readonly blank: number;
  /** Results in files that cannot be read: not measured. */
  readonly unreadable: number;
  readonly boxes?: BoxDoubts;
  /** Rows that would be right, or measured, in another spelling. */
  readonly near?: NearMisses;
}

/** A column by a metric. @param items all of the column, those without an outcome too */
export async function measureColumn(metric: Metric, items: readonly MeasuredItem[]): Promise<ColumnFigure> {
  const fault = setupFault(metric, items);
  const isOut = isGiven(metric)
    ? (item: MeasuredItem) => item.isBlank === true
    : ({ expected }: MeasuredItem) => isBlank(expected);
  const blank = items.filter(isOut).length;
  const unreadable = items.reduce((sum, item) => sum + (item.unreadable ?? 0), 0);
  const boxes = boxDoubts(metric, items);
  const near = nearMissesOf(metric, items);
  const counts = { items: items.length, blank, unreadable, ...(boxes && { boxes }), ...(near && { near }) };
  if (fault) return { ...counts, fault };
  const measured = await (isOfLabels(metric) ? measureLabels(metric, items) : measureValues(metric, items));
  return { ...counts, ...(measured && { measured }) };
}

async function measureValues(metric: Metric, items: readonly MeasuredItem[]): Promise<Measured | undefined> {
  // Lists of numbers and not of pairs: a large table has many rows.
  const values: number[] = [];
  const measured: MeasuredItem[] = [];
  const turns = new Turns();
  for (const item of items) {
    const value = itemValue(metric, item);
    if (value !== undefined) {
      values.push(value);
      measured.push(item);
    }
    if (turns.isOver) await turns.next();
  }
  if (measured.length === 0) return undefined;
  const value = mean(values);
  const observed = <Joined>(joined: (rows: readonly number[]) => Joined) =>
    observations([...values.keys()], (row) => runsOf(measured[row]!), joined);
  const sizes = observed(({ length }) => length);
  const count = effectiveCount(sizes);
  const interval =
    isShare(metric) && values.every(isBinary)
      ? shareInterval(value * count, count)
      : await meanInterval(
          observed((rows) => rows.map((row) => values[row]!)),
          metricRange(metric),
        );
  const failed = failureValue(metric) === undefined ? 0 : failedIn(measured);
  const contradicted = measured.filter((item, row) => values[row] === 0.5 && (item.contradicted ?? 0) > 0);
  const groups = isOfPairs(metric) ? observed((rows) => rows.map((row) => values[row]!)) : undefined;
  const hits =
    'hits' in metric
      ? hitFacts(
          metric.hits,
          items.flatMap((item) => item.hits ?? []),
        )
      : undefined;
  return {
    value,
    interval,
    count: values.length,
    different: sizes.length,
    failed,
    ...(groups && { pairs: pairCounts(groups, contradicted.length) }),
    ...(hits && { hits }),
  };
}

/** Rows of one result that another spelling would make right; of errors, those that it would make measurable. */
function nearMissesOf(metric: Metric, items: readonly MeasuredItem[]): NearMisses | undefined {
  if (!('tolerance' in metric) || metric.ignore || !mayIgnore(metric.name)) return undefined;
  const isRight = isOfRightAndWrong(metric)
    ? (value: number | undefined) => value === 1
    : metricRange(metric).high === Infinity && ((value: number | undefined) => value !== undefined);
  if (!isRight) return undefined;
  const measureAs = (item: MeasuredItem, ignore?: readonly Ignored[]) =>
    measureItem(ignore ? { ...metric, ignore } : metric, item.got[0], item.expected, item.isText);
  const wrong = items.filter(
    (item) => item.got.length === 1 && !isBlank(item.expected) && !isRight(measureAs(item)),
  );
  return nearMisses(wrong, (item, ignored) => isRight(measureAs(item, ignored)));
}

/** @param groups the values of rows, those of one run together: see `observations` */
function pairCounts(groups: readonly (readonly number[])[], contradicted = 0): PairCounts {
  const values = groups.flat();
  const sums = groups.map((own) => own.reduce((sum, value) => sum + value - 0.5, 0));
  return {
    won: values.filter((value) => value > 0.5).length,
    lost: values.filter((value) => value < 0.5).length,
    tied: values.filter((value) => value === 0.5).length - contradicted,
    contradicted,
    p: mcnemar(sums.filter((sum) => sum > 0).length, sums.filter((sum) => sum < 0).length),
  };
}

function runsOf({ runs = [] }: MeasuredItem): readonly string[] {
  return runs;
}

function failedIn(items: readonly MeasuredItem[]): number {
  return new Set(items.flatMap(({ failed = [] }) => failed)).size;
}

function isBinary(value: number): boolean {
  return value === 0 || value === 1;
}

/** How likely a difference at least this large is by chance, over the items that both columns have. */
export interface ColumnComparison {
  /** first − second. */
  readonly difference: number;
  /** 95% interval of the difference over the same rows, or why there is none. */
  readonly interval: Interval | NoInterval;
  /** The figures of both over the compared items. */
  readonly first: number;
  readonly second: number;
  /** Two-sided p of this comparison alone. */
  readonly p: number;
  readonly count: number;
  /** Different ones among the compared items, which the test is of. */
  readonly different: number;
  /** The items that the figures of both columns are of. */
  readonly isOfAllItems: boolean;
  /** Of people's preferences: the rows that the first won, with the sign test that `p` is of. */
  readonly pairs?: PairCounts;
}

/** Compares two columns by a metric; undefined when they have no measured item in common, or one has no figure. */
export async function compareColumns(
  metric: Metric,
  first: readonly MeasuredItem[],
  second: readonly MeasuredItem[],
): Promise<ColumnComparison | undefined> {
  if (setupFault(metric, first) ?? setupFault(metric, second)) return undefined;
  const others = new Map(second.map((item) => [item.item, item]));
  const pairs = first.flatMap((item) => {
    const other = others.get(item.item);
    return other ? [[item, other] as const] : [];
  });
  if (isOfLabels(metric)) return compareLabels(metric, pairs, [first, second]);
  const values = pairs.flatMap(([one, other]) => {
    const [a, b] = [itemValue(metric, one), itemValue(metric, other)];
    return a === undefined || b === undefined ? [] : [{ a, b, runs: [...runsOf(one), ...runsOf(other)] }];
  });
  if (values.length === 0) return undefined;
  const groups = observations(
    values,
    ({ runs }) => runs,
    (rows) => rows,
  );
  const differences = groups.map((rows) => rows.reduce((sum, { a, b }) => sum + a - b, 0));
  const size = greatestOf(differences.map(Math.abs));
  const only = (difference: number) => differences.filter((value) => value === difference).length;
  const [one, other] = [mean(values.map(({ a }) => a)), mean(values.map(({ b }) => b))];
  const won = ({ a, b }: Pair) => (a === b ? 0.5 : Number(a > b));
  const preferred = metric.name === 'preferred' ? pairCounts(groups.map((rows) => rows.map(won))) : undefined;
  // Groups of one size count as rows do.
  const areEven =
    values.every(({ a, b }) => isBinary(a) && isBinary(b)) &&
    differences.every((value) => value === 0 || Math.abs(value) === size);
  return {
    difference: differenceOf(one, other),
    first: one,
    second: other,
    interval: await differenceInterval(metric, values, groups),
    p: areEven ? mcnemar(only(size), only(-size)) : await signFlipTest(differences),
    ...(preferred && { pairs: preferred, p: preferred.p }),
    count: values.length,
    different: groups.length,
    isOfAllItems: [first, second].every((items) => measuredIn(metric, items) === values.length),
  };
}

interface Pair {
  readonly a: number;
  readonly b: number;
}

/** Newcombe's for shares, else the bootstrap of the differences of rows. @param groups see `observations` */
async function differenceInterval(
  metric: Metric,
  values: readonly Pair[],
  groups: readonly (readonly Pair[])[],
): Promise<Interval | NoInterval> {
  if (isShare(metric) && values.every(({ a, b }) => isBinary(a) && isBinary(b))) {
    const each = effectiveCount(groups.map(({ length }) => length)) / values.length;
    const countOf = (a: number, b: number) =>
      each * values.filter((one) => one.a === a && one.b === b).length;
    return pairedShareInterval({
      both: countOf(1, 1),
      onlyFirst: countOf(1, 0),
      onlySecond: countOf(0, 1),
      neither: countOf(0, 0),
    });
  }
  const { low, high } = metricRange(metric);
  const differences = groups.map((rows) => rows.map(({ a, b }) => a - b));
  return meanInterval(differences, { low: low - high, high: high - low }, true);
}

function measuredIn(metric: Metric, items: readonly MeasuredItem[]): number {
  return items.filter((item) => itemValue(metric, item) !== undefined).length;
}

/** Repeats are not independent of one another: an item counts once, with the mean of its repeats. */
export function itemValue(
  metric: Metric,
  { got, expected, failed = [], isText }: MeasuredItem,
): number | undefined {
  const values = got.flatMap((one) => measureItem(metric, one, expected, isText) ?? []);
  const failure = isBlank(expected) && !isGiven(metric) ? undefined : failureValue(metric);
  if (failure !== undefined)
    addAll(
      values,
      failed.map(() => failure),
    );
  return values.length === 0 ? undefined : mean(values);
}

function kindsOf(items: readonly MeasuredItem[]): OtherKinds {
  return items[0]?.kinds ?? kindsIn(items.flatMap(({ got }) => got));
}

function scoreOf(
  { name }: Metric,
  items: readonly (readonly LabelPair[])[],
  numbers?: ReadonlyMap<string, number>,
): LabelF1 {
  return new LabelF1(items, numbers, name === 'micro_f1');
}

async function measureLabels(metric: Metric, items: readonly MeasuredItem[]): Promise<Measured | undefined> {
  const kinds = kindsOf(items);
  const measured: MeasuredItem[] = [];
  const rows: LabelPair[][] = [];
  for (const item of items) {
    const own = labelPairs(metric, item, kinds);
    if (own.length === 0) continue;
    measured.push(item);
    rows.push(own);
  }
  if (rows.length === 0) return undefined;
  const pairs = observations(
    [...rows.keys()],
    (row) => runsOf(measured[row]!),
    (group) => (group.length === 1 ? rows[group[0]!]! : group.flatMap((row) => rows[row]!)),
  );
  const f1 = scoreOf(metric, pairs);
  const labels = rowsOfLabels(metric, pairs);
  const expected = labelNumbers(pairs);
  const unexpected = pairs.flat().filter(({ got }) => got !== '' && !expected.has(got)).length;
  return {
    value: f1.value,
    interval: jackknifeInterval(
      f1.value,
      f1.withoutEach(),
      scoreOf(metric, [...pairs, ...halfRows(expected, false)]).withoutEach(),
      labels,
    ),
    count: rows.length,
    different: pairs.length,
    failed: failedIn(measured),
    ...(unexpected > 0 && { unexpected }),
    ...(labels && { rarest: [...labels].reduce((least, one) => (one[1] < least[1] ? one : least))[0] }),
  };
}

async function compareLabels(
  metric: Metric,
  pairs: readonly (readonly [MeasuredItem, MeasuredItem])[],
  columns: readonly (readonly MeasuredItem[])[],
): Promise<ColumnComparison | undefined> {
  const kinds = kindsOf(pairs.flat());
  const rows = pairs
    .map(([one, other]) => ({
      both: [labelPairs(metric, one, kinds), labelPairs(metric, other, kinds)] as const,
      runs: [...runsOf(one), ...runsOf(other)],
    }))
    .filter(({ both: [one, other] }) => one.length > 0 && other.length > 0);
  if (rows.length === 0) return undefined;
  const values = observations(
    rows,
    ({ runs }) => runs,
    (group): BothPairs => [group.flatMap(({ both }) => both[0]), group.flatMap(({ both }) => both[1])],
  )
    // Exchanges are sampled: the same for any order of rows.
    .map((both) => ({ both, key: JSON.stringify(both) }))
    .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key))
    .map(({ both }) => both);
  const numbers = labelNumbers(values.flat());
  const sides = ([0, 1] as const).map((side) =>
    scoreOf(
      metric,
      values.map((both) => both[side]),
      numbers,
    ),
  );
  const [first, second] = sides.map(({ value }) => value) as [number, number];
  const p = await permutationTest(exchangeOf(metric, values, numbers));
  const difference = differenceOf(first, second);
  const halves = [halfRows(numbers, true), halfRows(numbers, false)] as const;
  const padded = ([0, 1] as const).map((side) =>
    scoreOf(metric, [...values.map((both) => both[side]), ...halves[side], ...halves[1 - side]!], numbers),
  );
  return {
    difference,
    first,
    second,
    interval: jackknifeDifference(
      difference,
      withoutRows(sides),
      withoutRows(padded),
      rowsOfLabels(
        metric,
        values.map(([pair]) => pair),
      ),
    ),
    p,
    count: rows.length,
    different: values.length,
    isOfAllItems: columns.every((items) => measuredIn(metric, items) === rows.length),
  };
}

/** Half a row of each label. */
function halfRows(labels: ReadonlyMap<string, number>, isRight: boolean): LabelPair[][] {
  return [...labels.keys()].map((label) => [{ expected: label, got: isRight ? label : '', weight: 0.5 }]);
}

function withoutRows(sides: readonly LabelF1[]): number[] {
  const [one = [], other = []] = sides.map((side) => side.withoutEach());
  return one.map((value, row) => value - other[row]!);
}

/** How many rows expect each label, where each label weighs the same; undefined: rare ones weigh little. */
function rowsOfLabels(
  { name }: Metric,
  rows: readonly (readonly LabelPair[])[],
): ReadonlyMap<string, number> | undefined {
  if (name === 'micro_f1') return undefined;
  const labels = rows.flatMap((pairs) => [...new Set(pairs.map(({ expected }) => expected))]);
  return countEach(labels.filter((label) => label !== ''));
}

type BothPairs = readonly [readonly LabelPair[], readonly LabelPair[]];

/** Rows of two columns in which outcomes can be exchanged, for the difference of their F1. */
function exchangeOf(
  metric: Metric,
  pairs: readonly BothPairs[],
  numbers: ReadonlyMap<string, number>,
): RowExchange {
  const differing = Array.from(pairs.keys()).filter((at) => !isSameGot(pairs[at]!));
  // Each side holds all rows, and those of the other column where they are exchanged: added and taken out by turns.
  const both = pairs.flat();
  const sides = [scoreOf(metric, both, numbers), scoreOf(metric, both, numbers)] as const;
  for (const at of pairs.keys()) {
    sides[0].add(2 * at + 1, -1);
    sides[1].add(2 * at, -1);
  }
  const isFlipped = pairs.map(() => false);
  const touched = [
    ...new Set(differing.flatMap((at) => [2 * at, 2 * at + 1].flatMap((item) => sides[0].labelsOf(item)))),
  ];
  return {
    count: differing.length,
    flip: (row) => {
      const at = differing[row]!;
      const sign = isFlipped[at] ? -1 : 1;
      isFlipped[at] = !isFlipped[at];
      sides[0].add(2 * at, sign === 1 ? -1 : 1);
      sides[0].add(2 * at + 1, sign);
      sides[1].add(2 * at + 1, sign === 1 ? -1 : 1);
      sides[1].add(2 * at, sign);
    },
    difference: () => sides[0].sum(touched) - sides[1].sum(touched),
    rounding: 1e-9,
  };
}

function isSameGot([one, other]: BothPairs): boolean {
  const gotIn = (pairs: readonly LabelPair[]) =>
    pairs
      .map(({ expected, got, weight }) => `${weight} ${got} ${expected === ''}`)
      .sort()
      .join('\n');
  return gotIn(one) === gotIn(other);
}

/** The label pairs of an item's repeats; failed ones that count as wrong have no label. */
function labelPairs(
  metric: Metric,
  { expected: own, got, failed = [], isText = true }: MeasuredItem,
  kinds: OtherKinds,
): LabelPair[] {
  if (isBlank(own)) return [];
  const expected = asCompared(metric, own);
  const all = [...got.map((one) => asCompared(metric, one)), ...failed.map(() => undefined)];
  const weight = 1 / all.length;
  const wanted = wantedSet(expected, isText);
  if (Array.isArray(wanted))
    return all.flatMap((one) =>
      setPairs(one, labelsIn(wanted) ?? [], kinds).map((pair) => ({ ...pair, weight })),
    );
  if (!isLabel(expected)) return [];
  return all.map((one) => {
    const pair = labelPair(one, expected, kinds);
    return { expected: pair.expected, got: pair.got, weight };
  });
}
