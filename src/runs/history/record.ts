import * as z from 'zod/mini';
import { money } from '../../domain/money';
import { attachment, runDraft, runRequest, runState } from '../../domain/run';

/** One run as history keeps it, an entry of its journal; a later entry of the same `id` replaces the earlier. */
export const runRecord = z.object({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  modelName: z.string(),
  /** `indexing` stands in records of early versions only: runs of jobs are measured in `jobRuns`. */
  source: z.enum(['panel', 'indexing', 'search']),
  draft: runDraft,
  /** As it was sent; missing when it never was. */
  request: z.optional(runRequest),
  attachments: z.array(attachment),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  sentAt: z.optional(z.number()),
  finishedAt: z.optional(z.number()),
  state: runState,
  /** Which window a `running` one belongs to; history sets it, to know runs whose window is gone. */
  session: z.optional(z.string()),
  /** The user set its outcome. */
  settledByUser: z.optional(z.boolean()),
  /** The service's identifier of the run. */
  runId: z.optional(z.string()),
  status: z.optional(z.number()),
  /** A sentence on why it failed, was not sent or is unknown. */
  message: z.optional(z.string()),
  /** Only what the response or the activity reports for this very run, never a balance difference. */
  cost: z.optional(money),
  /** The bounded copy of the response's body, in the history's folder. */
  result: z.optional(
    z.object({ file: z.string(), contentType: z.string(), sizeBytes: z.number(), truncated: z.boolean() }),
  ),
});

export type RunRecord = z.infer<typeof runRecord>;
