import type { RunRecord } from './runRecord';

type Timed = Pick<RunRecord, 'state' | 'startedAt' | 'sentAt' | 'finishedAt'>;

/**
 * Milliseconds from sending a run to its response, as every page, list and estimate shows it. Undefined without a
 * response: of a run that was not sent, is in progress or unconfirmed, or whose outcome was set later.
 */
export function durationOf({ state, sentAt, finishedAt }: Omit<Timed, 'startedAt'>): number | undefined {
  const hasResponse = state === 'finished' || state === 'failed' || state === 'unclear';
  if (!hasResponse || sentAt === undefined || finishedAt === undefined) return undefined;
  // The computer's clock may have been set back.
  return finishedAt < sentAt ? undefined : finishedAt - sentAt;
}

/** Less is not worth a figure: the files had been uploaded before. */
const SHORTEST_UPLOAD_MS = 100;

/** Milliseconds that a run's files took before it was sent; undefined without files to upload. */
export function uploadTimeOf({
  startedAt,
  sentAt,
  attachments,
}: Timed & Pick<RunRecord, 'attachments'>): number | undefined {
  if (sentAt === undefined || attachments.length === 0) return undefined;
  return sentAt - startedAt < SHORTEST_UPLOAD_MS ? undefined : sentAt - startedAt;
}
