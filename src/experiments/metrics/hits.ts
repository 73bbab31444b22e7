import type { Json } from '../../domain/json';
import { greatestOf } from '../../domain/many';
import { firstHitIds } from '../../results/classify';
import type { HitGrade } from '../results/hitJudgements';
import { mean } from './statistics';

/**
 * Measures of a ranking by the definitions of trec_eval 10: `hit` is its `success`, `precision` its `P`, `mrr` its
 * `recip_rank`, `ndcg` its `ndcg_cut`.
 */
type HitMeasure = 'hit' | 'precision' | 'ndcg' | 'recall' | 'mrr';

/** "hit@5", "mrr". */
export const HIT_METRIC = /^(?:(?:hit|precision|ndcg|recall|mrr)@[1-9]\d{0,2}|mrr)$/;

/** How rankings are measured: by their first `k` hits; without it by all. */
export interface HitRule {
  readonly measure: HitMeasure;
  readonly k?: number;
}

/** @param name as in `HIT_METRIC` */
export function hitRule(name: string): HitRule | undefined {
  if (!HIT_METRIC.test(name)) return undefined;
  const [measure, k] = name.split('@') as [HitMeasure, string?];
  return { measure, ...(k !== undefined && { k: Number(k) }) };
}

/** Which hits are right for a query. */
export interface Relevance {
  /** Undefined: the hit is not judged. Above 0: it is right. */
  readonly gradeOf: (id: string) => number | undefined;
  /** The label of a hit, where labels say which are right. */
  readonly labelOf?: (id: string) => string | undefined;
  /** Whether a hit is the query itself. */
  readonly isQuery: (id: string) => boolean;
  /** The content of the query, which people's judgements belong to. */
  readonly query?: string;
  /** The content of a hit's file, where that is known. */
  readonly contentOf?: (id: string) => string | undefined;
  /** People's judgement of a hit. */
  readonly judged?: (id: string) => HitGrade | undefined;
  /** The query is not measured, since its right hits are unknown. */
  readonly isOpen?: boolean;
  /** The right hits that are known, without the query. */
  readonly total: number;
  /** The grades of the first of them in the best order. */
  readonly best: (k: number) => readonly number[];
}

/** A ranking by a rule, with facts for the text beside its figure. */
export interface MeasuredHits {
  /** From 0 to 1. */
  readonly value: number;
  /** Hits without the query. */
  readonly ranks: number;
  readonly hasQuery: boolean;
  /** Of the measured hits, the share that is judged; undefined without any. */
  readonly judged?: number;
  /** Hits that came a second time, which do not count. */
  readonly repeated: number;
}

interface Graded {
  readonly relevance: Relevance;
  /** Of the hits without the query, each once. */
  readonly graded: readonly (number | undefined)[];
  /** Different hits, the query among them. */
  readonly different: number;
}

/** By ranking, for the last row that it was of: each metric measures the same grades. */
const gradings = new WeakMap<readonly string[], Graded>();

function gradesOf(ids: readonly string[], relevance: Relevance): Graded {
  const known = gradings.get(ids);
  if (known?.relevance === relevance) return known;
  const different = [...new Set(ids)];
  const graded = different.filter((id) => !relevance.isQuery(id)).map((id) => relevance.gradeOf(id));
  const read = { relevance, graded, different: different.length };
  gradings.set(ids, read);
  return read;
}

/** @param ids in the order of the service */
export function measureHits(
  { measure, k }: HitRule,
  ids: readonly string[],
  relevance: Relevance,
): MeasuredHits {
  const { graded, different } = gradesOf(ids, relevance);
  const all = graded.map((grade) => Math.max(0, grade ?? 0));
  const grades = all.slice(0, k);
  const right = grades.filter((grade) => grade > 0).length;
  // A scope may have right hits that the experiment does not know of.
  const rightInAll = all.filter((grade) => grade > 0);
  const isKnown = relevance.total >= rightInAll.length;
  const values: Readonly<Record<HitMeasure, () => number>> = {
    hit: () => Number(right > 0),
    precision: () => right / (k ?? grades.length),
    recall: () => right / Math.max(1, relevance.total, rightInAll.length),
    mrr: () => (right === 0 ? 0 : 1 / (grades.findIndex((grade) => grade > 0) + 1)),
    ndcg: () => {
      const most = k ?? grades.length;
      const best = isKnown ? relevance.best(most) : rightInAll.sort((a, b) => b - a).slice(0, most);
      return right === 0 ? 0 : gain(grades) / gain(best);
    },
  };
  const measured = graded.slice(0, k);
  const judged = measured.filter((grade) => grade !== undefined).length;
  return {
    value: values[measure](),
    ranks: graded.length,
    hasQuery: graded.length < different,
    ...(measured.length > 0 && { judged: judged / measured.length }),
    repeated: ids.length - different,
  };
}

export interface HitFacts {
  /** Results in which the query was found, and left out. */
  readonly withoutQuery: number;
  /** The rank that was to be reached, and the deepest that any result has. */
  readonly k?: number;
  readonly deepest: number;
  /** The mean share of judged hits. */
  readonly judged: number;
  /** Results with a hit that came twice. */
  readonly repeated: number;
}

/** Undefined: there is no result with hits. @param all one for each result */
export function hitFacts({ k }: HitRule, all: readonly MeasuredHits[]): HitFacts | undefined {
  if (all.length === 0) return undefined;
  return {
    withoutQuery: all.filter(({ hasQuery }) => hasQuery).length,
    ...(k !== undefined && { k }),
    deepest: greatestOf(all.map(({ ranks }) => ranks)),
    judged: mean(all.map(({ judged = 0 }) => judged)),
    repeated: all.filter(({ repeated }) => repeated > 0).length,
  };
}

/** Discounted cumulative gain: grade / log2(rank + 1). */
function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
}

/** By result: rows are measured by several metrics, and again with every key. */
const rankings = new WeakMap<object, readonly string[] | null>();

/** The ids of the first list of hits in a result; undefined: it has none. */
export function rankingIn(value: Json | undefined): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const known = rankings.get(value);
  const ids = known === undefined ? (firstHitIds(value) ?? null) : known;
  rankings.set(value, ids);
  return ids ?? undefined;
}
