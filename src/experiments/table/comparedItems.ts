import type { Json } from '../../domain/json';
import { kindsIn, type OtherKinds } from '../metrics/equality';
import { type MeasuredHits, measureHits, type Relevance, rankingIn } from '../metrics/hits';
import {
  failureValue,
  type GivenMetric,
  type HitMetric,
  isGiven,
  type MeasuredItem,
  type Metric,
  type SetupFault,
  setupFault,
} from '../metrics/metrics';
import {
  type Comparing,
  comparedValue,
  measuredValue,
  readableValue,
  UNREADABLE,
  type Unreadable,
} from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { checkedValue, checkMisfit } from './checkedRun';
import type { CellRun, ExperimentTable } from './table';

/** Computed once for a table, after the files of long results were read, since its rows use it often. */
interface Known {
  readonly items: Map<number, readonly MeasuredItem[]>;
  /** By column and metric. */
  readonly given: Map<string, readonly MeasuredItem[]>;
  /** By column and metric. */
  readonly faults: Map<string, SetupFault | undefined>;
  kinds?: OtherKinds;
}

const known = new WeakMap<ExperimentTable, Known>();

function knownOf(table: ExperimentTable): Known {
  const cache = known.get(table) ?? {
    items: new Map(),
    given: new Map(),
    faults: new Map(),
  };
  known.set(table, cache);
  return cache;
}

/** The runs of a column by rows, in their order, by which sums are rounded; without inputs that are gone. */
function* measuredRows(
  table: ExperimentTable,
  column: number,
): Generator<readonly [item: number, runs: readonly CellRun[]]> {
  for (const [item, { isGone }] of table.plan.items.entries()) {
    const runs = isGone ? [] : table.runs(item, column);
    if (runs.length > 0) yield [item, runs];
  }
}

/** The IDs of those that other rows ask for too. */
function sharedIn(table: ExperimentTable, runs: readonly CellRun[]): readonly string[] {
  const shared = runs.filter(({ customId }) => table.isShared(customId));
  return shared.length === 0 ? NONE : shared.map(({ customId }) => customId);
}

/**
 * The kinds of an experiment's results, which decide how texts are read: the same in all columns, also beside other results.
 */
export function kindsOf(table: ExperimentTable): OtherKinds {
  const own = knownOf(table);
  own.kinds ??= kindsIn(ownValues(table));
  return own.kinds;
}

function* ownValues(table: ExperimentTable): Generator<Json | undefined> {
  for (const { customId, serves } of table.plan.runs) {
    const line = table.results.get(customId);
    if (line?.state === 'finished' && serves.some(({ variation }) => !table.isOther(variation)))
      yield readableValue(line, table.at);
  }
}

/** All items of a column as a metric measures them. */
export function measuredItems(
  table: ExperimentTable,
  column: number,
  metric: Metric,
): readonly MeasuredItem[] {
  return isGiven(metric) ? givenItems(table, column, metric) : comparedItems(table, column);
}

/** The value of one run, in the row of an item, by a metric that compares nothing; undefined: it has none. */
export function givenValue(
  table: ExperimentTable,
  line: ResultLine,
  metric: GivenMetric,
  item: number,
): number | undefined | Unreadable {
  if ('check' in metric) return checkedValue(line, metric.check, table.comparing);
  if ('hits' in metric)
    return hitsValue(hitsIn(line, table.plan.items[item]!.relevance, table.comparing, metric));
  if ('judge' in metric) return table.verdict(metric.name, line.custom_id, item)?.value;
  return line.state === 'finished' ? table.judged(line.custom_id)[metric.name] : undefined;
}

type HitsOutcome = MeasuredHits | 'noHits' | Unreadable | number | undefined;

/** A result without a list of hits has found none. */
export function hitsValue(measured: HitsOutcome): number | undefined | Unreadable {
  return typeof measured === 'object' ? measured.value : measured === 'noHits' ? 0 : measured;
}

/** A run by the hits of its result; a failed one is wrong where the experiment says so. */
export function hitsIn(
  line: ResultLine,
  relevance: Relevance | undefined,
  comparing: Comparing,
  metric: HitMetric,
): HitsOutcome {
  if (!relevance || relevance.isOpen) return undefined;
  if (line.state === 'failed' && comparing.failedIsWrong) return failureValue(metric);
  if (line.state !== 'finished') return undefined;
  const value = measuredValue(line, comparing.at);
  if (value === UNREADABLE) return UNREADABLE;
  const ids = rankingIn(value);
  return ids ? measureHits(metric.hits, ids, relevance) : 'noHits';
}

function givenItems(table: ExperimentTable, column: number, metric: GivenMetric): readonly MeasuredItem[] {
  const { given } = knownOf(table);
  const key = `${column} ${metric.name}`;
  const items = given.get(key) ?? givenItemsIn(table, column, metric);
  given.set(key, items);
  return items;
}

function givenItemsIn(table: ExperimentTable, column: number, metric: GivenMetric): MeasuredItem[] {
  return [...measuredRows(table, column)].map(([item, runs]) => {
    const { name, relevance } = table.plan.items[item]!;
    const got: Json[] = [];
    const misfits: SetupFault['kind'][] = [];
    const failed: string[] = [];
    const measuredHits: MeasuredHits[] = [];
    let [unreadable, contradicted] = [0, 0];
    for (const { customId: id, line } of runs) {
      if (!line) continue;
      const hits = 'hits' in metric ? hitsIn(line, relevance, table.comparing, metric) : undefined;
      const value = 'hits' in metric ? hitsValue(hits) : givenValue(table, line, metric, item);
      if ('judge' in metric && table.verdict(metric.name, id, item)?.isContradictory) contradicted += 1;
      if (value === UNREADABLE) unreadable += 1;
      else if (value === 0 && line.state === 'failed') failed.push(id);
      else if (value !== undefined) got.push(value);
      const misfit = 'check' in metric ? checkMisfit(line, metric.check, table.comparing) : undefined;
      if (misfit !== undefined) misfits.push(misfit);
      if (hits === 'noHits') misfits.push('noHits');
      else if (typeof hits === 'object') measuredHits.push(hits);
    }
    return {
      item: `${item} ${name}`,
      expected: undefined,
      runs: sharedIn(table, runs),
      got,
      misfits,
      failed,
      hits: measuredHits,
      unreadable,
      contradicted,
      ...('hits' in metric && (!relevance || relevance.isOpen) && { isBlank: true }),
    };
  });
}

/** All items of a column, with the results of their runs. */
function comparedItems(table: ExperimentTable, column: number): readonly MeasuredItem[] {
  const { items } = knownOf(table);
  const compared = items.get(column) ?? itemsIn(table, column);
  items.set(column, compared);
  return compared;
}

function itemsIn(table: ExperimentTable, column: number): MeasuredItem[] {
  const { plan, comparing } = table;
  const { isText } = comparing;
  const kinds = kindsOf(table);
  const measured: MeasuredItem[] = [];
  for (const [item, runs] of measuredRows(table, column)) {
    // An item has few runs: lists that are filled one by one would take most of the memory of a large table.
    let [got, failed]: [(Json | undefined)[]?, string[]?] = [];
    let unreadable = 0;
    for (const { customId: id, line } of runs) {
      if (line?.state === 'failed' && comparing.failedIsWrong) failed = added(failed, id);
      if (line?.state !== 'finished') continue;
      const value = comparedValue(line, comparing.at);
      if (value === UNREADABLE) unreadable += 1;
      else got = added(got, value);
    }
    const { name, expected } = plan.items[item]!;
    measured.push({
      item: [item, name].join(' '),
      expected,
      runs: sharedIn(table, runs),
      got: got ?? NONE,
      failed: failed ?? NONE,
      unreadable,
      isText,
      kinds,
    });
  }
  return measured;
}

const NONE: readonly never[] = [];

function added<T>(list: T[] | undefined, value: T): T[] {
  if (!list) return [value];
  list.push(value);
  return list;
}

/** Why a metric measures nothing in a column, neither in its head nor in its cells. */
export function columnFault(table: ExperimentTable, column: number, metric: Metric): SetupFault | undefined {
  const { faults } = knownOf(table);
  const key = `${column} ${metric.name}`;
  if (!faults.has(key)) faults.set(key, setupFault(metric, measuredItems(table, column, metric)));
  return faults.get(key);
}
