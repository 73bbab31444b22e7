import { randomUUID } from 'node:crypto';
import type { RunPhase, RunResponse, ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Guard } from './budget/guard';
import type { JobRuns } from './history/jobRuns';
import { sendAdmitted } from './outcome';
import type { JobRunOrder } from './runs';

export interface JobRunParts {
  /** The client of the active environment. */
  readonly client: () => Promise<ServiceClient>;
  readonly guard: Guard;
  readonly jobRuns: JobRuns;
}

/**
 * One run of a job: admitted by the budget, sent at most once, settled, and measured for estimates and receipts.
 * The job's own journal has what it was for. Throws what the client throws, and `budgetReached`.
 */
export async function performJobRun(parts: JobRunParts, order: JobRunOrder): Promise<RunResponse> {
  const { baseUrl, request, items, price } = order;
  const client = await parts.client();
  if (client.baseUrl !== baseUrl) {
    // A job belongs to one environment: it stops rather than follow the user into another.
    throw new ServiceError('notConnected', { why: { reason: 'otherEnvironment', baseUrl } });
  }
  const { model, mode = 'execute' } = request;
  const id = randomUUID();
  const admission = parts.guard.admit({ id, ofJob: true, baseUrl, model, mode, price, items });
  const startedAt = Date.now();
  const response = await sendAdmitted(admission, () => runUnlessGivenUp(client, order));
  const { state, runId, cost } = response;
  const times = { startedAt, sentAt: startedAt, finishedAt: Date.now() };
  await parts.jobRuns.put([{ id, baseUrl, draft: { model, mode }, items, ...times, state, runId, cost }]);
  return response;
}

/** Sends the run, unless `turn` gives it up before its bytes have left. */
async function runUnlessGivenUp(
  client: ServiceClient,
  { request, turn }: Pick<JobRunOrder, 'request' | 'turn'>,
): Promise<RunResponse> {
  if (!turn) return client.run(request, { bulk: true });
  const stop = new AbortController();
  let waits = true;
  const giveUp = () => {
    if (waits) stop.abort(turn.reason);
  };
  turn.addEventListener('abort', giveUp);
  if (turn.aborted) giveUp();
  try {
    // A 429 proves that it was not executed: then it waits again.
    const onPhase = (phase: RunPhase) => {
      waits = phase === 'waiting';
      if (turn.aborted) giveUp();
    };
    return await client.run(request, { signal: stop.signal, bulk: true, onPhase });
  } finally {
    turn.removeEventListener('abort', giveUp);
  }
}
