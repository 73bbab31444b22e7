import type { Json } from '../../domain/json';
import { kindsIn, type OtherKinds } from '../metrics/equality';
import { type MeasuredHits, measureHits, rankingIn } from '../metrics/hits';
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
import { measuredValue, readableValue, UNREADABLE, type Unreadable } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import { checkedValue, checkMisfit } from './checkedRun';
import type { ExperimentTable } from './table';

/** A run of a column, and the item that it is for. */
export interface ItemRun {
  readonly id: string;
  readonly item: number;
}

/** Computed once for a table, after the files of long results were read, since its rows use it often. */
interface Known {
  readonly places: readonly (readonly ItemRun[])[];
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
    places: placesIn(table),
    items: new Map(),
    given: new Map(),
    faults: new Map(),
  };
  known.set(table, cache);
  return cache;
}

/** The runs of each column in the order of its rows, those that it shares with others too. */
function placesIn({ plan: { runs, variations } }: ExperimentTable): ItemRun[][] {
  const places: ItemRun[][] = variations.map(() => []);
  for (const { serves, customId } of runs)
    for (const { variation, item } of serves) places[variation]!.push({ id: customId, item });
  // Sums are rounded by their order, and runs have that of the seed.
  for (const own of places) own.sort((a, b) => a.item - b.item);
  return places;
}

export function itemRuns(table: ExperimentTable, column: number): readonly ItemRun[] {
  return knownOf(table).places[column] ?? [];
}

/**
 * The kinds of an experiment's results, which decide how texts are read: the same in all columns, also beside other results.
 */
export function kindsOf(table: ExperimentTable): OtherKinds {
  const own = knownOf(table);
  if (own.kinds) return own.kinds;
  const runs = table.plan.runs.filter(({ serves }) =>
    serves.some(({ variation }) => !table.isOther(variation)),
  );
  const lines = runs.flatMap(({ customId }) => table.results.get(customId) ?? []);
  const finished = lines.filter(({ state }) => state === 'finished');
  own.kinds = kindsIn(finished.map((line) => readableValue(line, table.at)));
  return own.kinds;
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
  if ('hits' in metric) {
    const measured = hitsIn(table, line, metric, item);
    return typeof measured === 'object' ? measured.value : measured === 'noHits' ? 0 : measured;
  }
  if ('judge' in metric) return table.verdict(metric.name, line.custom_id, item)?.value;
  return line.state === 'finished' ? table.judged(line.custom_id)[metric.name] : undefined;
}

/** A run by the hits of its result; a failed one is wrong where the experiment says so. */
function hitsIn(
  { plan, comparing }: ExperimentTable,
  line: ResultLine,
  metric: HitMetric,
  item: number,
): MeasuredHits | 'noHits' | Unreadable | number | undefined {
  const { relevance } = plan.items[item]!;
  if (!relevance) return undefined;
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
  const byItem = new Map<
    number,
    {
      readonly runs: string[];
      readonly got: Json[];
      readonly misfits: SetupFault['kind'][];
      readonly failed: string[];
      readonly hits: MeasuredHits[];
      unreadable: number;
      contradicted: number;
    }
  >();
  for (const { id, item } of itemRuns(table, column)) {
    const line = table.results.get(id);
    const nothing = { runs: [], got: [], misfits: [], failed: [], hits: [], unreadable: 0, contradicted: 0 };
    const of = byItem.get(item) ?? nothing;
    byItem.set(item, of);
    of.runs.push(id);
    const value = line && givenValue(table, line, metric, item);
    if ('judge' in metric && line && table.verdict(metric.name, line.custom_id, item)?.isContradictory)
      of.contradicted += 1;
    if (value === UNREADABLE) of.unreadable += 1;
    else if (value === 0 && line?.state === 'failed') of.failed.push(id);
    else if (value !== undefined) of.got.push(value);
    const misfit = line && 'check' in metric ? checkMisfit(line, metric.check, table.comparing) : undefined;
    if (misfit !== undefined) of.misfits.push(misfit);
    const hits = line && 'hits' in metric ? hitsIn(table, line, metric, item) : undefined;
    if (hits === 'noHits') of.misfits.push('noHits');
    else if (typeof hits === 'object') of.hits.push(hits);
  }
  return [...byItem].map(([item, counts]) => {
    const { name, relevance } = table.plan.items[item]!;
    const isBlank = 'hits' in metric && !relevance;
    return { item: `${item} ${name}`, expected: undefined, ...counts, ...(isBlank && { isBlank }) };
  });
}

/** All items of a column, with the results of their runs. */
function comparedItems(table: ExperimentTable, column: number): readonly MeasuredItem[] {
  const { items } = knownOf(table);
  const compared = items.get(column) ?? itemsIn(table, itemRuns(table, column));
  items.set(column, compared);
  return compared;
}

function itemsIn(table: ExperimentTable, places: readonly ItemRun[]): MeasuredItem[] {
  const { plan, results, comparing } = table;
  const { items } = plan;
  const { isText } = comparing;
  const kinds = kindsOf(table);
  const measured: MeasuredItem[] = [];
  for (let at = 0; at < places.length; ) {
    const { item } = places[at]!;
    // An item has few runs: lists that are filled one by one would take most of the memory of a large table.
    let [runs, got, failed]: [string[]?, (Json | undefined)[]?, string[]?] = [];
    let unreadable = 0;
    for (; places[at]?.item === item; at++) {
      const { id } = places[at]!;
      const line = results.get(id);
      runs = added(runs, id);
      if (line?.state === 'failed' && comparing.failedIsWrong) failed = added(failed, id);
      if (line?.state !== 'finished') continue;
      const value = measuredValue(line, comparing.at);
      if (value === UNREADABLE) unreadable += 1;
      else got = added(got, value);
    }
    const { name, expected } = items[item]!;
    const outcomes = { runs: runs ?? [], got: got ?? NONE, failed: failed ?? NONE, unreadable };
    measured.push({ item: `${item} ${name}`, expected, ...outcomes, isText, kinds });
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
