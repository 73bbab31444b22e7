import type { RunRequest } from '../contract/runRequest';
import type { CallOptions, RunAnswer, RunPhase } from './client';
import { type Clock, sleep } from './clock';
import { ServiceError } from './errors';
import type { Exchange } from './exchange';
import { readRunAnswer } from './reading/run';
import { runBody } from './requests';
import { readRetryAdvice } from './retryAfter';

export interface RunOptions extends CallOptions {
  /** Give up waiting after; 0 or undefined: never. */
  readonly timeoutMs?: number;
  readonly onPhase?: (phase: RunPhase) => void;
}

interface Parts {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/** POST /api/runs, and the asking after it if the answer itself names where. */
export async function run(parts: Parts, request: RunRequest, options: RunOptions): Promise<RunAnswer> {
  const body = runBody(request);
  const url = new URL(`${parts.baseUrl}/api/runs`);
  return await withDeadline(parts.clock, options, async (deadline) => {
    const raw = await parts.exchange.send({
      kind: 'run',
      method: 'POST',
      url,
      label: 'POST /api/runs',
      headers: { 'content-type': 'application/json' },
      body: () => body,
      signal: options.signal,
      deadline,
      onWaiting: () => options.onPhase?.('waiting'),
      // A connection that carried nothing may be tried again: the phase may go back to `sending`.
      onSending: () => options.onPhase?.('sending'),
      onSent: () => options.onPhase?.('running'),
      onAnswering: () => options.onPhase?.('reading'),
      // "See other" at the same origin is a way to say "accepted, ask there".
      accepts: (status, location) =>
        status === 303 &&
        location !== undefined &&
        URL.canParse(location, url.href) &&
        new URL(location, url).origin === url.origin,
    });
    const answer = readRunAnswer(raw, url);
    return answer.followUrl === undefined ? answer : await follow(parts, answer, { ...options, deadline });
  });
}

/** Asks once more, and on, for a run that was accepted. Same origin only. */
export async function followRun(parts: Parts, answer: RunAnswer, options: RunOptions): Promise<RunAnswer> {
  if (answer.followUrl === undefined) return answer;
  return await withDeadline(parts.clock, options, (deadline) =>
    follow(parts, answer, { ...options, deadline }),
  );
}

const FIRST_ASKING_MS = 500;
const LONGEST_BETWEEN_MS = 15_000;
const LONGEST_ASKED_WAIT_MS = 5 * 60_000;

/**
 * Asks where the answer said, ever more seldom, until the run is finished. Whatever keeps us from asking on (a
 * cancel, the time limit, an error), the run stays what it was: accepted, with its identifier.
 */
async function follow(
  { exchange, clock }: Parts,
  accepted: RunAnswer,
  options: RunOptions & { readonly deadline?: AbortSignal },
): Promise<RunAnswer> {
  const { signal, deadline } = options;
  const either = signal && deadline ? AbortSignal.any([signal, deadline]) : (signal ?? deadline);
  let latest = accepted;
  let wait = FIRST_ASKING_MS;
  options.onPhase?.('running');
  while (latest.followUrl !== undefined && latest.state === 'accepted') {
    const url = new URL(latest.followUrl);
    try {
      await sleep(clock, Math.max(wait, askedWaitMs(latest, clock)), either);
      const raw = await exchange.send({
        kind: 'read',
        method: 'GET',
        url,
        label: 'GET the accepted run',
        signal: either,
        // A run that was accepted may be asked for through a pause, like the run itself.
        patient: true,
      });
      const answer = readRunAnswer(raw, url);
      // An asking may answer without the address or the identifier: they hold on.
      latest = {
        ...answer,
        runId: answer.runId ?? latest.runId,
        cost: answer.cost ?? latest.cost,
        followUrl: answer.state === 'accepted' ? (answer.followUrl ?? latest.followUrl) : undefined,
      };
    } catch (error) {
      if (either?.aborted || error instanceof ServiceError) return latest;
      throw error;
    }
    wait = Math.min(LONGEST_BETWEEN_MS, wait * 1.5);
  }
  return latest;
}

/** As long as the answer asks to wait before the next asking, within reason. */
function askedWaitMs({ raw }: RunAnswer, clock: Clock): number {
  const { waitMs = 0 } =
    raw.headers['retry-after'] === undefined ? {} : (readRetryAdvice(raw.headers, clock.now()) ?? {});
  return Math.min(waitMs, LONGEST_ASKED_WAIT_MS);
}

async function withDeadline<T>(
  clock: Clock,
  { timeoutMs = 0 }: RunOptions,
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
