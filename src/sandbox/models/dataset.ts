import { badRequest } from '../http/errors';
import type { JsonObject } from '../json';
import { DatasetWrite, type NewItem } from '../vectors/vectorStore';
import type { RunContext } from './model';
import { integer, number, paramsSchema } from './schema';

/** Params of every search mode. */
export const SEARCH_PARAMS = paramsSchema({
  top_k: integer('Results', {
    description: 'Maximum number of results.',
    minimum: 1,
    maximum: 100,
    default: 10,
  }),
  min_score: number('Minimum score', {
    description: 'Omit results below this score.',
    minimum: 0,
    maximum: 1,
    default: 0,
  }),
});

/** Runs a search with SEARCH_PARAMS; `score` turns a distance into 0 to 1, where 1 means equal. */
export function searchHits(
  { params, vectors }: RunContext,
  query: Float32Array,
  score: (distance: number) => number,
) {
  const topK = (params.top_k as number | undefined) ?? 10;
  const minScore = (params.min_score as number | undefined) ?? 0;
  return {
    scope: vectors.scope,
    searched: vectors.count(),
    results: vectors
      .search(query, topK)
      .map(({ distance, at, facts: { id, ...facts } }) => ({
        id,
        score: Number(score(distance).toFixed(4)),
        ...facts,
        indexed_at: new Date(at).toISOString(),
      }))
      .filter((hit) => hit.score >= minScore),
  };
}

/** Adds the items of an index run, all or nothing; `more` is added to its output. */
export function indexItems({ vectors }: RunContext, items: readonly NewItem[], more: JsonObject) {
  return new DatasetWrite(() => {
    const added = vectors.add(items);
    return {
      scope: vectors.scope,
      indexed: items.length,
      added,
      replaced: items.length - added,
      total_in_scope: vectors.count(),
      ...more,
    };
  });
}

/** @throws {HttpError} 400 an id occurs twice in one index run */
export function rejectDuplicateIds(ids: readonly string[], path: string): void {
  const second = ids.findIndex((id, i) => ids.indexOf(id) < i);
  const id = ids[second];
  if (id === undefined) return;
  const message = `"${id}" is the id of item ${ids.indexOf(id)} and of item ${second}.`;
  throw badRequest('repeated_id', `Ids must be unique in a run: ${message}`, [
    { path: `${path}/${second}`, message, index: second, image_id: id },
  ]);
}
