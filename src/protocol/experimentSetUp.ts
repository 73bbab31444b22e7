import * as z from 'zod/mini';
import { json } from '../domain/json';
import type { Methods } from './channel';
import { index, rowHead } from './experimentCell';

/** The setup of an experiment before its first runs: a model, inputs, their columns, and the compared part. */

/** Runs that a button would send, and their possible cost. */
const offer = z.object({ runs: index, cost: z.optional(z.string()) });

const column = z.object({
  /** In the table; `label` is shown. */
  name: z.string(),
  label: z.string(),
  /** Of the first rows. */
  values: z.array(z.string()),
  /** '' (not used), `expected`, or a place in the run. */
  use: z.string(),
});

const inputs = z.object({
  /** The table's or the folder's name. */
  name: z.string(),
  /** "60 rows, separated by semicolons". */
  text: z.string(),
  /** Of a table. */
  columns: z.array(column),
  /** The possible uses of a column, besides the two words. */
  places: z.array(z.object({ place: z.string(), label: z.string() })),
  /** Of files: the first of them. */
  files: z.array(rowHead),
  /** The name of a file's folder is its label; missing: the files have no folders that could be labels. */
  byFolder: z.optional(z.boolean()),
});

const part = z.object({
  at: z.string(),
  name: z.string(),
  values: z.array(z.string()),
  /** "equals the expected value in 3 of 5". */
  verdict: z.string(),
  kind: z.enum(['equal', 'other', 'never']),
  isCompared: z.boolean(),
});

const setUp = z.object({
  model: z.optional(z.object({ slug: z.string(), name: z.string() })),
  inputs: z.optional(inputs),
  hasExpected: z.boolean(),
  /** Hits are measured: no part of a result is compared. */
  ofHits: z.optional(z.boolean()),
  /** Parts of the results that there are. */
  parts: z.array(part),
  /** Results that the parts are of. */
  results: index,
  /** The cost of these. */
  paid: z.optional(z.string()),
  /** Requests of the first rows, as JSON. */
  requests: z.array(z.string()),
  /** The first rows once; the first rows in every column; all that have no result. */
  trial: offer,
  few: offer,
  all: offer,
  /** "60 runs, about $0.06; leaves $9.82". */
  size: z.string(),
});

/** When an experiment ends early: its metric, and how sure that must be. */
export const earlyEnd = z.object({ metric: z.string(), confidence: z.number() });

/** A change of an experiment's text; missing members stay, null and an empty bound remove. */
const gridChange = z.object({
  /** A place that is varied, and its values or its range as the file has them; without values it is not varied any more. */
  vary: z.optional(z.object({ pointer: z.string(), values: z.optional(json) })),
  repeats: z.optional(index),
  /** The number of inputs; null: all. */
  sample: z.optional(z.nullable(index)),
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

export const setUpMethods = {
  setUp: { params: z.null(), result: setUp },
  /** Asks for the model, or for one more of them. */
  chooseModel: { params: z.object({ more: z.boolean() }), result: z.void() },
  /** A step that can be undone. Sends no run. */
  edit: { params: gridChange, result: z.void() },
  /** Asks for the values of a place, a column for each. Without `pointer` it asks for the place, too. */
  vary: { params: z.object({ pointer: z.optional(z.string()) }), result: z.void() },
  /** Asks for the value by which a copy of a column differs. */
  duplicateColumn: { params: z.object({ column: index }), result: z.void() },
  /** Asks for the name of one of a column's values. */
  renameColumn: { params: z.object({ column: index }), result: z.void() },
  /** Removes the value of a column from the file; its results stay in theirs. */
  removeColumn: { params: z.object({ column: index }), result: z.void() },
  /** Asks for a check of each run, and measures by it. */
  addCheck: { params: z.null(), result: z.void() },
  /** Asks for a model that judges, writes its run file and opens it, and measures by it. Sends no run. */
  addJudge: { params: z.null(), result: z.void() },
  chooseInputs: { params: z.object({ kind: z.enum(['rows', 'files']) }), result: z.void() },
  useColumn: { params: z.object({ column: z.string(), use: z.string() }), result: z.void() },
  labelByFolder: { params: z.object({ on: z.boolean() }), result: z.void() },
  /**
   * Starts runs of an experiment that is being set up. The button has shown their number and cost: they are asked about only
   * where that has changed or something is doubtful. A part that fits is compared when they end, unless one was chosen.
   * False: they were not wanted.
   */
  startSetUp: {
    params: z.object({ which: z.enum(['trial', 'few', 'missing']), offer }),
    result: z.boolean(),
  },
} as const satisfies Methods;

export type ShownSetUp = z.infer<typeof setUp>;
export type RunOffer = z.infer<typeof offer>;
export type GridChange = z.infer<typeof gridChange>;
