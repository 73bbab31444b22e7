import * as z from 'zod/mini';

const json = z.json();
const jsonObject = z.record(z.string(), json);
const money = z.object({ amount: z.string(), currency: z.optional(z.string()) });

const draft = z.object({
  model: z.string(),
  mode: z.string(),
  scope: z.optional(z.string()),
  input: jsonObject,
  params: jsonObject,
  options: z.optional(jsonObject),
});

const request = z.object({
  model: z.string(),
  mode: z.optional(z.string()),
  scope: z.optional(z.string()),
  input: jsonObject,
  params: jsonObject,
  options: z.optional(jsonObject),
});

/** A user's file that took part in a run. */
const attachment = z.object({
  uri: z.string(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number(),
  sha256: z.optional(z.string()),
  mediaRef: z.optional(z.string()),
});

/**
 * What became of a run:
 * - `running`: sent, no answer yet; found so at start-up it becomes `unknown`
 * - `unknown`: its bytes may have left and no answer came; it may have been executed and billed
 * - `notSent`: it ended before its bytes left (checks, upload, budget, cancel); nothing was billed for it
 */
const state = z.enum(['running', 'finished', 'accepted', 'failed', 'unknown', 'notSent']);

/** One run as history keeps it, an entry of its journal; a later entry of the same `id` replaces the earlier. */
export const runRecord = z.object({
  id: z.string(),
  environment: z.string(),
  baseUrl: z.string(),
  modelName: z.string(),
  source: z.enum(['panel', 'indexing', 'search']),
  draft,
  /** As it was sent; missing when it never was. */
  request: z.optional(request),
  attachments: z.array(attachment),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  sentAt: z.optional(z.number()),
  finishedAt: z.optional(z.number()),
  state,
  /** Which window a `running` one belongs to; history sets it, to know runs whose window is gone. */
  session: z.optional(z.string()),
  /** The user, not the service, said what became of it. */
  settledByUser: z.optional(z.boolean()),
  /** The service's identifier of the run. */
  runId: z.optional(z.string()),
  status: z.optional(z.number()),
  /** A sentence on why it failed, was not sent or is unknown. */
  message: z.optional(z.string()),
  /** Only what the answer or the activity said of this very run, never a balance difference. */
  cost: z.optional(money),
  /** The bounded copy of the answer's body, in the history's folder. */
  result: z.optional(
    z.object({ file: z.string(), contentType: z.string(), sizeBytes: z.number(), truncated: z.boolean() }),
  ),
});

export type RunRecord = z.infer<typeof runRecord>;
export type RunAttachment = z.infer<typeof attachment>;
export type RunState = RunRecord['state'];
