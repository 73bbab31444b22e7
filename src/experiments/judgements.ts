import * as z from 'zod/mini';
import type { ResultLine } from './results';

/** People's judgements of a run; each is a metric of that name. */
export const JUDGEMENT_KINDS = ['thumbs_up', 'score', 'preferred'] as const;
export type JudgementKind = (typeof JUDGEMENT_KINDS)[number];

/** A line of `NAME.results.jsonl`: a person's judgement of one run. Unknown members are kept when files are merged. */
export const judgementLine = z.looseObject({
  custom_id: z.string(),
  judgement: z.enum(JUDGEMENT_KINDS),
  /** `thumbs_up` and `preferred` (the best of its row): 1 or 0. `score`: 1 to 5. Null: withdrawn. */
  value: z.nullable(z.number()),
  /** RFC 3339, UTC. */
  judged_at: z.string(),
  /** It was given without knowing which column the run is of. */
  blind: z.optional(z.boolean()),
});
export type JudgementLine = z.infer<typeof judgementLine>;

/** The judgements of one run. */
export type Judged = Readonly<Partial<Record<JudgementKind, number>>>;

/** The key of a judgement: of several of one kind and run, the latest counts. */
export function judgementKey({ custom_id: id, judgement }: JudgementLine): string {
  return `${id} ${judgement}`;
}

/**
 * Judgements that count, by the ID of their run. One that is older than the run is of a result that was replaced.
 * @param lines one for each kind and run
 */
export function judgedRuns(
  lines: readonly JudgementLine[],
  results: ReadonlyMap<string, ResultLine>,
): ReadonlyMap<string, Judged> {
  const judged = new Map<string, Judged>();
  for (const { custom_id: id, judgement, value, judged_at: at } of lines) {
    const startedAt = results.get(id)?.started_at;
    if (value === null || (startedAt !== undefined && Date.parse(startedAt) > Date.parse(at))) continue;
    judged.set(id, { ...judged.get(id), [judgement]: value });
  }
  return judged;
}
