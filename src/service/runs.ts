import { logLine } from '../domain/logLine';
import { isLocalRef } from '../domain/media';
import { isVectorMode, requestFaults } from '../domain/requestFaults';
import type { RawResponse, RunResponse } from '../domain/response';
import type { RunRequest } from '../domain/run';
import { namedAddress } from '../readers/addresses';
import { readRunResponse } from '../readers/run';
import { eitherSignal } from './call';
import type { SendOptions } from './client';
import { type Clock, sleep } from './clock';
import { ServiceError } from './errors';
import type { Exchange } from './exchange';
import { invalidRequest } from './failures';
import { readRetryAdvice } from './retryAfter';

/** POST /api/runs, then polling if the response names where. */
export async function run(
  exchange: Exchange,
  request: RunRequest,
  options: SendOptions,
): Promise<RunResponse> {
  const body = runBody(request);
  const url = exchange.url('/api/runs');
  const { baseUrl } = exchange.shared;
  return await withDeadline(exchange.shared.clock, options, async (deadline) => {
    const call: Parameters<Exchange['send']>[0] = {
      kind: 'run',
      method: 'POST',
      url,
      label: logLine`POST /api/runs`,
      bulk: options.bulk,
      headers: { 'content-type': 'application/json' },
      body: () => body,
      signal: options.signal,
      deadline,
      onWaiting: () => options.onPhase?.('waiting'),
      // A connection that carried no request may be retried: the phase may go back to `sending`.
      onSending: () => {
        options.onLeaving?.();
        options.onPhase?.('sending');
      },
      onSent: () => options.onPhase?.('running'),
      onAnswering: () => options.onPhase?.('reading'),
      // "See other" at the same origin is a way to respond "accepted, poll there".
      accepts: (status, location) =>
        status === 303 &&
        location !== undefined &&
        namedAddress(location, { asked: url, baseUrl }).url !== undefined,
    };
    const raw = await exchange.send(call).catch((error: unknown) => {
      if (error instanceof ServiceError && error.details.raw) error.charge = chargeIn(error.details.raw, url);
      throw error;
    });
    const response = readRunResponse(raw, url, baseUrl);
    return response.followUrl === undefined
      ? response
      : await follow(exchange, response, { ...options, deadline });
  });
}

function chargeIn(raw: RawResponse, asked: URL): ServiceError['charge'] {
  const { runId, cost } = readRunResponse(raw, asked);
  return { ...(runId !== undefined && { runId }), ...(cost && { cost }) };
}

/** Polls a run that was accepted. */
export async function followRun(
  exchange: Exchange,
  response: RunResponse,
  options: SendOptions,
): Promise<RunResponse> {
  if (response.followUrl === undefined) return response;
  return await withDeadline(exchange.shared.clock, options, (deadline) =>
    follow(exchange, response, { ...options, deadline }),
  );
}

const FIRST_POLL_MS = 500;
const LONGEST_POLL_INTERVAL_MS = 15_000;
const LONGEST_REQUESTED_WAIT_MS = 5 * 60_000;

/**
 * Polls where the response said, at growing intervals, until the run is finished. When polling ends early (a cancel,
 * the time limit, an error), the run stays accepted, with its identifier.
 */
async function follow(
  exchange: Exchange,
  accepted: RunResponse,
  options: SendOptions & { readonly deadline?: AbortSignal },
): Promise<RunResponse> {
  const { baseUrl, clock } = exchange.shared;
  const signal = eitherSignal(options.signal, options.deadline);
  let latest = accepted;
  let wait = FIRST_POLL_MS;
  options.onPhase?.('running');
  while (latest.followUrl !== undefined && latest.state === 'accepted') {
    const url = new URL(latest.followUrl);
    try {
      await sleep(clock, Math.max(wait, requestedWaitMs(latest, clock)), signal);
      // Polling waits through a pause of any length, like the run itself.
      const raw = await exchange.get(url, logLine`GET the accepted run`, signal, { patient: true });
      const response = readRunResponse(raw, url, baseUrl);
      // A response may lack the URL or the identifier: the earlier ones stay valid.
      latest = {
        ...response,
        runId: response.runId ?? latest.runId,
        cost: response.cost ?? latest.cost,
        followUrl: response.state === 'accepted' ? (response.followUrl ?? latest.followUrl) : undefined,
        notFollowed: undefined,
      };
    } catch (error) {
      if (signal?.aborted) return latest;
      if (!(error instanceof ServiceError)) throw error;
      const { kind, details } = error;
      return { ...latest, notFollowed: { reason: 'failed', failure: { kind, details } } };
    }
    wait = Math.min(LONGEST_POLL_INTERVAL_MS, wait * 1.5);
  }
  return latest;
}

/** The wait before the next poll that the response asks for, up to a limit. */
function requestedWaitMs({ raw }: RunResponse, clock: Clock): number {
  const { waitMs = 0 } =
    raw.headers['retry-after'] === undefined ? {} : (readRetryAdvice(raw.headers, clock.wallTime()) ?? {});
  return Math.min(waitMs, LONGEST_REQUESTED_WAIT_MS);
}

async function withDeadline<T>(
  clock: Clock,
  { timeoutMs = 0 }: SendOptions,
  work: (deadline: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (timeoutMs <= 0) return await work(undefined);
  const over = new AbortController();
  const waited = new AbortController();
  // `sleep` copes with limits longer than a timer can run.
  sleep(clock, timeoutMs, waited.signal).then(
    () => over.abort(),
    () => undefined,
  );
  try {
    return await work(over.signal);
  } finally {
    waited.abort();
  }
}

/**
 * The bytes of a run request. Types keep forbidden fields out of our own code; this also keeps out those from a cast,
 * a settings file or a command's argument. The checks against the model's contract come before.
 * @throws ServiceError `invalidRequest`, before anything is sent
 */
export function runBody(request: RunRequest): Uint8Array {
  const needsScope = request.mode !== undefined && isVectorMode(request.mode);
  const [first] = requestFaults(request, needsScope ? 'required' : 'optional');
  if (first !== undefined) throw invalidRequest({ reason: 'request', fault: first.fault });
  try {
    return new TextEncoder().encode(JSON.stringify(request, onlyJson));
  } catch (cause) {
    const fault = cause instanceof NotUploaded ? 'localFile' : 'notJson';
    throw invalidRequest({ reason: 'request', fault: { fault } }, cause);
  }
}

/** A media object still points at a file of this computer: its path must not leave. */
class NotUploaded extends Error {
  override readonly name = 'LocalFile';
}

/** Values that JSON.stringify would leave out or write as null must not change a request without notice. */
function onlyJson(key: string, value: unknown): unknown {
  if (key === 'media_ref' && typeof value === 'string' && isLocalRef(value)) throw new NotUploaded();
  const isNotFinite = typeof value === 'number' && !Number.isFinite(value);
  if (typeof value === 'function' || typeof value === 'symbol' || isNotFinite)
    throw new TypeError(`${String(value)} is not JSON`);
  return value;
}
