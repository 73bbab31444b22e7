import * as z from 'zod/mini';
import { type Json, json } from './json';
import type { RunDraft } from './run';
import { setAt } from './value';

/**
 * The varied fields of a run panel: another way to write an experiment, kept while it is being entered. Places are
 * JSON pointers in the run: "/params/top_k".
 */

/** A bound of a range; a text while it is no number yet. */
const bound = z.union([z.number(), z.string()]);
const setUpValues = z.union([
  z.object({ values: z.array(json) }),
  z.object({ from: bound, to: bound, step: bound }),
]);
export type SetUpValues = z.infer<typeof setUpValues>;

const overFiles = z.object({
  kind: z.literal('files'),
  /** URI of the folder that the globs are relative to. */
  folder: z.string(),
  globs: z.array(z.string()),
  /** Place in the run → the file itself, its name, or its text. */
  map: z.record(z.string(), z.enum(['file', 'name', 'text'])),
  /** The name of a file's folder is its expected value. */
  folderIsLabel: z.optional(z.boolean()),
});
const overRows = z.object({
  kind: z.literal('rows'),
  /** URI of the table. */
  file: z.string(),
  columns: z.array(z.string()),
  /** Place in the run → column. */
  map: z.record(z.string(), z.string()),
  /** The column with each row's expected value. */
  expected: z.optional(z.string()),
});
export type OverFiles = z.infer<typeof overFiles>;
export type OverRows = z.infer<typeof overRows>;

export const addedModel = z.object({ slug: z.string(), name: z.string() });
export type AddedModel = z.infer<typeof addedModel>;

export const experimentSetup = z.object({
  /** Place in the run → its values. */
  vary: z.record(z.string(), setUpValues),
  /** Models besides the panel's own. */
  models: z.array(addedModel),
  over: z.optional(z.discriminatedUnion('kind', [overFiles, overRows])),
  /** JSON pointer to the compared part of a result; missing: the whole result. */
  at: z.optional(z.string()),
  repeats: z.number(),
  /** The number of inputs to choose at random. */
  sample: z.optional(z.number()),
});
export type ExperimentSetup = z.infer<typeof experimentSetup>;

export const NOTHING_VARIED: ExperimentSetup = { vary: {}, models: [], repeats: 1 };

/** Whether it is more than one run of the panel's own request. */
function isSetUp({ vary, models, over, repeats }: ExperimentSetup): boolean {
  return Object.keys(vary).length > 0 || models.length > 0 || over !== undefined || repeats !== 1;
}

/** A setup without its defaults; undefined when it describes a single run. */
export function keptSetup(setup: ExperimentSetup): ExperimentSetup | undefined {
  return isSetUp(setup) ? setup : undefined;
}

/** A request with the first of the values that are varied in it. */
export function firstRun(draft: RunDraft, setup: ExperimentSetup | undefined): RunDraft {
  return Object.entries(setup?.vary ?? {}).reduce<Json>(
    (run, [pointer, values]) => {
      const first = 'values' in values ? values.values[0] : values.from;
      return first === undefined ? run : setAt(run, pointer, first);
    },
    draft as unknown as Json,
  ) as unknown as RunDraft;
}

/** The varied or mapped place that takes the place of a field: the field itself, or the first item of its list. */
export function placeTaken(places: Readonly<Record<string, unknown>>, pointer: string): string | undefined {
  return [pointer, `${pointer}/0`].find((place) => Object.hasOwn(places, place));
}
