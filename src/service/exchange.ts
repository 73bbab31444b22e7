import type { Environment } from '../domain/environment';
import type { ErrorKind } from '../domain/failure';
import { keyFault } from '../domain/keyFault';
import { type LogLine, loggedCode, logLine } from '../domain/logLine';
import type { RawResponse } from '../domain/response';
import { responseMappingOf } from '../domain/responseMapping';
import { namedAddress } from '../intake/namedAddress';
import { readError, readRequestId } from '../readers/error';
import { saysExecuted } from '../readers/executed';
import { type Call, eitherSignal, type ServiceLog } from './call';
import { notSent, withoutResponse } from './callFailure';
import { type Clock, sleep } from './clock';
import { ServiceError } from './errors';
import { causeText, rejected, unreadable } from './failures';
import { loggedRequestId } from './loggedRequestId';
import { isQuotaUsedUp } from './quota';
import { namesRetryTime, readRetryAdvice } from './retryAfter';
import type { OriginQueue, Pass } from './throttle/originQueue';
import { Throttle } from './throttle/throttle';
import { type Transport, TransportFailure } from './transport';

export interface ExchangeParts {
  readonly environment: Environment;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The only origin that the key goes to. */
  readonly origin: string;
  readonly apiKey: () => Promise<string | undefined>;
  readonly transport: Transport;
  readonly log: ServiceLog;
  readonly clock: Clock;
  readonly random?: () => number;
}

const MOST_ATTEMPTS = 3;
/** 429 is not a failure: it is retried, up to a limit. */
const MOST_RATE_LIMITED = 10;
const READ_SILENCE_MS = 60_000;
/** A response to read that drips in for longer than this is given up, since its caller would wait without end. */
const LONGEST_ANSWER_MS = 5 * 60_000;
const UPLOAD_SILENCE_MS = 5 * 60_000;
/** A catalog of 10,000 models with descriptions takes half of it. */
const MOST_READ_BYTES = 8 * 2 ** 20;
const MOST_RUN_BYTES = 512 * 2 ** 20;
/** A read that would wait longer than this fails, so that a view can show why. Uploads and runs wait for their turn. */
const LONGEST_READ_WAIT_MS = 60_000;
const MOST_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/**
 * Redirects which prove that a request was not carried out. 302 and 303 may lead to the new resource, or to the list of
 * all, whose path is that of the request.
 */
const NOT_EXECUTED: readonly number[] = [301, 307, 308];
/** Statuses after which a retry may succeed. */
const TRANSIENT: readonly number[] = [408, 500, 502, 503, 504];
/** Errors after which bulk work waits before it sends more. */
const TROUBLE: ReadonlySet<ErrorKind> = new Set([
  'unreachable',
  'serviceFailing',
  'timedOut',
  'outcomeUnknown',
]);

type SentBody = ReturnType<NonNullable<Call['body']>> | undefined;

type Attempt =
  | { readonly response: RawResponse }
  | { readonly response?: undefined; readonly error: ServiceError; readonly mayRepeat: boolean };

/** One call with everything that belongs to it: key, throttle, retries, redirects, errors, log. */
export class Exchange {
  readonly throttle: Throttle;
  constructor(private readonly parts: ExchangeParts) {
    this.throttle = new Throttle(parts.clock, parts.random);
  }

  /** Rejects waiting requests; those in flight end with their connection. */
  close(): void {
    this.throttle.close(new ServiceError('cancelled'));
  }

  /** The parts that the routes use: not the key. */
  get shared(): Pick<ExchangeParts, 'baseUrl' | 'clock' | 'log'> {
    return this.parts;
  }

  url(route: string): URL {
    return new URL(this.parts.baseUrl + route);
  }

  /** A GET that passes its response to the caller. */
  get(
    url: URL,
    label: LogLine,
    signal?: AbortSignal,
    options: Pick<Call, 'patient' | 'mostAttempts'> = {},
  ): Promise<RawResponse> {
    return this.send({ kind: 'read', method: 'GET', url, label, signal, ...options });
  }

  /** Sends a call, and retries it where that is safe. @throws ServiceError only */
  async send(call: Call): Promise<RawResponse> {
    try {
      return await this.#sendAndRepeat(call);
    } catch (error) {
      if (error instanceof ServiceError) error.environment ??= this.parts.environment;
      if (call.bulk && error instanceof ServiceError && TROUBLE.has(error.kind)) this.throttle.bulk.failed();
      throw error;
    }
  }

  async #sendAndRepeat(call: Call): Promise<RawResponse> {
    const { mostAttempts = MOST_ATTEMPTS } = call;
    let url = call.url;
    let failures = 0;
    let limited = 0;
    let redirects = 0;
    for (;;) {
      const queue = this.throttle.origin(url.origin);
      let attempt = await this.#attempt({ ...call, url }, queue);
      if (attempt.response !== undefined) {
        const { response } = attempt;
        const { status, headers } = response;
        if (isQuotaUsedUp(response)) throw this.#quotaUsedUp(queue, response);
        const retryAtMs = status === 429 ? this.#pause(queue, response, call, limited) : undefined;
        if (call.kind === 'run' && status >= 300 && status !== 303 && saysExecuted(response, url))
          throw new ServiceError('outcomeUnknown', rejected(response).details);
        if (status === 429) {
          if (++limited > MOST_RATE_LIMITED) throw rejected(response, retryAtMs);
          continue;
        }
        if (status < 300 || call.accepts?.(status, headers.location)) return response;
        if (status < 400) {
          url = redirectTarget(call, url, response, ++redirects, this.parts.baseUrl);
          continue;
        }
        const error = this.#rejection(call, queue, response);
        attempt = { error, mayRepeat: call.kind !== 'run' && TRANSIENT.includes(status) };
      }
      if (!attempt.mayRepeat || failures + 1 >= mostAttempts || !queue.takeRetry()) throw attempt.error;
      failures++;
      await this.#backOff(call, failures, attempt.error);
    }
  }

  async #attempt(call: Call, queue: OriginQueue): Promise<Attempt> {
    const { transport, clock, log } = this.parts;
    const run = call.kind === 'run';
    const signal = eitherSignal(call.signal, call.deadline);
    const { pass, key } = await this.#permission(call, queue, signal);
    const body = sentBody(call, pass);
    const tooLong = new AbortController();
    const isShort = !run && (body === undefined || body instanceof Uint8Array);
    const stopTimer = isShort ? clock.after(LONGEST_ANSWER_MS, () => tooLong.abort()) : () => {};
    const started = clock.now();
    try {
      const response = await transport.send({
        method: call.method,
        url: call.url,
        headers: {
          accept: 'application/json',
          // Some gateways compress responses against the requested encoding, and some of these cannot be decoded.
          'accept-encoding': 'identity',
          ...call.headers,
          ...(key === undefined ? {} : { 'x-api-key': key }),
        },
        body,
        signal: eitherSignal(signal, tooLong.signal),
        silenceMs: run ? 0 : call.kind === 'upload' ? UPLOAD_SILENCE_MS : READ_SILENCE_MS,
        maxBytes: run ? MOST_RUN_BYTES : MOST_READ_BYTES,
        freshConnection: run,
        secret: key,
        signatures: call.signatures,
        onSending: call.onSending,
        onSent: call.onSent,
        onAnswering: call.onAnswering,
      });
      this.#account(call, pass, response, clock.now() - started, body);
      return { response };
    } catch (failure) {
      pass.failed();
      const error =
        tooLong.signal.aborted && !signal?.aborted
          ? new ServiceError('timedOut', { cause: failure })
          : withoutResponse(call, failure);
      const reason = failure instanceof TransportFailure ? failure.reason : 'network';
      const took = Math.round(clock.now() - started);
      log.warn(logLine`${call.label}: ${reason}${loggedCode(failure)} (${took} ms)`);
      const transient = reason === 'network' || reason === 'silent';
      const left = !(failure instanceof TransportFailure) || failure.mayHaveLeft;
      return { error, mayRepeat: transient && (!run || !left) };
    } finally {
      stopTimer();
    }
  }

  /** Log and pace. A received response stays one, even if its headers are wrong. */
  #account(call: Call, pass: Pass, response: RawResponse, ms: number, body: SentBody): void {
    const { log, origin } = this.parts;
    try {
      const requestId = loggedRequestId(readRequestId(response), call.url, body);
      const took = logLine`${Math.round(ms)} ms`;
      const line = logLine`${call.label}: ${response.status}, ${response.bytes.length} bytes, ${took}${requestId}`;
      // A call that may have cost money is in the log at the default level.
      if (call.kind === 'run') log.info(line);
      else log.debug(line);
      // Before the response lets the next ones through.
      if (call.url.origin === origin) this.#stopWaiting(call, response);
      if (response.status === 429) pass.failed();
      else this.#release(call, pass, response);
    } catch (error) {
      pass.failed();
      log.warn(
        logLine`${call.label}: the response was received, but not all of it was understood${loggedCode(error)}`,
      );
    }
  }

  /** Waits for the throttle, then looks up the key. */
  async #permission(
    call: Call,
    queue: OriginQueue,
    signal: AbortSignal | undefined,
  ): Promise<{ pass: Pass; key: string | undefined }> {
    for (;;) {
      const entered = queue.enter({
        kind: call.kind,
        signal,
        longestWaitMs:
          call.kind === 'read' && !call.patient ? LONGEST_READ_WAIT_MS : Number.POSITIVE_INFINITY,
        tooLong: (retryAtMs, reason) =>
          reason === 'unavailable'
            ? new ServiceError('serviceFailing', { status: 503, retryAtMs })
            : new ServiceError('rateLimited', { retryAtMs }),
        onWait: call.onWaiting,
      });
      const pass = await entered.catch((reason: unknown) => {
        throw notSent(call, reason);
      });
      try {
        const key = call.withoutKey ? undefined : await this.#key(call.url);
        if (!queue.isPaused) return { pass, key };
      } catch (reason) {
        pass.failed();
        throw reason instanceof ServiceError ? reason : notSent(call, reason);
      }
      // A 429 came while the key was looked up: the request waits with the others.
      pass.failed();
    }
  }

  #release(call: Call, pass: Pass, { status, headers }: RawResponse): void {
    const isHealthy = status < 500;
    if (isHealthy && call.bulk) this.throttle.bulk.succeeded();
    pass.responded(isHealthy, headers);
  }

  /** The key goes only to its own origin, for any address that a caller or a service names. */
  async #key(url: URL): Promise<string | undefined> {
    if (url.origin !== this.parts.origin) return undefined;
    let key: string | undefined;
    try {
      key = await this.parts.apiKey();
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      throw new ServiceError('notConnected', {
        why: { reason: 'keyUnreadable', cause: causeText(cause) },
        cause,
      });
    }
    if (key === undefined || key === '') throw new ServiceError('notConnected');
    const fault = keyFault(key);
    if (fault) throw new ServiceError('badKey', { why: { reason: 'keyFault', fault } });
    return key;
  }

  /** An error response. For a run, a failing gateway proves nothing: the run behind it may have gone on. */
  #rejection(call: Call, queue: OriginQueue, response: RawResponse): ServiceError {
    const error = rejected(response);
    const { status } = response;
    if (status === 503 && namesRetryTime(response.headers)) this.#pause(queue, response, call, 0);
    const { notExecuted } = responseMappingOf(this.parts.baseUrl)?.run ?? {};
    if (call.kind === 'run' && notExecuted?.includes(status))
      return new ServiceError(error.kind, { ...error.details, notExecuted: true });
    if (call.kind === 'run' && provesNothing(status))
      return new ServiceError('outcomeUnknown', error.details);
    return error;
  }

  /** A rejected key or an empty wallet would also reject the waiting requests, so they fail now. */
  #stopWaiting(call: Call, response: RawResponse): void {
    const { status } = response;
    const queue = this.throttle.origin(call.url.origin);
    if (status === 401) queue.stopWaiting(rejected(response), ['read', 'upload', 'run']);
    else if (call.kind !== 'read' && (status === 402 || status === 403))
      queue.stopWaiting(rejected(response), ['upload', 'run']);
  }

  /** Waiting requests would also be rejected. */
  #quotaUsedUp(queue: OriginQueue, response: RawResponse): ServiceError {
    const { details } = rejected(response);
    const error = new ServiceError('cannotPay', { ...details, why: { reason: 'quotaUsedUp' } });
    queue.stopWaiting(error, ['upload', 'run']);
    return error;
  }

  #pause(queue: OriginQueue, response: RawResponse, call: Call, limitedBefore: number): number {
    const { clock, log } = this.parts;
    const advice = readRetryAdvice(response.headers, clock.wallTime());
    // With nothing named, or a time that is over already, each 429 in a row doubles the wait.
    const least = Math.min(60_000, 1_000 * 2 ** limitedBefore);
    const waitMs = advice === undefined || advice.waitMs === 0 ? least : advice.waitMs;
    const reason = response.status === 429 ? 'rateLimit' : 'unavailable';
    queue.pause(waitMs, advice?.cappedFromMs, reason, readError(response).serviceMessage);
    const capped =
      advice?.cappedFromMs === undefined
        ? logLine``
        : logLine`; the service named ${Math.round(advice.cappedFromMs / 1000)} s, which is over the limit`;
    log.warn(
      logLine`${call.label}: ${response.status}, everything pauses for ${Math.ceil(waitMs / 1000)} s${capped}`,
    );
    return clock.wallTime() + waitMs;
  }

  async #backOff(call: Call, failures: number, error: ServiceError): Promise<void> {
    const { clock, log, random = Math.random } = this.parts;
    const ms = Math.round(300 * 3 ** (failures - 1) * (0.5 + random()));
    log.info(logLine`${call.label}: retry in ${ms} ms (attempt ${failures + 1}), because: ${error.kind}`);
    try {
      await sleep(clock, ms, eitherSignal(call.signal, call.deadline));
    } catch (reason) {
      throw notSent(call, reason);
    }
  }
}

/**
 * Where a redirect leads. A GET is followed to any address of the service, another request only to its own path with
 * or without a trailing slash: neither key nor body is sent to another address of a response's choice. A run is sent
 * again only where the status proves that it was not executed.
 */
function redirectTarget(
  call: Call,
  from: URL,
  response: RawResponse,
  redirects: number,
  baseUrl: string,
): URL {
  const { status, headers } = response;
  const location = headers.location ?? '';
  const { url, refused } = namedAddress(location, { asked: from, baseUrl });
  const isSamePath =
    url !== undefined &&
    from.origin === url.origin &&
    withoutSlash(url.pathname) === withoutSlash(from.pathname);
  const isFollowed = REDIRECTS.includes(status) && url !== undefined && url.href !== from.href;
  if (isFollowed && call.method === 'GET' && redirects <= MOST_REDIRECTS) return url;
  const proven = NOT_EXECUTED.includes(status);
  const mayRepeat = proven || (status === 302 && call.kind !== 'run');
  if (isFollowed && call.method !== 'GET' && mayRepeat && isSamePath && redirects <= 1) return url;
  // As the service wrote it: `url` may be at the base URL instead.
  const named = url && new URL(location, from);
  const target = location === '' ? undefined : (refused?.address ?? (named && named.origin + named.pathname));
  if (call.kind !== 'run') throw unreadable({ reason: 'redirect', target }, response);
  const { details } = unreadable(
    { reason: 'redirect', target, ...(proven && { isNotExecuted: true }) },
    response,
  );
  throw new ServiceError(proven ? 'unreachable' : 'outcomeUnknown', details);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Making the body failed before any byte left. */
function sentBody(call: Call, pass: Pass): SentBody {
  try {
    return call.body?.();
  } catch (error) {
    pass.failed();
    throw error;
  }
}

/**
 * Whether a run may have been executed. 424 reports an error of the model, 499 a request that a proxy or
 * the service cancelled, maybe late.
 */
function provesNothing(status: number): boolean {
  return status >= 499 || status === 408 || status === 424;
}
