import type { Micros } from '../billing/money';
import type { JsonObject } from '../json';
import type { Media } from '../media/media';
import type { Dataset } from '../vectors/vectorStore';
import type { Schema } from './schema';

/** The parts that a model may use while it runs. Input and params satisfy the mode's schemas. */
export interface RunContext {
  readonly input: JsonObject;
  readonly params: JsonObject;
  /** Only in a vector-backed mode. */
  readonly vectors: Dataset;
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
  /** The ids of the items that a run writes, each charged as one unit; without it, a run is one unit. */
  readonly itemIds?: (input: JsonObject) => readonly string[];
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
