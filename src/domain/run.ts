import * as z from 'zod/mini';
import { jsonObject } from './json';

/**
 * The body of `POST /api/runs` (section 2.1). Platform-managed fields cannot be expressed.
 * The request shown, copied as code, saved and sent is this one value.
 */
export const runRequest = z.readonly(
  z.object({
    model: z.string(),
    mode: z.optional(z.string()),
    scope: z.optional(z.string()),
    input: jsonObject,
    params: jsonObject,
    options: z.optional(jsonObject),
  }),
);
export type RunRequest = z.infer<typeof runRequest>;

/**
 * A run request in editing: a request that is not checked yet, and in which a media object may still point at a local
 * file (`media_ref` is then the file's URI, see `media.ts`).
 */
export const runDraft = z.readonly(
  z.object({
    model: z.string(),
    mode: z.string(),
    scope: z.optional(z.string()),
    input: jsonObject,
    params: jsonObject,
    options: z.optional(jsonObject),
  }),
);
export type RunDraft = z.infer<typeof runDraft>;

/** Never sent by a client: managed by the platform (section 2.1, rule 1), or resolved from the model's release. */
export const MANAGED_FIELDS: readonly string[] = [
  'resources',
  'alias',
  'collection',
  'namespace',
  'hardware_tier',
];

/**
 * The state of a run:
 * - `running`: sent, no response yet; found so at start-up it becomes `unknown`
 * - `accepted`: the service took it for later and has not finished it
 * - `unclear`: its response has no sign of success and none of failure
 * - `unknown`: its bytes may have left and no response was received; it may have been executed and billed
 * - `notSent`: it ended before its bytes left (checks, upload, budget, cancel), so it was not billed
 */
export const runState = z.enum([
  'running',
  'finished',
  'accepted',
  'failed',
  'unclear',
  'unknown',
  'notSent',
]);
export type RunState = z.infer<typeof runState>;

/** Whether a run may have been executed and charged without a known outcome. */
export function isUnconfirmed(state: RunState): boolean {
  return state === 'unknown' || state === 'unclear';
}

/** Whether the service that has accepted a run may be asked for its outcome. */
export function mayBeAsked({
  state,
  followUrl,
}: {
  readonly state: RunState;
  readonly followUrl?: string;
}): boolean {
  return followUrl !== undefined && (state === 'accepted' || state === 'unclear');
}

/** The current step of a run, for a timer and a progress line. */
export const runStep = z.readonly(
  z.union([
    z.object({ step: z.enum(['checking', 'sending', 'running', 'reading']) }),
    /**
     * Until the service allows the next request: `untilMs` (milliseconds since the epoch, by the host's clock) is
     * missing where it named no time.
     */
    z.object({
      step: z.literal('waiting'),
      untilMs: z.optional(z.number()),
      /** `rateLimit` after a 429, `unavailable` after a 503 that named a time. */
      reason: z.optional(z.enum(['rateLimit', 'unavailable'])),
      serviceMessage: z.optional(z.string()),
    }),
    z.object({
      step: z.literal('uploading'),
      file: z.number(),
      files: z.number(),
      sentBytes: z.number(),
      totalBytes: z.number(),
    }),
  ]),
);
export type RunStep = z.infer<typeof runStep>;

export const attachment = z.readonly(
  z.object({
    uri: z.string(),
    filename: z.string(),
    contentType: z.string(),
    sizeBytes: z.number(),
    sha256: z.optional(z.string()),
    mediaRef: z.optional(z.string()),
  }),
);
