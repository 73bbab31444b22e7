import * as z from 'zod/mini';

/** A cell and the inputs of a row, as table and X/Y plot show them. */

/** Of a row or a column. */
export const index = z.int().check(z.gte(0));

/** People's judgements of the run in a cell: see `judgementLine` of results files. */
const judged = z.object({
  thumbs_up: z.optional(z.number()),
  score: z.optional(z.number()),
  preferred: z.optional(z.number()),
});

/** A hit of a search, without the query itself. */
export const hit = z.object({
  id: z.string(),
  score: z.optional(z.number()),
  /** Missing: it is not judged. */
  mark: z.optional(z.enum(['right', 'wrong'])),
  /** People's judgement. */
  judged: z.optional(z.union([z.literal('?'), z.number()])),
  /** Where the page loads the picture of the user's own file from. */
  src: z.optional(z.string()),
});

export const cell = z.object({
  /** Of which column it is, where the order of a row is its own. */
  column: z.optional(index),
  /** `empty`: of an input that is outside the sample, or gone, and has no result in this column. */
  state: z.enum(['finished', 'failed', 'unconfirmed', 'partly', 'missing', 'empty']),
  kind: z.enum(['text', 'label', 'number', 'picture', 'media', 'hits', 'json', 'failure', 'none']),
  text: z.string(),
  /** Of a number. */
  value: z.optional(z.number()),
  /** Of a label that was recognised with it. */
  score: z.optional(z.number()),
  /** Of a search, to the rank that is measured. */
  hits: z.optional(z.array(hit)),
  /** Where the page loads a picture from. */
  src: z.optional(z.string()),
  /** Further pictures of the same result. */
  more: z.optional(index),
  spread: z.optional(z.string()),
  cost: z.optional(z.string()),
  time: z.optional(z.string()),
  isRight: z.optional(z.boolean()),
  /** Differs from the baseline, or from the first shown column. */
  differs: z.optional(z.boolean()),
  /** Of a number, to that of the baseline: "+0.05". */
  difference: z.optional(z.string()),
  judged: z.optional(judged),
  own: z.optional(judged),
  hasNote: z.optional(z.boolean()),
  /** Judgements of models: "helpful 4". */
  verdicts: z.optional(z.array(z.string())),
});

export const input = z.object({
  medium: z.enum(['text', 'image', 'audio', 'video', 'file']),
  text: z.string(),
  /** Where the page loads the file from. */
  src: z.optional(z.string()),
});

export const rowHead = z.object({
  row: index,
  name: z.string(),
  inputs: z.array(input),
  expected: z.optional(z.string()),
});

export const row = z.object({
  ...rowHead.shape,
  /** Of the columns that were asked for, in their order. */
  cells: z.array(cell),
});
