import * as l10n from '@vscode/l10n';
import type { AcceptedRun, RunResponse } from '../domain/response';
import type { RunRequest } from '../domain/run';
import { isAbort } from '../jobs/consequence';
import type { JobWork, RunOutcome } from '../jobs/jobWork';
import { type BatchMember, failedItems, readBatchOutcomes } from '../readers/batch';
import { jobRunId } from '../runs/jobRun';
import type { BulkThrottle } from '../service/client';
import { ServiceError } from '../service/errors';
import type { JobItem } from '../store/jobKind';
import { acceptedText } from '../wording/errors';
import { unclearText } from '../wording/runStates';
import type { IndexHead, IndexItem, JobFile } from './indexKind';
import { batchInput, type PayloadShape } from './payload';
import { readingProblem } from './plan';

/** A file at the time of its upload, or of reading where the request carries text. */
export interface TakenFile {
  /** Its reference is from an earlier upload, which the service may have deleted. */
  readonly reused?: boolean;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly mediaRef?: string;
  readonly text?: string;
}

/**
 * The surroundings that indexing needs. They throw only a ServiceError, an abort, or the reason why a file cannot be
 * read.
 */
export interface IndexPorts {
  /** Uploads a file, or finds the reference of its content; reads it where the request carries text. */
  take(file: JobFile, signal: AbortSignal): Promise<TakenFile>;
  /** A reference that was reused has been rejected: the next `take` uploads the file. */
  forget(file: JobFile): Promise<void>;
  /** One paid run: admitted by the budget, sent at most once. `turn` and `abandon` give it up as in `JobWork.run`. */
  /** @param id see `jobRunId` */
  run(
    request: RunRequest,
    items: number,
    turn: AbortSignal,
    abandon: AbortSignal,
    id: string,
    mayLeave: () => boolean,
    onAccepted: (accepted: AcceptedRun) => Promise<void>,
  ): Promise<RunResponse>;
  throttle?(): BulkThrottle | undefined;
  concurrency(): number;
  /** As the user set it; the model's own limit is in the payload's shape. */
  batchSize(): number;
}

type Item = JobItem<IndexItem>;

/** Files → uploads → batches → index runs of one model into one scope. */
export function indexWork(head: IndexHead, shape: PayloadShape, ports: IndexPorts): JobWork<IndexItem> {
  const { model, mode, scope, params } = head;
  return {
    async prepare(item, signal) {
      try {
        const { reused, ...fields } = await ports.take(item, signal);
        return { fields, ...(reused !== undefined && { reused }) };
      } catch (error) {
        if (error instanceof ServiceError || isAbort(error)) throw error;
        throw new Error(readingProblem(error), { cause: error });
      }
    },
    // The file may have changed since, and another job may have indexed its present content: it is read again. An
    // earlier upload of the same content is free.
    isReady: () => false,
    settled(items) {
      // A job of many texts would hold them all.
      for (const item of items) item.text = undefined;
    },
    ...(shape.carries === 'media' && { renew: (item: Item) => ports.forget(item) }),
    async run(batch, turn, abandon, sentAt, mayLeave, onAccepted) {
      const request = { model, mode, scope, input: batchInput(shape, batch), params };
      const id = jobRunId(batch[0]?.imageId ?? '', sentAt);
      return batchOutcome(
        await ports.run(request, batch.length, turn, abandon, id, mayLeave, onAccepted),
        batch,
      );
    },
    batchSize: () => (shape.list ? Math.min(ports.batchSize(), shape.maxItems) : 1),
    concurrency: () => ports.concurrency(),
    throttle: () => ports.throttle?.(),
    splitRejected: (batch, error) =>
      splitRejected(batch.map(memberOf), error).map((part) => part.map(({ item }) => item)),
    commonReason: (reason, { imageId, mediaRef = '' }) =>
      reason.replaceAll(imageId, '').replaceAll(mediaRef, ''),
  };
}

export function batchOutcome(response: RunResponse, batch: readonly Item[]): RunOutcome<IndexItem> {
  const { runId, cost } = response;
  const facts = { ...(runId !== undefined && { runId }), ...(cost && { cost }) };
  const failed = new Map<Item, string>();
  const unconfirmed = new Map<Item, string>();
  for (const [i, read] of readBatchOutcomes(response, batch.map(memberOf)).entries()) {
    const item = batch[i]!;
    if (read.outcome === 'failed') failed.set(item, read.reason ?? noReason());
    else if (read.outcome === 'unconfirmed') unconfirmed.set(item, unconfirmedReason(response));
  }
  const all = [failed, unconfirmed].find(({ size }) => size === batch.length);
  const outcome = all === undefined ? 'done' : all === failed ? 'failed' : 'unknown';
  const isKept = outcome === 'unknown' && response.state !== 'accepted';
  return { outcome, failed, unconfirmed, ...(isKept && { kept: response.raw }), ...facts };
}

const noReason = () => l10n.t('The run failed; the service gave no reason.');

function unconfirmedReason(response: RunResponse): string {
  if (response.state === 'accepted') return acceptedText(response);
  return response.state === 'unclear'
    ? unclearText()
    : l10n.t('The response does not say for certain whether this file was indexed.');
}

function memberOf(item: Item): BatchMember & { readonly item: Item } {
  return { imageId: item.imageId, mediaRef: item.mediaRef ?? '', item };
}

/**
 * Parts of a rejected batch that are sent next, so that a bad file ends up alone: each file that the service's
 * response points at by itself and the others together, else two halves.
 */
export function splitRejected<T extends BatchMember>(batch: readonly T[], error: unknown): readonly T[][] {
  const pointed = pointedAt(batch, error);
  if (pointed.size > 0 && pointed.size < batch.length) {
    const others = batch.filter((member) => !pointed.has(member));
    return [others, ...[...pointed].map((member) => [member])];
  }
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)].filter((part) => part.length > 0);
}

/** `/input/images/3`, `images[3]`, `images.3`, ["images",3], `image 3 of`: the last would be guessing, so only the first three. */
const PLACE =
  /\b[A-Za-z_]*(?:images|media|files|items|documents|texts|audios|videos)(?:\/|\[|\.|",)(\d{1,6})\b/gi;

/** Characters of an error's body. */
const LONGEST_ERROR = 20_000;

function pointedAt<T extends BatchMember>(batch: readonly T[], error: unknown): Set<T> {
  const { serviceMessage: message = '', raw } = error instanceof ServiceError ? error.details : {};
  const pointed = new Set<T>(failedItems(raw?.json, batch));
  const words = `${message} ${JSON.stringify(raw?.json ?? '').slice(0, LONGEST_ERROR)}`;
  for (const [, place] of words.matchAll(PLACE)) {
    const member = batch[Number(place)];
    if (member) pointed.add(member);
  }
  for (const member of batch)
    if (names(message, member.imageId) || names(message, member.mediaRef)) pointed.add(member);
  return pointed;
}

/** Whether the message names this id and not a longer one that contains it. */
function names(message: string, id: string): boolean {
  for (let at = message.indexOf(id); at >= 0; at = message.indexOf(id, at + 1)) {
    const around = `${message[at - 1] ?? ' '}${message[at + id.length] ?? ' '}`;
    if (!/[\w/-]/.test(around)) return true;
  }
  return false;
}
