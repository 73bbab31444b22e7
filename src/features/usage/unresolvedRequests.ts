import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Money } from '../../domain/money';
import type { RequestOfJob } from '../../domain/pastJob';
import { isObject } from '../../domain/value';
import type { ActivityEntry } from '../../readers/activity';
import { jobRunId } from '../../runs/jobRun';
import { entryCharge } from '../../runs/receipts/findReceipts';
import type { Services } from '../../services';
import { showWarningMessage } from '../../vscode/messages/notifications';

/** A request of an experiment or an indexing job that may have been billed without a response. */
export interface UnresolvedRequest extends RequestOfJob {
  /** On the usage page. */
  readonly id: string;
  readonly modelName: string;
  readonly model: string;
  /** The job and its first item, for the user. */
  readonly label: string;
  /** By which the budget knows it. */
  readonly jobRunId: string;
}

const stringOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Requests of jobs of a service that ended or wait, newest first. */
export async function unresolvedRequests(
  services: Services,
  baseUrl: string,
  limit: number,
): Promise<readonly UnresolvedRequest[]> {
  const { pastJobs, experimentResults } = await services.store();
  return pastJobs.unresolved(baseUrl, limit).flatMap((one): UnresolvedRequest[] => {
    const { job, request } = one;
    const { head } = job;
    const { firstItem, number, sentAt } = request;
    const results = stringOrNone(head.results);
    const line = results === undefined ? undefined : experimentResults.recorded(results, firstItem)?.line;
    const run = line === undefined ? {} : lineFacts(line);
    const model = run.model ?? stringOrNone(head.model);
    if (model === undefined) return [];
    const item = run.item ?? basename(firstItem);
    return [
      {
        ...one,
        id: `${job.id} ${number}`,
        model,
        modelName: stringOrNone(head.modelName) ?? model,
        label: [stringOrNone(head.name) ?? stringOrNone(head.scope) ?? job.kind, item]
          .filter(Boolean)
          .join(' · '),
        jobRunId: jobRunId(firstItem, sentAt),
      },
    ];
  });
}

/** The facts in an experiment run's line: its model, where its variation names one, and its input. */
function lineFacts(line: string): { readonly model?: string; readonly item?: string } {
  const value: unknown = JSON.parse(line);
  if (!isObject(value)) return {};
  const model = isObject(value.variation) ? stringOrNone(value.variation['/model']) : undefined;
  const item = stringOrNone(value.item);
  return { model, item };
}

/** The user has recognized an entry of the activity as the charge of such a request. */
export async function chargeRequest(
  services: Services,
  request: UnresolvedRequest,
  entry: ActivityEntry,
): Promise<void> {
  const cost = entryCharge(entry);
  if (cost) await settleCost(services, request, cost, entry.ids[0]);
}

/** The user may have learned elsewhere that such a request was not billed. */
export async function askOutcome(services: Services, request: UnresolvedRequest): Promise<void> {
  const notBilled = l10n.t('Not Billed');
  const chosen = await showWarningMessage(
    l10n.t('Was this run not billed?'),
    {
      modal: true,
      detail: l10n.t(
        '{0}\n\nIts reserved estimate is then released. It stays unconfirmed in its experiment or scope, where you can run it again or keep it.',
        request.label,
      ),
    },
    notBilled,
  );
  if (chosen === notBilled) await settleCost(services, request, { amount: '0' }, undefined);
}

async function settleCost(
  services: Services,
  { job, request, jobRunId: id }: UnresolvedRequest,
  cost: Money,
  runId: string | undefined,
): Promise<void> {
  const store = await services.store();
  const { firstItem, sentAt, number } = request;
  const { baseUrl, results } = job.head;
  // Another window may have settled it meanwhile: the budget is corrected once.
  if (!(await store.pastJobs.charge(job, number, cost, runId))) return;
  (await services.guard()).resolve({ id, baseUrl: stringOrNone(baseUrl) ?? '' }, cost);
  const file = stringOrNone(results);
  if (file === undefined) return;
  const { noteRecognizedCost } = await import('../../experiments/results/lateCosts');
  await noteRecognizedCost(store, file, { customId: firstItem, sentAt }, cost);
}
