import * as z from 'zod/mini';
import { mean } from '../metrics/statistics';

/** Not relevant to exactly right; `?`: cannot tell. */
const hitGrade = z.union([z.literal('?'), z.int().check(z.gte(0), z.lte(3))]);
export type HitGrade = z.infer<typeof hitGrade>;

/** A line of `NAME.qrels.jsonl`: a person's judgement of a hit for a query, in all columns. */
const hitJudgement = z.looseObject({
  /** SHA-256 of the query's content. */
  query: z.string(),
  /** The query's name, for reading and exports. */
  name: z.optional(z.string()),
  /** The hit's id. */
  hit: z.string(),
  /** SHA-256 of the hit's content, where its file is known. */
  hit_sha256: z.optional(z.string()),
  /** Null: withdrawn. */
  grade: z.nullable(hitGrade),
  by: z.optional(z.string()),
  /** RFC 3339, UTC. */
  judged_at: z.string(),
  blind: z.optional(z.boolean()),
});
export type HitJudgement = z.infer<typeof hitJudgement>;

/** Absolute path of `NAME.qrels.jsonl`. @param experiment absolute path of `NAME.experiment.json` */
export function qrelsPlace(experiment: string): string {
  return experiment.replace(/(?:\.experiment)?\.json$/, '.qrels.jsonl');
}

/** The judgements that count: of several of one person, query and hit, the latest. Other lines are left out. */
export function hitJudgementsIn(text: string): HitJudgement[] {
  const latest = new Map<string, HitJudgement>();
  for (const line of text.split('\n')) {
    const read = line.trim() === '' ? undefined : hitJudgement.safeParse(jsonOf(line)).data;
    if (!read) continue;
    const key = JSON.stringify([read.query, hitKey(read.hit, read.hit_sha256), read.by ?? '']);
    const before = latest.get(key);
    if (!before || Date.parse(before.judged_at) <= Date.parse(read.judged_at)) latest.set(key, read);
  }
  return [...latest.values()].filter(({ grade }) => grade !== null);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function hitKey(id: string, sha256: string | undefined): string {
  return sha256 ?? `id ${id}`;
}

/** Grades of hits by the contents of query and hit. */
export class HitGrades {
  /** Query → hit → the grades of all people. */
  readonly #grades = new Map<string, Map<string, HitGrade[]>>();

  constructor(judgements: readonly HitJudgement[]) {
    for (const { query, hit, hit_sha256: sha256, grade } of judgements) {
      const hits = this.#grades.get(query) ?? new Map<string, HitGrade[]>();
      this.#grades.set(query, hits);
      const key = hitKey(hit, sha256);
      hits.set(key, [...(hits.get(key) ?? []), grade!]);
      // A machine without the file knows the id alone.
      if (sha256 !== undefined) hits.set(hitKey(hit, undefined), hits.get(key)!);
    }
  }

  /** The mean of those of all people; `?`: none of them can tell. Undefined: it is not judged. */
  of(query: string, id: string, sha256: string | undefined): HitGrade | undefined {
    const hits = this.#grades.get(query);
    return together(hits?.get(hitKey(id, sha256)) ?? hits?.get(hitKey(id, undefined)));
  }

  /** The grades of the right hits of a query, the best first. */
  rights(query: string): number[] {
    const hits = new Set(this.#grades.get(query)?.values() ?? []);
    return [...hits]
      .map(together)
      .filter((grade) => typeof grade === 'number' && grade > 0)
      .sort((a, b) => Number(b) - Number(a)) as number[];
  }
}

function together(grades: readonly HitGrade[] | undefined): HitGrade | undefined {
  const numbers = grades?.filter((grade) => grade !== '?') ?? [];
  return numbers.length > 0 ? mean(numbers) : grades?.[0];
}

/** Judgements as TREC's four columns, or BEIR's three below a head. */
export function qrelsText(judgements: readonly HitJudgement[], format: 'trec' | 'beir'): string {
  const rows = judgements.flatMap(({ query, name = query, hit, grade }) =>
    typeof grade === 'number' ? [[name, ...(format === 'trec' ? ['0'] : []), hit, String(grade)]] : [],
  );
  const head = format === 'beir' ? [['query-id', 'corpus-id', 'score']] : [];
  return [...head, ...rows].map((row) => `${row.join('\t')}\n`).join('');
}
