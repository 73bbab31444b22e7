import type { Micros } from '../billing/money';
import type { JsonObject } from '../json';
import type { Media } from '../media/media';
import type { FoundItem, NewItem } from '../vectors/vectorStore';

export type Schema = { readonly [keyword: string]: unknown };

/** The dataset that an index or search run works on: the run's model and scope. */
export interface ScopedVectors {
  readonly scope: string;
  /** All or nothing; returns how many ids were new. */
  add(items: readonly NewItem[]): number;
  count(): number;
  search(query: Float32Array, topK: number): FoundItem[];
}

/** What a model has at hand while it runs. Input and params satisfy the mode's schemas. */
export interface RunContext {
  readonly input: JsonObject;
  readonly params: JsonObject;
  /** Only in a vector-backed mode. */
  readonly vectors: ScopedVectors;
  /** @throws {HttpError} 400 naming `path` when the value is no known media reference */
  media(value: unknown, path: string): Media;
  /** Aborted when the server stops, not when the client goes away: a run that was paid for is finished. */
  readonly signal: AbortSignal;
}

export interface ModelMode {
  readonly title: string;
  readonly description: string;
  readonly vectorBacked?: boolean;
  readonly price: { readonly micros: Micros; readonly unit: string };
  readonly inputSchema: Schema;
  readonly paramsSchema: Schema;
  readonly examples: readonly { title: string; input: JsonObject; params: JsonObject }[];
  /** How many units a run is charged for, and which ids it writes; default one unit. */
  readonly countItems?: (input: JsonObject) => { readonly units: number; readonly ids?: readonly string[] };
  /** Answered with 202 at once; the run goes on, and its end can be asked for. */
  readonly asynchronous?: true;
  readonly run: (context: RunContext) => Promise<unknown> | unknown;
}

export interface SandboxModel {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly version: string;
  /** False: it is there, but nobody may see or run it. */
  readonly published?: false;
  readonly modes: Readonly<Record<string, ModelMode>>;
}

/** Params of a mode without any. */
export const NO_PARAMS: Schema = { type: 'object', properties: {}, additionalProperties: false };

/** The schema of a media object (interface, section 2.2). */
export const mediaSchema = (mediaType: Media['mediaType'], title: string, description?: string): Schema => ({
  type: 'object',
  title,
  ...(description && { description }),
  'x-media-type': mediaType,
  properties: {
    media_ref: { type: 'string', minLength: 1, title: 'Media reference', contentMediaType: `${mediaType}/*` },
    filename: { type: 'string', title: 'File name' },
  },
  required: ['media_ref'],
  additionalProperties: false,
});

export const objectSchema = (properties: Schema, required: readonly string[] = []): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Params of every search mode. */
export const SEARCH_PARAMS = objectSchema({
  top_k: {
    type: 'integer',
    title: 'Results',
    description: 'Most hits to return.',
    minimum: 1,
    maximum: 100,
    default: 10,
  },
  min_score: {
    type: 'number',
    title: 'Least score',
    description: 'Leave out hits below this score.',
    minimum: 0,
    maximum: 1,
    default: 0,
  },
});

/** Runs a search as SEARCH_PARAMS says; `score` turns a distance into 0 to 1, 1 for the same. */
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
      .map(({ distance, indexedAt, id, ...facts }) => ({
        id,
        score: Number(score(distance).toFixed(4)),
        ...facts,
        indexed_at: new Date(indexedAt).toISOString(),
      }))
      .filter((hit) => hit.score >= minScore),
  };
}
