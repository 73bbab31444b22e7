import { basename } from 'node:path';
import type { RequestOfJob } from '../../domain/pastJob';
import { isObject } from '../../domain/value';
import type { ActivityEntry } from '../../readers/activity';
import { jobRunId } from '../../runs/jobRun';
import { chargeOf } from '../../runs/receipts/findReceipts';
import type { Services } from '../../services';

/** A request of an experiment or an indexing job that may have been billed without a response. */
export interface UnresolvedRequest extends RequestOfJob {
  /** On the usage page. */
  readonly id: string;
  readonly modelName: string;
  readonly model: string;
  /** The job and its first item, for the user. */
  readonly label: string;
  /** The estimate that counts against the budget in this window. */
  readonly reserved?: string;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Requests of ended jobs of a service, newest first. */
export async function unresolvedRequests(
  services: Services,
  baseUrl: string,
  limit: number,
): Promise<readonly UnresolvedRequest[]> {
  const [{ pastJobs, experimentResults }, guard] = [await services.store(), await services.guard()];
  return pastJobs.unresolved(baseUrl, limit).flatMap((one): UnresolvedRequest[] => {
    const { job, request } = one;
    const { head } = job;
    const { firstItem = '', sentAt, number } = request;
    const results = textOf(head.results);
    const line = results === undefined ? undefined : experimentResults.recorded(results, firstItem)?.line;
    const run = line === undefined ? {} : factsOf(line);
    const model = run.model ?? textOf(head.model);
    if (model === undefined) return [];
    const item = run.item ?? basename(firstItem);
    const reserved = guard.reservedFor(jobRunId(firstItem, sentAt));
    return [
      {
        ...one,
        ...{ id: `${job.id} ${number}`, model, modelName: textOf(head.modelName) ?? model },
        label: [textOf(head.name) ?? textOf(head.scope) ?? job.kind, item].filter(Boolean).join(' · '),
        ...(reserved !== undefined && { reserved }),
      },
    ];
  });
}

/** The facts in an experiment run's line: its model, where its variation names one, and its input. */
function factsOf(line: string): { readonly model?: string; readonly item?: string } {
  const value: unknown = JSON.parse(line);
  if (!isObject(value)) return {};
  const model = isObject(value.variation) ? textOf(value.variation['/model']) : undefined;
  const item = textOf(value.item);
  return { ...(model !== undefined && { model }), ...(item !== undefined && { item }) };
}

/** The user has recognized an entry of the activity as the charge of such a request. */
export async function chargeRequest(
  services: Services,
  { job, request }: UnresolvedRequest,
  entry: ActivityEntry,
): Promise<void> {
  const cost = chargeOf(entry);
  if (!cost) return;
  const store = await services.store();
  const { firstItem = '', sentAt, number } = request;
  const { baseUrl, results } = job.head;
  (await services.guard()).resolve(
    { id: jobRunId(firstItem, sentAt), baseUrl: textOf(baseUrl) ?? '' },
    cost.amount,
  );
  await store.pastJobs.charge(job, number, cost, entry.ids[0]);
  const file = textOf(results);
  if (file === undefined) return;
  const { noteRecognizedCost } = await import('../../experiments/lateCosts');
  await noteRecognizedCost(store, file, { customId: firstItem, sentAt }, cost);
}
