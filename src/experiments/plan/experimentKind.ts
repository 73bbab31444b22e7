import * as z from 'zod/mini';
import { agentMark } from '../../domain/agentGrant';
import { json } from '../../domain/json';
import type { JobKind } from '../../store/jobKind';

const head = z.object({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  /** The shown name of the experiment. */
  name: z.string(),
  /** Of runs without a model in their variation; missing: each variation has one. */
  model: z.optional(z.string()),
  /** The experiment's absolute path. */
  file: z.string(),
  /** Absolute path of its results file. */
  results: z.string(),
  /** The store's count of results when that file was read for this job. */
  since: z.number(),
  at: z.number(),
  agent: z.optional(agentMark),
  /** The confirmed question; missing in jobs of a terminal. */
  consent: z.optional(
    z.object({
      /** The expected cost of all runs together, for each currency. */
      totals: z.array(z.object({ amount: z.string(), currency: z.optional(z.string()) })),
      /** Models without a published price. */
      unpriced: z.number(),
      trusted: z.boolean(),
    }),
  ),
});

const run = z.object({
  customId: z.string(),
  requestSha256: z.string(),
  repeat: z.number(),
  variation: z.record(z.string(), json),
  item: z.string(),
  itemSha256: z.string(),
  /** The metric for which it judges a result of its variation and item. */
  judge: z.optional(z.string()),
});

export type ExperimentHead = Readonly<z.infer<typeof head>>;
/** A run of an experiment. Its request is not kept: an interrupted experiment is planned again from its file. */
export type ExperimentRun = Readonly<z.infer<typeof run>>;

/** How the runs of experiments are kept on disk while they are under way. */
export const experimentKind: JobKind<ExperimentHead, ExperimentRun> = {
  name: 'experiment',
  head: (value) => head.safeParse(value).data,
  item: (value) => run.safeParse(value).data,
  // Of all services: a run of one is known to a start with the address of another, or another spelling of it.
  target: ({ results }) => results,
  key: ({ customId }) => customId,
};
