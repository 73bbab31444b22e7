import * as z from 'zod/mini';
import { gridChange } from '../domain/gridChange';
import type { Methods } from './channel';

/** The setup of an experiment before its first runs: a model, inputs, their columns, and the compared part. */

const index = z.int().check(z.gte(0));

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

const input = z.object({ name: z.string(), text: z.string(), src: z.optional(z.string()) });

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
  files: z.array(z.object({ ...input.shape, expected: z.optional(z.string()) })),
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
