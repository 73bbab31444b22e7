import type { ErrorKind } from '../domain/failure';
import { logLine } from '../domain/logLine';
import { isLocalRef } from '../domain/media';
import { isVectorMode, requestFaults } from '../domain/requestFaults';
import type { AcceptedRun, RawResponse, RunResponse } from '../domain/response';
import type { RunRequest } from '../domain/run';
import { namedAddress } from '../intake/namedAddress';
import { readRunResponse } from '../readers/run';
import { eitherSignal } from './call';
import type { FollowOptions, SendOptions } from './client';
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
    if (response.state !== 'accepted' || addressOfAccepted(response) === undefined) return response;
    await options.onAccepted?.(response);
    return await follow(exchange, response, { ...options, deadline });
  });
}

function chargeIn(raw: RawResponse, asked: URL): ServiceError['charge'] {
  const { runId, cost } = readRunResponse(raw, asked);
  return { ...(runId !== undefined && { runId }), ...(cost && { cost }) };
}

/**
 * Asks for a run that was accepted before, at once and then as `run` does.
 * @throws ServiceError where no response came
 */
export async function followRun(
  exchange: Exchange,
  accepted: AcceptedRun,
  options: FollowOptions,
): Promise<RunResponse> {
  return await withDeadline(exchange.shared.clock, options, (deadline) =>
    follow(exchange, accepted, { ...options, deadline }),
  );
}

/** The address at which an accepted run is asked for; undefined: none is known. */
function addressOfAccepted({ followUrl }: AcceptedRun): URL | undefined {
  return followUrl === undefined ? undefined : new URL(followUrl);
}

const FIRST_POLL_MS = 500;
const LONGEST_POLL_INTERVAL_MS = 15_000;
const LONGEST_REQUESTED_WAIT_MS = 5 * 60_000;
/** A service of several machines may know a new run a little later than it has accepted it. */
const NEW_FOR_MS = 30_000;
/** Without a time limit, polls that get no response in this time end the wait. The run stays accepted. */
const LONGEST_SILENCE_MS = 10 * 60_000;
/** Failed polls that say nothing of the run. */
const PASSING: readonly ErrorKind[] = ['serviceFailing', 'unreachable', 'timedOut', 'rateLimited'];

/**
 * Polls where the response said, at growing intervals, until the run is finished. A poll that fails is no failed run:
 * only the user, the time limit, ten silent minutes without one, or the service's own "no" end it. Then the run stays
 * accepted, with its identifier and its address.
 */
async function follow(
  exchange: Exchange,
  accepted: RunResponse | AcceptedRun,
  options: FollowOptions & { readonly deadline?: AbortSignal },
): Promise<RunResponse> {
  const { baseUrl, clock } = exchange.shared;
  const signal = eitherSignal(options.signal, options.deadline);
  let latest = 'raw' in accepted ? accepted : undefined;
  let known: AcceptedRun = accepted;
  let wait = latest ? FIRST_POLL_MS : 0;
  let requested = latest ? requestedWaitMs(latest, clock) : 0;
  let silentMs = 0;
  let isNewUntil = clock.now() + NEW_FOR_MS;
  options.onPhase?.('running');
  for (;;) {
    const url = addressOfAccepted(known);
    if (url === undefined) throw new ServiceError('notFound');
    try {
      await sleep(clock, Math.max(wait, requested), signal);
      // Polling waits through a pause of any length, like the run itself, and has its own pace after a failure.
      const raw = await exchange.get(url, logLine`GET the accepted run`, signal, {
        patient: true,
        mostAttempts: 1,
      });
      const response = readRunResponse(raw, url, baseUrl);
      const isOpen = response.state === 'accepted';
      // A response may lack the URL or the identifier: the earlier ones stay valid.
      latest = {
        ...response,
        runId: response.runId ?? known.runId,
        cost: response.cost ?? known.cost,
        followUrl:
          isOpen || response.state === 'unclear' ? (response.followUrl ?? known.followUrl) : undefined,
        notFollowed: undefined,
      };
      if (!isOpen || options.once) return latest;
      if (latest.followUrl !== known.followUrl || latest.runId !== known.runId)
        await options.onAccepted?.(latest);
      known = latest;
      requested = requestedWaitMs(latest, clock);
      silentMs = isNewUntil = 0;
    } catch (error) {
      if (signal?.aborted) {
        if (latest) return latest;
        throw new ServiceError('cancelled', { cause: error });
      }
      if (!(error instanceof ServiceError)) throw error;
      silentMs += wait;
      requested = 0;
      const { kind, details } = error;
      const isSilentTooLong = options.deadline === undefined && silentMs >= LONGEST_SILENCE_MS;
      const isPassing = PASSING.includes(kind) && !isSilentTooLong;
      const mayBeNew = kind === 'notFound' && clock.now() < isNewUntil;
      if (options.once || !(isPassing || mayBeNew)) {
        if (!latest) throw error;
        return { ...latest, notFollowed: { reason: 'failed', failure: { kind, details } } };
      }
    }
    wait = Math.min(LONGEST_POLL_INTERVAL_MS, Math.max(FIRST_POLL_MS, wait * 1.5));
  }
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
