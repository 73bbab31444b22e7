import { randomUUID } from 'node:crypto';
import type { AgentMark } from '../domain/agentGrant';
import type { Environment } from '../domain/environment';
import type { RunResponse } from '../domain/response';
import type { JobRun } from '../domain/runRecord';
import type { RunPhase, ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { Store } from '../store/store';
import { sumIn } from './budget/account';
import type { Guard } from './budget/guard';
import type { JobRuns } from './history/jobRuns';
import { sendAdmitted } from './outcome';
import type { JobRunOrder } from './runs';

export interface JobRunParts {
  readonly client: (environment: Environment) => Promise<ServiceClient>;
  readonly guard: Guard;
  readonly jobRuns: JobRuns;
}

/** The id of a job's run, by which a request of the store finds it again. @param sentAt as the job recorded it */
export function jobRunId(firstItem: string, sentAt: number): string {
  return `${firstItem} ${sentAt}`;
}

/**
 * Notes the outcomes of a job's runs that came after the job: for the history and estimates, and for the amounts that
 * budgets and permissions have reserved.
 * @param keyOf see `JobKind.key`
 */
export function lateOutcomes<Item>(store: LateParts, keyOf: (item: Item) => string) {
  const { pastJobs, spending, jobRuns, agentGrants } = store;
  return async (
    { head, request, items: [first], sentAt }: LateRequest<Item>,
    { state, runId, cost }: RunResponse,
  ): Promise<void> => {
    const id = jobRunId(first === undefined ? '' : keyOf(first), sentAt);
    if (cost) {
      await pastJobs.charge(head, request, cost, runId);
      await spending.learn(head.baseUrl, id, cost);
      const call = head.agent && agentGrants.call(head.agent.call);
      if (call) await agentGrants.learn(call.id, sumIn(call.currency, pastJobs.costs(head.id)));
    }
    const run = jobRuns.get(id);
    if (run) await jobRuns.put([{ ...run, state, runId: runId ?? run.runId, cost: cost ?? run.cost }]);
  };
}

type LateParts = Pick<Store, 'pastJobs' | 'spending' | 'jobRuns' | 'agentGrants'>;

interface LateRequest<Item> {
  readonly head: { readonly id: string; readonly baseUrl: string; readonly agent?: AgentMark | undefined };
  /** Its number in its job. */
  readonly request: number;
  readonly items: readonly Item[];
  readonly sentAt: number;
}

/**
 * One run of a job: admitted by the budget, sent at most once, settled, and measured for estimates and receipts. The
 * job's own journal has its purpose. Throws the client's errors, and `budgetReached`.
 */
export async function performJobRun(parts: JobRunParts, order: JobRunOrder): Promise<RunResponse> {
  const { environment, request, items, price, agent } = order;
  const { baseUrl } = environment;
  const client = await parts.client(environment);
  const { model, mode = 'execute' } = request;
  const { id = randomUUID() } = order;
  const admission = parts.guard.admit({
    id,
    ofJob: true,
    baseUrl,
    model,
    mode,
    price,
    items,
    ...(agent && { agent }),
  });
  const startedAt = Date.now();
  let sentAt = startedAt;
  const onPhase = (phase: RunPhase) => {
    if (phase === 'sending') sentAt = Date.now();
    order.onPhase?.(phase);
  };
  const measured = async ({ state, runId, cost }: Pick<JobRun, 'state' | 'runId' | 'cost'>) => {
    const times = { startedAt, sentAt, finishedAt: Date.now() };
    await parts.jobRuns.put([{ id, baseUrl, draft: { model, mode }, items, ...times, state, runId, cost }]);
  };
  try {
    const send = (confirm: () => void) =>
      runUnlessGivenUp(client, { ...order, onPhase }, () => {
        if (order.mayLeave?.() === false) throw new ServiceError('cancelled');
        confirm();
      });
    const response = await sendAdmitted(admission, send, order.announce);
    // Not awaited: it reaches the disk with the outcome, which its job records next.
    void measured(response);
    return response;
  } catch (error) {
    // A receipt finds it by its identifier.
    if (error instanceof ServiceError && error.charge?.runId !== undefined)
      await measured({ state: 'failed', ...error.charge });
    throw error;
  }
}

/**
 * Sends the run, unless `turn` gives it up before its bytes have left or after the service has accepted it, or `abandon`
 * at any time.
 */
async function runUnlessGivenUp(
  client: ServiceClient,
  {
    request,
    turn,
    abandon,
    timeoutMs,
    onAccepted,
    onPhase: notePhase,
  }: Omit<JobRunOrder, 'environment' | 'items'>,
  onLeaving: () => void,
): Promise<RunResponse> {
  const stop = new AbortController();
  let waits = true;
  const giveUp = () => {
    if (abandon?.aborted || (waits && turn?.aborted)) stop.abort();
  };
  turn?.addEventListener('abort', giveUp);
  abandon?.addEventListener('abort', giveUp);
  giveUp();
  try {
    // A 429 proves that it was not executed: then it waits again.
    const onPhase = (phase: RunPhase) => {
      waits = phase === 'waiting';
      notePhase?.(phase);
      giveUp();
    };
    return await client.run(request, {
      signal: stop.signal,
      timeoutMs,
      bulk: true,
      onPhase,
      onLeaving,
      onAccepted: async (accepted) => {
        await onAccepted?.(accepted);
        // It is kept where its outcome is asked for: the next start does that too.
        waits = true;
        giveUp();
      },
    });
  } finally {
    turn?.removeEventListener('abort', giveUp);
    abandon?.removeEventListener('abort', giveUp);
  }
}
