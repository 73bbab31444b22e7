import type { RunResponse } from '../domain/response';
import { bodyContent } from '../intake/bodyContent';
import { readRunResponse } from '../readers/run';
import type { FollowOptions, ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { JobHead, JobKind } from '../store/jobKind';
import type { AcceptedRequest, Jobs } from '../store/jobs';
import { type RunOutcome, requestOutcome } from './jobWork';

/** How the requests of one kind of job that a service has accepted are asked for. */
export interface AcceptedParts<Head extends JobHead, Item, Payload> {
  readonly jobs: Jobs<Head, Item, Payload>;
  /** Missing: each is. */
  readonly isWanted?: (request: AcceptedRequest<Head, Item>) => boolean;
  /** Undefined: the service of the job cannot be asked now. */
  client(head: Head): Promise<Pick<ServiceClient, 'followRun'> | undefined>;
  read(response: RunResponse, request: AcceptedRequest<Head, Item>): RunOutcome<Item, Payload>;
  /** Notes the cost of a request: before its outcome, so that a kill between them leads to the same once more. */
  noteCost(request: AcceptedRequest<Head, Item>, response: RunResponse): Promise<void>;
  /** A request has its outcome, which is in the store. */
  readonly ended?: (request: AcceptedRequest<Head, Item>, response: RunResponse) => unknown;
}

/** The requests of a target, and of runs with these keys for any other: their results file may have had another name. */
export function requestsOf<Head extends JobHead, Item>(
  { kind }: { readonly kind: JobKind<Head, Item> },
  target: string,
  keys?: ReadonlySet<string>,
): (request: AcceptedRequest<Head, Item>) => boolean {
  return ({ head, items }) => kind.target(head) === target || items.some((item) => keys?.has(kind.key(item)));
}

/**
 * Reads responses again that were not understood when they came, by the present response mapping, and records their
 * outcomes, without a request.
 * @param target see `JobKind.target`; missing: of all
 * @returns how many have an outcome now
 */
export async function readKept<Head extends JobHead & { readonly baseUrl: string }, Item, Payload>(
  {
    jobs,
    isWanted = () => true,
    read,
    noteCost,
  }: Omit<AcceptedParts<Head, Item, Payload>, 'client' | 'ended'>,
  target?: string,
): Promise<number> {
  let count = 0;
  for (const request of jobs.keptRuns(target).filter(isWanted)) {
    const { status, contentType, bytes } = request.kept!;
    const { baseUrl } = request.head;
    const raw = { status, headers: {}, bytes, ...bodyContent(bytes, contentType) };
    const response = readRunResponse(raw, new URL(baseUrl), baseUrl);
    const outcome = read(response, request);
    if (outcome.outcome === 'unknown') continue;
    await noteCost(request, response);
    await jobs.answered(request.head, request.request, requestOutcome(outcome), outcome.payload, request);
    count++;
  }
  return count;
}

/**
 * Asks for the outcomes of requests that a service has accepted, in jobs that no process works on any more, and records
 * them. It is free of charge.
 * @param target see `JobKind.target`; missing: of all
 * @returns how many have no outcome yet
 */
export async function followAccepted<Head extends JobHead, Item, Payload>(
  {
    jobs,
    isWanted = () => true,
    client: clientOf,
    read,
    noteCost,
    ended,
  }: AcceptedParts<Head, Item, Payload>,
  target: string | undefined,
  options: FollowOptions,
): Promise<number> {
  const follow = async (request: AcceptedRequest<Head, Item>): Promise<number> => {
    const client = await clientOf(request.head);
    const response = await client?.followRun(request, options).catch((error: unknown) => {
      // It stays accepted: the next start asks again.
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    if (response === undefined || response.state === 'accepted') return 1;
    const outcome = read(response, request);
    if (outcome.outcome !== 'unknown' || request.kept === undefined) {
      await noteCost(request, response);
      await jobs.answered(request.head, request.request, requestOutcome(outcome), outcome.payload, request);
    }
    ended?.(request, response);
    return 0;
  };
  const open = await Promise.all(jobs.acceptedRuns(target).filter(isWanted).map(follow));
  return open.reduce((sum, one) => sum + one, 0);
}
