import * as z from 'zod/mini';
import { mean } from '../metrics/statistics';
import type { ResultLine } from './resultLine';

/** People's judgements of a run; each is a metric of that name. */
export const JUDGEMENT_KINDS = ['thumbs_up', 'score', 'preferred'] as const;
export type JudgementKind = (typeof JUDGEMENT_KINDS)[number];

/**
 * A line of `NAME.results.jsonl`: a person's judgement of one run, or a note about it. Unknown members are kept when files
 * are merged.
 */
export const judgementLine = z.looseObject({
  custom_id: z.string(),
  judgement: z.enum([...JUDGEMENT_KINDS, 'note']),
  /** `thumbs_up` and `preferred` (the best of its row): 1 or 0. `score`: 1 to 5. A note: 1. Null: withdrawn. */
  value: z.nullable(z.number()),
  /** Of a note. */
  note: z.optional(z.string()),
  /** The person’s name in git or on the computer; missing: neither has one. */
  by: z.optional(z.string()),
  /** RFC 3339, UTC. */
  judged_at: z.string(),
  /** It was given without knowing which column the run is of. */
  blind: z.optional(z.boolean()),
});
export type JudgementLine = z.infer<typeof judgementLine>;

/** The judgements of one run. */
export type Judged = Readonly<Partial<Record<JudgementKind, number>>>;

/** A person's judgements of one run, and the note about it. */
export interface Rating extends Judged {
  readonly note?: string;
}

/** By the name of the person; '': not named. */
export type Ratings = ReadonlyMap<string, Rating>;

/** The key of a judgement: of several of one person, kind and run, the latest counts. */
export function judgementKey({ custom_id: id, judgement, by = '' }: JudgementLine): string {
  return `${id} ${judgement} ${by}`;
}

/**
 * Judgements that count, by the ID of their run. One that is older than the run is of a result that was replaced.
 * @param lines one for each person, kind and run
 */
export function ratedRuns(
  lines: readonly JudgementLine[],
  results: ReadonlyMap<string, ResultLine>,
): ReadonlyMap<string, Ratings> {
  const rated = new Map<string, Map<string, Rating>>();
  for (const { custom_id: id, judgement, value, note, by = '', judged_at: at } of lines) {
    const startedAt = results.get(id)?.started_at;
    if (value === null || (startedAt !== undefined && Date.parse(startedAt) > Date.parse(at))) continue;
    const ofRun = rated.get(id) ?? new Map<string, Rating>();
    rated.set(id, ofRun);
    ofRun.set(by, {
      ...ofRun.get(by),
      ...(judgement === 'note' ? { note: note ?? '' } : { [judgement]: value }),
    });
  }
  return rated;
}

/** The judgements of all people together: the mean of each kind. */
export function judgedByAll(ratings: Ratings): Judged {
  const judged: Partial<Record<JudgementKind, number>> = {};
  for (const kind of JUDGEMENT_KINDS) {
    const values = [...ratings.values()].flatMap((rating) => rating[kind] ?? []);
    if (values.length > 0) judged[kind] = mean(values);
  }
  return judged;
}
