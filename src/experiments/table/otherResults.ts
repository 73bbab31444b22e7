import type { Money } from '../../domain/money';
import { isOfDriftCheck } from '../figures/driftFile';
import { shownBodyPath } from '../files/bodies';
import { variationKey } from '../plan/grid';
import { withRecordedIds } from '../plan/plan';
import { itemSha256 } from '../plan/runId';
import { readMeasured } from '../results/comparedFiles';
import type { JudgementLine } from '../results/judgements';
import type { ResultLine } from '../results/resultLine';
import { resultFiles } from '../results/resultLine';
import type { ReadResults } from '../results/results';
import { ExperimentTable } from './table';

/** Results from another time, file or environment that the columns of a table are compared with. */
export interface OtherResults {
  /** Names them in heads: "2 Mar 2026, a1b2c3d". */
  readonly label: string;
  /** Absolute path of a results file beside which the files of long results are. */
  readonly file: string;
  readonly read: Pick<ReadResults, 'results' | 'costs' | 'judgements'>;
  /** Brings files of results beside `file`, where they are elsewhere. @param names as lines name them */
  bring?(names: readonly string[]): Promise<void>;
}

export interface OtherColumn {
  readonly column: number;
  readonly of: OtherResults;
  /** The column of the experiment that sends the same requests; undefined: these results are of other requests. */
  readonly own?: number;
}

/** Columns of results of other requests than those of the experiment. */
const MOST_UNPAIRED = 20;

/** A result of another time, and the rows of a column that it belongs to. */
interface PlacedLine {
  readonly line: ResultLine;
  readonly rows: number[];
}

/**
 * The results of another time by the columns of the experiment. A column is the requests that it sends, with the values
 * of the run and of the variation, and a result has the ID of its request: so a result is never taken for that of
 * another column, however the values are spelled, ordered or spread over "run" and "vary".
 */
function pairedLines(
  { plan }: ExperimentTable,
  earlier: readonly ResultLine[],
): ReadonlyMap<number, PlacedLine[]> {
  const lines = new Map(earlier.map((line) => [line.custom_id, line]));
  const columns = new Map<number, Map<string, PlacedLine>>();
  for (const { customId, serves } of withRecordedIds(plan.runs, (id) => lines.has(id))) {
    const line = lines.get(customId);
    for (const { variation, item } of line ? serves : []) {
      const placed = columns.get(variation) ?? new Map<string, PlacedLine>();
      columns.set(variation, placed);
      const known = placed.get(customId);
      if (known) known.rows.push(item);
      else placed.set(customId, { line: line!, rows: [item] });
    }
  }
  const ordered = [...columns].sort(([a], [b]) => a - b);
  return new Map(ordered.map(([column, placed]) => [column, [...placed.values()]]));
}

/** Results of other requests, by their values, with the rows of the same inputs; of several the latest counts. */
function unpairedLines(own: ExperimentTable, earlier: readonly ResultLine[]): PlacedLine[][] {
  const rows = rowsByInput(own);
  const latest = new Map<string, Map<string, ResultLine>>();
  for (const line of earlier) {
    if (line.item_sha256 === undefined || !rows.has(line.item_sha256)) continue;
    const key = variationKey(line.variation);
    const lines = latest.get(key) ?? new Map<string, ResultLine>();
    latest.set(key, lines);
    const place = `${line.item_sha256} ${line.repeat}`;
    const known = lines.get(place);
    if (!known || (line.started_at ?? '') >= (known.started_at ?? '')) lines.set(place, line);
  }
  return [...latest.values()]
    .slice(0, MOST_UNPAIRED)
    .map((lines) => [...lines.values()].map((line) => ({ line, rows: rows.get(line.item_sha256!)! })));
}

function rowsByInput({ plan: { items } }: ExperimentTable): ReadonlyMap<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const [row, item] of items.entries()) {
    if (item.isGone) continue;
    const hash = itemSha256(item);
    rows.set(hash, [...(rows.get(hash) ?? []), row]);
  }
  return rows;
}

/**
 * The table with further columns of other results behind its own: one for each column that they have results of; where
 * they have none at all, those of other requests for the same inputs, compared with no column. And how many of them miss
 * files that are not there.
 */
export async function tableWith(own: ExperimentTable, others: readonly OtherResults[]) {
  const { plan, comparing } = own;
  const variations = [...plan.variations];
  const runs = [...plan.runs];
  const results = new Map(own.results);
  const paid = new Map<string, readonly Money[]>(own.paid);
  const judgements: JudgementLine[] = [...own.judgements];
  const columns: OtherColumn[] = [];
  const missing = new Map<OtherResults, number>();
  for (const other of others) {
    const paired = pairedLines(own, other.read.results);
    const shown =
      paired.size > 0
        ? [...paired].map(([column, lines]) => ({ own: column, lines }))
        : unpairedLines(own, other.read.results).map((lines) => ({ lines }));
    const judged = byRun(other.read.judgements);
    const placed: ResultLine[] = [];
    for (const { lines, ...pair } of shown) {
      const column = variations.length;
      columns.push({ column, of: other, ...pair });
      variations.push(lines[0]!.line.variation);
      for (const { line, rows } of lines) {
        // Runs of the experiment itself have the same ID.
        const id = `${column} ${line.custom_id}`;
        const serves = rows.map((item) => ({ variation: column, item }));
        const renamed = { ...line, custom_id: id };
        runs.push({ customId: id, repeat: line.repeat, serves });
        results.set(id, renamed);
        placed.push(renamed);
        const costs = other.read.costs.get(line.custom_id);
        if (costs) paid.set(id, costs);
        for (const judgement of judged.get(line.custom_id) ?? [])
          judgements.push({ ...judgement, custom_id: id });
      }
    }
    await other.bring?.(placed.flatMap(resultFiles));
    const isAway = (name: string) => shownBodyPath(other.file, name) === undefined;
    const away = placed.filter((line) => resultFiles(line).some(isAway)).length;
    if (away > 0) missing.set(other, away);
    await readMeasured(other.file, placed, comparing);
  }
  const pairs = new Map(
    columns.flatMap((one) => (one.own === undefined ? [] : [[one.own, one.column] as const])),
  );
  const later = new Set(columns.filter(({ of }) => isOfDriftCheck(of.file)).map(({ column }) => column));
  const whole = { ...plan, variations, runs, others: { first: plan.variations.length, pairs, later } };
  const table = new ExperimentTable(whole, results, comparing, judgements, paid, own.judging);
  return { table, columns, missing };
}

function byRun(judgements: readonly JudgementLine[]): ReadonlyMap<string, readonly JudgementLine[]> {
  const judged = new Map<string, JudgementLine[]>();
  for (const line of judgements) judged.set(line.custom_id, [...(judged.get(line.custom_id) ?? []), line]);
  return judged;
}
