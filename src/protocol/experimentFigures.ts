import * as z from 'zod/mini';

const index = z.int().check(z.gte(0));

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
