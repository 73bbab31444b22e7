import type { Json } from '../../domain/json';
import { greatestOf } from '../../domain/many';
import type { ShownHit } from '../../protocol/experiment';
import { searchHits } from '../../results/classify';
import type { Hit } from '../../results/resultView';
import { rankingIn } from '../metrics/hits';
import type { Metric } from '../metrics/metrics';
import { isInLine, readableValue } from '../results/measuredValue';
import type { ResultLine } from '../results/resultLine';
import type { ExperimentTable } from './table';

/** A hit of a search in its place, without the query itself where that is known. */
export type StripHit = Omit<ShownHit, 'src'>;

/** Hits of a cell, where no metric says how many are measured. */
const SHOWN = 5;

/** The rank to which hits are measured. */
export function measuredRank(metrics: readonly Metric[]): number {
  return greatestOf(metrics.flatMap((metric) => ('hits' in metric ? (metric.hits.k ?? SHOWN) : []))) || SHOWN;
}

function resultOf(line: ResultLine, table: ExperimentTable): Json | undefined {
  return isInLine(line, '') ? line.result : readableValue(line, table.at);
}

const read = new WeakMap<ResultLine, readonly Hit[]>();

function hitsIn(line: ResultLine, table: ExperimentTable): readonly Hit[] {
  const known = read.get(line);
  if (known) return known;
  const value = resultOf(line, table);
  const hits = (value !== undefined && searchHits(value)?.hits) || [];
  read.set(line, hits);
  return hits;
}

/** The IDs of the hits of a run, the query among them, in the order of the service. */
export function rankedIds(table: ExperimentTable, line: ResultLine): string[] {
  const ids = line.state === 'finished' ? rankingIn(resultOf(line, table)) : undefined;
  return [...new Set(ids ?? [])];
}

/** The hits of a finished run in the order of the service, each once; empty: its result has none. */
export function hitStrip(
  table: ExperimentTable,
  line: ResultLine,
  row: number,
  most = Number.POSITIVE_INFINITY,
): StripHit[] {
  if (line.state !== 'finished') return [];
  const relevance = table.plan.items[row]?.relevance;
  const seen = new Set<string>();
  const strip: StripHit[] = [];
  for (const { id, score } of hitsIn(line, table)) {
    if (strip.length >= most) break;
    if (seen.has(id) || relevance?.isQuery(id)) continue;
    seen.add(id);
    const grade = relevance?.gradeOf(id);
    const judged = relevance?.judged?.(id);
    strip.push({
      id,
      ...(score !== undefined && { score }),
      ...(judged !== undefined && { judged }),
      ...(grade !== undefined && { mark: grade > 0 ? ('right' as const) : ('wrong' as const) }),
    });
  }
  return strip;
}
