import * as z from 'zod/mini';
import { index } from './experimentCell';

/** Ends and value as shares of the row's scale. */
const glanceInterval = z.object({
  /** "0.819 to 0.964". */
  text: z.string(),
  low: z.number(),
  high: z.number(),
  at: z.number(),
  /** Where there is no difference: of pairs, half of them won. */
  even: z.optional(z.number()),
});

/** How a figure differs from that of the baseline, over the rows that both have. */
const glanceDifference = z.object({
  sign: z.enum(['better', 'worse', 'alike', 'unknown']),
  /** "+0.067". */
  text: z.string(),
  /** "cannot tell yet, about 240 more rows". */
  word: z.string(),
  /** "on 54 rows", of fewer than the figure. */
  note: z.optional(z.string()),
  /** On a scale of the row with 0.5 for no difference. */
  interval: z.optional(glanceInterval),
});

/** One figure of one column, as short as it can be read beside those of the other columns. */
const glanceCell = z.object({
  /** "0.917", in each cell of a row with the same digits. */
  text: z.string(),
  /** "n 60", "n 57 of 60", "1 run without a cost". */
  note: z.optional(z.string()),
  /** "45 different", of rows that share runs; where there is little room only the words say it. */
  different: z.optional(z.string()),
  interval: z.optional(glanceInterval),
  difference: z.optional(glanceDifference),
  /** Not beaten by any column that was measured on the same rows. */
  isBest: z.optional(z.boolean()),
  /** The same as sentences. */
  words: z.readonly(z.array(z.string())),
});

/** A row of the summary: one kind of figure of all columns. */
export const glanceRow = z.object({
  kind: z.enum(['metric', 'group', 'reference', 'agreement', 'runs', 'failed', 'cost', 'time']),
  name: z.string(),
  /** Its figures for each expected label can be opened below it. */
  hasLabels: z.optional(z.boolean()),
  /** A judge's pairs with the baseline: each figure is compared by itself. */
  isOfPairs: z.optional(z.boolean()),
  /** By column; null: it has no such figure. */
  cells: z.readonly(z.array(z.nullable(glanceCell))),
});

export type GlanceInterval = z.infer<typeof glanceInterval>;
export type GlanceDifference = z.infer<typeof glanceDifference>;
export type GlanceCell = z.infer<typeof glanceCell>;
export type GlanceRow = z.infer<typeof glanceRow>;

const distribution = z.object({
  count: index,
  /** 95% interval of the median; missing where there are too few runs for one. */
  low: z.optional(z.number()),
  high: z.optional(z.number()),
  quantiles: z.readonly(z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()])),
});

/** The data of charts; of metrics `null` where nothing could be measured. */
export const figures = z.object({
  metrics: z.readonly(z.array(z.object({ name: z.string(), better: z.enum(['higher', 'lower']) }))),
  columns: z.readonly(
    z.array(
      z.object({
        metrics: z.readonly(
          z.array(
            z.nullable(
              z.object({
                value: z.number(),
                /** After the point, as the table shows it. */
                digits: index,
                count: index,
                low: z.optional(z.number()),
                high: z.optional(z.number()),
                /** There is no interval, since all rows have the same value. */
                isAlike: z.optional(z.boolean()),
              }),
            ),
          ),
        ),
        /** Of the runs that have an outcome: “10 of 60”; missing: all. */
        part: z.optional(z.string()),
        costs: z.optional(distribution),
        times: z.optional(distribution),
        numbers: z.record(z.string(), z.number()),
      }),
    ),
  ),
  /** That most runs were charged in; costs in others are left out. */
  currency: z.optional(z.string()),
  otherCurrencies: index,
});

export const confusion = z.object({
  labels: z.readonly(z.array(z.string())),
  /** Row: expected, column: got. */
  counts: z.readonly(z.array(z.readonly(z.array(index)))),
  /** Labels there are; those of the chart are the most frequent. */
  total: index,
});
