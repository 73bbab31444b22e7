import * as z from 'zod/mini';
import { json } from '../domain/json';
import type { Methods } from './channel';
import { type cell, hit, index, input, row } from './experimentCell';
import { confusion, figures, glanceRow } from './experimentFigures';
import { plotMethods } from './experimentPlot';
import { earlyEnd, setUpMethods } from './experimentSetUp';
import { resultHostMethods } from './result';

/**
 * The messages between the table of an experiment and its host. The host holds all cells; the page asks for the rows
 * and columns in sight, so that no message grows with the experiment.
 */

/** Most rows and columns of one message. */
const MOST_ROWS_AT_ONCE = 200;
const MOST_COLUMNS_AT_ONCE = 40;

const cellPlace = z.object({ row: index, column: index });

/** A varied place of a column: its short name and its value. */
const place = z.object({ pointer: z.string(), name: z.string(), value: z.string() });

const problem = z.object({ message: z.string(), severity: z.enum(['error', 'warning']) });

/** The varied field, and its values as people type them. */
const varied = z.object({ pointer: z.string(), name: z.string(), text: z.string() });

const progress = z.object({
  /** `interrupted`: a closed window has left runs. */
  state: z.enum(['idle', 'running', 'stopping', 'paused', 'interrupted']),
  /** Runs of the grid, those that have a finished result, and those that would be sent. */
  total: index,
  finished: index,
  missing: index,
  failed: index,
  unconfirmed: index,
  /** Runs without a finished result that cannot be sent: their models' contracts reject them. */
  rejected: index,
  /** The expected cost of the runs without a result: "about $2.40; 1 model has no published price". */
  estimate: z.optional(z.string()),
  /** "40 of 120 runs, about 3 min left". */
  text: z.optional(z.string()),
});

const head = z.object({
  /** Name of the file without its ending. */
  name: z.string(),
  description: z.optional(z.string()),
  locale: z.string(),
  problems: z.array(problem),
  /** How the user looked at it last: see `keepView`. */
  view: z.optional(json),
  /** A cell to be shown now. */
  reveal: z.optional(cellPlace),
  /** Expected values by which rows can be filtered; empty where there are many. */
  labels: z.array(z.string()),
  /** Before the first run: the page shows the setup of the experiment. */
  isNew: z.optional(z.boolean()),
  columns: z.array(
    z.object({
      name: z.string(),
      places: z.array(place),
      /** Results of another time, file or environment, and the column that is compared with them. */
      other: z.optional(z.object({ label: z.string(), own: z.optional(index) })),
    }),
  ),
  /** Places with one value in all columns. */
  common: z.array(place),
  rows: index,
  metrics: z.array(z.string()),
  hasExpected: z.boolean(),
  failedIsWrong: z.boolean(),
  /** People decide: judging is on from the beginning. */
  isJudged: z.boolean(),
  varied: z.array(varied),
  repeats: index,
  /** The number of inputs that are chosen at random; missing: all. */
  sample: z.optional(index),
  seed: z.optional(z.int()),
  /** Metric → the bound that every column must reach. */
  thresholds: z.record(z.string(), z.string()),
  /** A difference of metrics that does not matter. */
  margin: z.optional(z.number()),
  /** Columns that are certainly not the best end early. */
  stop: z.optional(earlyEnd),
  stopMetrics: z.array(z.string()),
  /** The part of the results to compare for each model, and the available parts; empty before the first result. */
  compared: z.array(
    z.object({
      model: z.optional(z.string()),
      at: z.string(),
      parts: z.array(z.string()),
      /** The results cannot be measured at `at`. */
      isWrong: z.boolean(),
    }),
  ),
  /** The metrics that the file asks for, and those that it may. */
  asked: z.array(z.string()),
  metricNames: z.array(z.string()),
  /** The size of the grid: "3 models × 4 values × 50 files × 2 repeats = 1,200 runs, about $2.40". */
  size: z.string(),
  progress,
});

const summary = z.object({
  /** "48 of 50 finished, 2 failed"; by column. */
  runs: z.array(z.string()),
  /** How columns differ from their other results: "7 became wrong, 2 became right". */
  changes: z.array(z.string()),
  /** Rows that would be right in another spelling: a sentence, and the differences to leave out. */
  near: z.optional(z.object({ text: z.string(), ignore: z.array(z.string()) })),
  rows: z.readonly(z.array(glanceRow)),
});

const query = z.object({
  text: z.string().check(z.maxLength(1000)),
  /** `worse`: right before, and wrong now. */
  show: z.enum(['all', 'worse', 'wrong', 'differs', 'failed', 'unconfirmed', 'missing', 'unjudged']),
  /** Of this column alone; missing: of any that is shown. */
  of: z.optional(index),
  /** The expected value. */
  label: z.optional(z.string()),
  fold: z.boolean(),
  /** The columns that are shown, in their order. */
  columns: z.array(index),
  sort: z.optional(
    z.object({
      /** -1: the inputs. */
      column: z.int().check(z.gte(-1)),
      /** `changes`: rows that became wrong come first, of all shown columns. */
      by: z.enum(['outcome', 'metric', 'cost', 'time', 'changes']),
      descending: z.boolean(),
    }),
  ),
  pair: z.optional(z.object({ column: index, expected: z.string(), got: z.string() })),
  baseline: z.optional(index),
  /** Judged blind: the cells of each row in an order of its own, which follows from this seed. */
  blind: z.optional(z.int()),
});

const numberDifferences = z.object({
  rows: z.array(
    z.object({ pointer: z.string(), first: z.string(), second: z.string(), difference: z.string() }),
  ),
  /** How many more there are. */
  more: index,
});

const run = z.object({
  /** Names the result for `resultHostMethods`; missing while there is no result line. */
  result: z.optional(z.string()),
  repeat: index,
  state: z.enum(['finished', 'failed', 'unconfirmed', 'missing']),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  reason: z.optional(z.string()),
  /** The service has accepted it, and can be asked for its outcome. */
  isAccepted: z.optional(z.boolean()),
  /** Judgements of models, with the raw answer where it is not understood. */
  verdicts: z.optional(z.array(z.object({ text: z.string(), raw: z.optional(z.string()) }))),
  /** Judgements and notes of other people. */
  ratings: z.optional(z.array(z.string())),
  /** The note of this person. */
  note: z.optional(z.string()),
  /** Where the page loads its picture from. */
  picture: z.optional(z.string()),
});

const cellDetail = z.object({
  title: z.string(),
  inputs: z.array(input),
  expected: z.optional(z.string()),
  runs: z.array(run),
  /**
   * Of a search: the hits of the row in each column that has some, and the rank to which they are measured. Judged blind,
   * the IDs of all of them in the order in which they are judged.
   */
  strips: z.optional(
    z.object({
      rank: index,
      columns: z.array(z.object({ column: index, hits: z.array(hit) })),
      pool: z.array(z.string()),
    }),
  ),
  /** The values of the result that can be compared, and the place that is; of one model, where models are varied. */
  compare: z.optional(
    z.object({
      model: z.optional(z.string()),
      at: z.string(),
      parts: z.array(z.object({ at: z.string(), value: z.string() })),
    }),
  ),
  /** The request as JSON; missing when the model's contract is not known. */
  request: z.optional(z.string()),
});

const exportFormat = z.enum(['csv', 'jsonl', 'markdown', 'html', 'trec', 'beir']);

/** The page draws no longer picture. */
const LONGEST_CHART = 20_000_000;

/** At 160 pixels it takes some ten thousand. */
const LONGEST_SMALL_PICTURE = 200_000;

export const experimentHostMethods = {
  ready: { params: z.null(), result: head },
  /** The rows of the head. `columns`: those with comparisons that are shown together. */
  summary: {
    params: z.object({
      baseline: z.optional(index),
      columns: z.array(index),
      /** Figures for each value of a column of the inputs, too; '' for the expected label. */
      groupBy: z.optional(z.string()),
    }),
    result: summary,
  },
  /** Asks by which column of the inputs figures are grouped: '' for the expected label; null: the question was dismissed. */
  askGroup: { params: z.null(), result: z.nullable(z.string()) },
  rows: {
    params: z.object({
      query,
      from: index,
      count: index.check(z.lte(MOST_ROWS_AT_ONCE)),
      columns: z.array(index).check(z.maxLength(MOST_COLUMNS_AT_ONCE)),
    }),
    result: z.object({ rows: z.array(row), total: index, folded: index }),
  },
  cell: { params: z.object({ ...cellPlace.shape, blind: query.shape.blind }), result: cellDetail },
  /** Where a row of the experiment is in that order; null: it is filtered out. */
  position: { params: z.object({ query, row: index }), result: z.nullable(index) },
  /** Asks the service for the runs of the experiment that it has accepted. */
  askAgain: { params: z.null(), result: z.void() },
  /** Kept in the results file; then the table is shown with it. */
  judge: {
    params: z.object({
      ...cellPlace.shape,
      kind: z.enum(['thumbs_up', 'score', 'preferred', 'note']),
      value: z.nullable(z.number()),
      note: z.optional(z.string().check(z.maxLength(10_000))),
      columns: z.array(index),
      blind: z.boolean(),
    }),
    result: z.void(),
  },
  /** A person's grade of a hit, for all columns; null: withdrawn. Kept beside the experiment. */
  judgeHit: {
    params: z.object({
      row: index,
      id: z.string(),
      grade: z.nullable(z.union([z.literal('?'), z.int().check(z.gte(0), z.lte(3))])),
      blind: z.boolean(),
    }),
    result: z.void(),
  },
  /** Asks the one question, then starts those runs. */
  start: { params: z.object({ which: z.enum(['missing', 'failed', 'unconfirmed']) }), result: z.void() },
  ...setUpMethods,
  ...plotMethods,
  /** Asks for results of another time, file or environment, which are columns then. */
  compareWith: { params: z.null(), result: z.void() },
  /** Removes the other results that a column shows. */
  stopComparing: { params: z.object({ column: index }), result: z.void() },
  /** Keeps how the user looks at the table. */
  keepView: { params: z.object({ view: json }), result: z.void() },
  pause: { params: z.null(), result: z.void() },
  resume: { params: z.null(), result: z.void() },
  cancel: { params: z.null(), result: z.void() },
  compare: { params: z.object({ first: cellPlace, second: cellPlace }), result: z.void() },
  /** The numbers that two cells have at the same places, where they differ, ready to be shown. */
  numberDifferences: {
    params: z.object({ first: cellPlace, second: cellPlace }),
    result: numberDifferences,
  },
  /** Opens the request of a column in a run panel or as a run file, with the input of a row if one is given. */
  useVariation: { params: z.object({ column: index, row: z.optional(index) }), result: z.void() },
  /** By column, as the summary. */
  figures: { params: z.null(), result: figures },
  confusion: { params: z.object({ column: index }), result: confusion },
  /** Saves the picture of a chart to a file that the user chooses. */
  saveChart: {
    params: z.object({
      name: z.string(),
      format: z.enum(['png', 'svg']),
      /** SVG as text, PNG as base64. */
      content: z.string().check(z.maxLength(LONGEST_CHART)),
    }),
    result: z.void(),
  },
  /** Saves the shown table. `groupBy`: see `summary`. */
  export: {
    params: z.object({ format: exportFormat, query, groupBy: z.optional(z.string()) }),
    result: z.void(),
  },
  reopenAsText: { params: z.null(), result: z.void() },
  ...resultHostMethods,
} as const satisfies Methods;

export const experimentPageMethods = {
  /** The file, its inputs or results have changed: the page requests the table. */
  changed: { params: head },
  /** Only the running rows have changed. */
  progress: { params: progress },
  /**
   * Draws a picture small, for a report: as a WebP in a data URI of limited length. Undefined: it cannot be read, or
   * drawn that small.
   */
  smallPicture: {
    params: z.object({ src: z.string(), side: index, most: index }),
    result: z.optional(
      z.string().check(z.regex(/^data:image\/webp;base64,[\w+/=]*$/), z.maxLength(LONGEST_SMALL_PICTURE)),
    ),
  },
} as const satisfies Methods;

export type ExperimentHostMethods = typeof experimentHostMethods;
export type ExperimentPageMethods = typeof experimentPageMethods;
export type TableHead = z.infer<typeof head>;
export type HeadPlace = z.infer<typeof place>;
export type TableProgress = z.infer<typeof progress>;
export type TableQuery = z.infer<typeof query>;
export type ExperimentRow = z.infer<typeof row>;
export type TableRowsPart = z.infer<ExperimentHostMethods['rows']['result']>;
export type ShownCell = z.infer<typeof cell>;
export type ShownHit = z.infer<typeof hit>;
export type ShownInput = z.infer<typeof input>;
export type AskedSummary = z.infer<ExperimentHostMethods['summary']['params']>;
export type ShownSummary = z.infer<typeof summary>;
export type ShownNumberDifferences = z.infer<typeof numberDifferences>;
export type ShownFigures = z.infer<typeof figures>;
export type ShownConfusion = z.infer<typeof confusion>;
export type ExportFormat = z.infer<typeof exportFormat>;
export type ShownJudgement = z.infer<ExperimentHostMethods['judge']['params']>;
export type JudgedHit = z.infer<ExperimentHostMethods['judgeHit']['params']>;
export type CellDetail = z.infer<typeof cellDetail>;
