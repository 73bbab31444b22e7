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

/** What a model may use while it runs. Input and params satisfy the mode's schemas. */
export interface RunContext {
  readonly input: JsonObject;
  readonly params: JsonObject;
  /** Only in a vector-backed mode. */
  readonly vectors: ScopedVectors;
  /** @throws {HttpError} 400 naming `path` when the value is no known media reference */
  media(value: unknown, path: string): Media;
  /** Aborted when the server stops, not when the client disconnects: a paid run is finished. */
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
  /** The response is 202 at once; the result is available later, at the address in the response. */
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
  /** False: the catalog does not list it, and it cannot be run. */
  readonly published?: false;
  readonly modes: Readonly<Record<string, ModelMode>>;
}

/** A model whose only mode is `execute`. */
export const singleMode = (about: Omit<SandboxModel, 'modes'>, execute: ModelMode): SandboxModel => ({
  ...about,
  modes: { execute },
});

/** A price in millionths of the currency. */
export const perRun = (micros: Micros) => ({ micros, unit: 'run' });

export const example = (title: string, input: JsonObject, params: JsonObject = {}) => ({
  title,
  input,
  params,
});

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

/** JSON Schema of an object without other properties. */
const objectSchema = (properties: Schema, required: readonly string[]): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The schema of an input whose properties are all required, with exceptions. */
export const inputSchema = (properties: Schema, optional: readonly string[] = []) =>
  objectSchema(
    properties,
    Object.keys(properties).filter((name) => !optional.includes(name)),
  );

/** The schema of params, of which none is required. */
export const paramsSchema = (properties: Schema = {}) => objectSchema(properties, []);

export const textSchema = (title = 'Text', maxLength = 20_000): Schema => ({
  type: 'string',
  title,
  minLength: 1,
  maxLength,
  format: 'multiline',
});
