import * as z from 'zod/mini';
import { json } from './json';

const count = z.int().check(z.gte(0));

/** When an experiment ends early: its metric, and how sure that must be. */
export const earlyEnd = z.object({ metric: z.string(), confidence: z.number() });

/** A change of an experiment's text; missing members stay, null and an empty bound remove. */
export const gridChange = z.object({
  /** A place that is varied, and its values or its range as the file has them; without values it is not varied any more. */
  vary: z.optional(z.object({ pointer: z.string(), values: z.optional(json) })),
  repeats: z.optional(count),
  /** The number of inputs; null: all. */
  sample: z.optional(z.nullable(count)),
  seed: z.optional(z.nullable(z.int())),
  /** The compared part in the results of a model; missing: in all results. */
  compared: z.optional(z.object({ model: z.optional(z.string()), at: z.string() })),
  /** Names; those that the file has with a tolerance, or as a check, stay so. */
  metrics: z.optional(z.array(z.string())),
  /** The bound that every column must reach in a metric: ">= 0.9"; empty: none. */
  threshold: z.optional(z.object({ metric: z.string(), bound: z.string() })),
  stop: z.optional(z.nullable(earlyEnd)),
  failedIsWrong: z.optional(z.boolean()),
  /** Differences of spelling that do not count, in all metrics that may leave them out. */
  ignore: z.optional(z.array(z.string())),
  /** A difference that does not matter; null: each does. */
  margin: z.optional(z.nullable(z.number())),
});
export type GridChange = z.infer<typeof gridChange>;
