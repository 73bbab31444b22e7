import * as l10n from '@vscode/l10n';
import { type AgentMark, agentMark } from '../../domain/agentGrant';
import type { JsonObject } from '../../domain/json';
import type { Money } from '../../domain/money';
import type { RawResponse } from '../../domain/response';
import type { RunRecord } from '../../domain/runRecord';
import type { ActivityPart, UnresolvedRun } from '../../protocol/usage';
import { type ActivityEntry, type ReadActivity, readingActivity } from '../../readers/activity';
import { entryCharge } from '../../runs/receipts/findReceipts';
import { proposeReceipts } from '../../runs/receipts/proposeReceipts';
import type { BillingQuery, ServiceClient } from '../../service/client';
import { Turns } from '../../service/turns';
import type { Services } from '../../services';
import { inputText } from '../../wording/inputText';
import { runStateText } from '../../wording/runStates';
import { keepReceipts, matchReceipt } from './receipts';
import { askOutcome, chargeRequest, type UnresolvedRequest, unresolvedRequests } from './unresolvedRequests';

/** Of an input: enough to tell one run from another. */
const INPUT_LENGTH = 40;

/** More unresolved runs than these are not useful to show at once. */
const MOST_UNRESOLVED = 20;

/** A run of the history, or a request of a job. */
type Unresolved =
  | { readonly id: string; readonly run: RunRecord; readonly request?: undefined }
  | { readonly id: string; readonly run?: undefined; readonly request: UnresolvedRequest };

type Proposal = Unresolved & {
  /** The estimate that counts against the budget. */
  readonly reserved?: Money;
  readonly entry?: ActivityEntry;
};

function entryKey({ ids, at, money }: ActivityEntry): string {
  return ids[0] ?? `${at} ${money?.amount}`;
}

function shownRun({ id, run, request, reserved, entry }: Proposal): UnresolvedRun {
  const charge = entry && entryCharge(entry);
  const agent = run ? run.agent : agentOfJob(request.job.head);
  return {
    historyId: id,
    ...(run
      ? {
          at: run.sentAt ?? run.startedAt,
          model: run.modelName,
          state: runStateText(run.state),
          input: inputText(run.draft.input, INPUT_LENGTH),
        }
      : {
          input: '',
          at: request.request.sentAt,
          model: request.modelName,
          job: request.label,
          state: runStateText('unknown'),
        }),
    agent,
    ...(reserved && reserved.amount !== '0' && { reserved }),
    ...(entry?.at !== undefined &&
      charge && { proposal: { at: entry.at, money: charge, ...(entry.ids[0] && { id: entry.ids[0] }) } }),
  };
}

function agentOfJob(head: JsonObject | undefined): AgentMark | undefined {
  return agentMark.safeParse(head?.agent).data;
}

function searched({ model, modelName, request: { sentAt, finishedAt = sentAt } }: UnresolvedRequest) {
  return { draft: { model }, modelName, startedAt: sentAt, sentAt, finishedAt };
}

/** The activity pages loaded so far; costs of runs are stored in the history. */
export class ActivityPages {
  entries: readonly ActivityEntry[] = [];
  #next: string | undefined;
  /** Why loading ended although the list is incomplete. */
  #end: string | undefined;
  /** Items so far that could not be read. */
  #leftOut = 0;
  #understood = true;
  /** Of the service of the activity. */
  #baseUrl = '';
  readonly #asked = new Set<string>();
  /** Proposals that the user has declined: a run and an entry. */
  readonly #declined = new Set<string>();

  constructor(private readonly services: Services) {}

  async first(client: ServiceClient, query: BillingQuery, signal: AbortSignal): Promise<RawResponse> {
    const raw = await client.activity(query, { signal });
    this.entries = [];
    this.#leftOut = 0;
    this.#asked.clear();
    await this.#take(client, raw);
    return raw;
  }

  /** Undefined when there is no further page. */
  async next(client: ServiceClient, signal: AbortSignal): Promise<RawResponse | undefined> {
    const next = this.#next;
    if (next === undefined) return undefined;
    const raw = await client.activity({ next }, { signal });
    this.#asked.add(next);
    await this.#take(client, raw);
    return raw;
  }

  async shown(): Promise<ActivityPart> {
    if (!this.#understood) return { state: 'notUnderstood' };
    const known = await this.#knownRuns();
    const leftOut =
      this.#leftOut > 0 &&
      l10n.t('{0} entries could not be read. They are in the raw response.', this.#leftOut);
    const incomplete = [leftOut, this.#end].filter(Boolean).join(' ');
    return {
      state: 'ready',
      entries: this.entries.map((one) => {
        const { raw: _raw, ids, ...entry } = one;
        const run = known.inHistory(one);
        const agent = known.agentOf(one);
        const isUnexplained = !known.isExplained(one) && entryCharge(one) !== undefined;
        return {
          ...entry,
          id: ids[0],
          ...(run && { historyId: run.id }),
          agent,
          ...(isUnexplained && { isUnexplained }),
        };
      }),
      unresolved: (await this.#proposals()).map(shownRun),
      more: this.#next !== undefined,
      ...(incomplete !== '' && { incomplete }),
    };
  }

  /** Takes the user's answer to the proposal for a run. */
  async match(historyId: string, isThisRun: boolean): Promise<void> {
    const proposal = (await this.#proposals()).find(({ id }) => id === historyId);
    if (!proposal?.entry) return;
    if (!isThisRun) this.#declined.add(`${historyId} ${entryKey(proposal.entry)}`);
    else if (proposal.run) await matchReceipt(this.services, proposal.run, proposal.entry);
    else await chargeRequest(this.services, proposal.request, proposal.entry);
  }

  /** Asks the user for the outcome of a job's request. False: it is a run of the history. */
  async setOutcomeOfRequest(id: string): Promise<boolean> {
    const requests = await unresolvedRequests(this.services, this.#baseUrl, MOST_UNRESOLVED);
    const request = requests.find((one) => one.id === id);
    if (request) await askOutcome(this.services, request);
    return request !== undefined;
  }

  /** Which runs of this machine explain an entry. */
  async #knownRuns() {
    const [history, jobRuns] = [await this.services.history(), await this.services.jobRuns()];
    const inHistory = ({ ids }: ActivityEntry) =>
      ids.map((id) => history.withRunId(this.#baseUrl, id)).find((run) => run !== undefined);
    const { pastJobs } = await this.services.store();
    const headOf = ({ ids }: ActivityEntry) =>
      ids.map((id) => pastJobs.headOfRun(this.#baseUrl, id)).find((head) => head !== undefined);
    const isOfJob = (entry: ActivityEntry) =>
      headOf(entry) !== undefined ||
      entry.ids.some((id) => jobRuns.withRunId(this.#baseUrl, id) !== undefined);
    return {
      inHistory,
      agentOf: (entry: ActivityEntry) => inHistory(entry)?.agent ?? agentOfJob(headOf(entry)),
      isExplained: (entry: ActivityEntry) => !!inHistory(entry) || isOfJob(entry),
    };
  }

  /** The runs of unknown outcome or cost, each with the likeliest charge; a charge is proposed for one run only. */
  async #proposals(): Promise<readonly Proposal[]> {
    const [history, known] = [await this.services.history(), await this.#knownRuns()];
    const { spending } = await this.services.store();
    const taken = new Set<ActivityEntry>();
    const requests = await unresolvedRequests(this.services, this.#baseUrl, MOST_UNRESOLVED);
    const unresolved: Unresolved[] = [
      ...history.runs.unresolved(this.#baseUrl, MOST_UNRESOLVED).map((run) => ({ id: run.id, run })),
      ...requests.map((request) => ({ id: request.id, request })),
    ];
    const proposals = unresolved.map((one): Proposal => {
      const [entry] = proposeReceipts(
        one.run ?? searched(one.request),
        this.entries,
        (other) =>
          taken.has(other) || this.#declined.has(`${one.id} ${entryKey(other)}`) || known.isExplained(other),
      );
      if (entry) taken.add(entry);
      const id = one.run ? one.run.id : one.request.jobRunId;
      const { amount, cost } = spending.reserve(this.#baseUrl, id) ?? {};
      const isReserved = amount !== undefined && cost === undefined;
      return { ...one, reserved: isReserved ? amount : undefined, entry };
    });
    return [...proposals.filter(({ entry }) => entry), ...proposals.filter(({ entry }) => !entry)];
  }

  async #take(client: ServiceClient, raw: RawResponse): Promise<void> {
    const read = await new Turns().through(readingActivity(raw.json, raw.headers));
    this.#baseUrl = client.baseUrl;
    this.#understood = read !== undefined || this.entries.length > 0;
    this.entries = [...this.entries, ...(read?.entries ?? [])];
    this.#next = read?.next;
    if (read) this.#leftOut += read.notUnderstood;
    this.#end = incompleteReason(read, this.entries.length + this.#leftOut);
    if (this.#next !== undefined && this.#asked.has(this.#next)) {
      this.#next = undefined;
      this.#end = l10n.t('The activity’s pages repeat, so loading stopped.');
    }
    await keepReceipts(this.services, read?.entries ?? [], client.baseUrl);
  }
}

/** @param received entries on all pages so far */
function incompleteReason(read: ReadActivity | undefined, received: number): string | undefined {
  if (!read) return l10n.t('The next page could not be read. It is in the raw response.');
  const { goesOn, next, total } = read;
  if (next === undefined && total !== undefined && total > received)
    return l10n.t(
      'There are {0} entries, but the service sent {1} and no address for the others.',
      total,
      received,
    );
  return goesOn ? l10n.t('There are more entries, but the service gives no address for them.') : undefined;
}
