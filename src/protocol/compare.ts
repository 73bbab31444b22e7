import * as z from 'zod/mini';
import { resultHostMethods } from './result';

/** The messages between the comparison of two runs and its host. */

const run = z.object({
  /** Of its record in the history. */
  id: z.string(),
  name: z.string(),
  /** Environment, state, cost, duration, time. */
  facts: z.array(z.string()),
  message: z.optional(z.string()),
  /** Its result can be asked for by its ID. */
  hasResult: z.boolean(),
});

const value = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({
    kind: z.literal('media'),
    name: z.string(),
    /** Where the page loads the image from. */
    src: z.optional(z.string()),
  }),
]);

const place = z.object({ name: z.string(), left: value, right: value, same: z.boolean() });

const comparison = z.object({
  left: run,
  right: run,
  /** Of the requests; those that differ first. */
  places: z.array(place),
  /** Places that are not listed. */
  more: z.number(),
});

export const compareHostMethods = {
  ready: { params: z.null(), result: comparison },
  showJson: { params: z.null() },
  openRun: { params: z.object({ id: z.string() }) },
  ...resultHostMethods,
} as const;

export const comparePageMethods = {
  /** The outcome, the cost or the name of a run is another one: the page asks again. */
  changed: { params: z.null() },
} as const;

/** State that the page keeps over a reload. */
export const comparedRuns = z.object({ left: z.string(), right: z.string() });

export type ComparedRuns = z.infer<typeof comparedRuns>;
export type RunComparison = z.infer<typeof comparison>;
export type ComparedRun = z.infer<typeof run>;
export type ComparedPlace = z.infer<typeof place>;
export type ComparedValue = z.infer<typeof value>;
export type CompareHostMethods = typeof compareHostMethods;
export type ComparePageMethods = typeof comparePageMethods;
