import * as z from 'zod/mini';

/**
 * What became of one file in one dataset:
 * - `failed`: rejected, or could not be read; it is not in the dataset
 * - `unknown`: sent without a response; it may have been indexed and charged
 */
export const itemOutcome = z.enum(['indexed', 'failed', 'unknown']);
export type ItemOutcome = z.infer<typeof itemOutcome>;

/** One item of a dataset, as the ledger knows it. Image ids are workspace-relative POSIX paths (design, "Files on disk"). */
const ledgerItem = z.object({
  /** Base URL of the environment: what identifies the dataset's service. */
  baseUrl: z.string(),
  model: z.string(),
  scope: z.string(),
  imageId: z.string(),
  /** URI of the file it came from. */
  file: z.string(),
  sha256: z.string(),
  sizeBytes: z.number(),
  /** Modification time in milliseconds when it was hashed. */
  modifiedMs: z.number(),
  mediaRef: z.optional(z.string()),
  /** Milliseconds since the epoch. */
  at: z.number(),
  outcome: itemOutcome,
  /** Why it failed or is not known. */
  reason: z.optional(z.string()),
});
export type LedgerItem = Readonly<z.infer<typeof ledgerItem>>;
