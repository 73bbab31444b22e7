import * as vscode from 'vscode';
import type { ActivityPart, UsageQuery } from '../../protocol/usage';
import { runOf, runsByRunId } from '../../runs/receipts/findReceipts';
import type { RawResponse, ServiceClient } from '../../service/client';
import { type ActivityEntry, type ReadActivity, readActivity } from '../../service/reading/activity';
import type { Services } from '../../services';
import { keepReceipts, receiptPlaces } from './receipts';

/** The activity as far as it was asked for, page after page; what it says of runs goes into the history. */
export class ActivityPages {
  entries: readonly ActivityEntry[] = [];
  #next: string | undefined;
  /** Why there is nothing to ask for although the list is not complete. */
  #end: string | undefined;
  /** Items so far that are no entries. */
  #leftOut = 0;
  #understood = true;
  readonly #asked = new Set<string>();

  constructor(private readonly services: Services) {}

  async first(client: ServiceClient, query: UsageQuery, signal: AbortSignal): Promise<RawResponse> {
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
    const history = await this.services.history();
    const incomplete = [this.#leftOutText(), this.#end].filter(Boolean).join(' ');
    const byRunId = runsByRunId(history.runs, this.services.connection.active?.baseUrl ?? '');
    return {
      state: 'ready',
      entries: this.entries.map(({ raw: _raw, ids, ...entry }) => {
        const run = runOf({ ids, raw: undefined }, byRunId);
        return { ...entry, id: ids[0], ...(run && { historyId: run.id }) };
      }),
      more: this.#next !== undefined,
      ...(incomplete !== '' && { incomplete }),
    };
  }

  #leftOutText(): string | undefined {
    return this.#leftOut === 0
      ? undefined
      : vscode.l10n.t('{0} entries were not understood. The raw response has them.', this.#leftOut);
  }

  async #take(client: ServiceClient, raw: RawResponse): Promise<void> {
    const read = readActivity(raw.json, raw.headers);
    this.#understood = read !== undefined || this.entries.length > 0;
    this.entries = [...this.entries, ...(read?.entries ?? [])];
    this.#next = read?.next;
    if (read) this.#leftOut += read.notUnderstood;
    this.#end = endOf(read);
    if (this.#next !== undefined && this.#asked.has(this.#next)) {
      this.#next = undefined;
      this.#end = vscode.l10n.t('The pages of the activity go round in a circle; they end here.');
    }
    await keepReceipts(await receiptPlaces(this.services), read?.entries ?? [], client.baseUrl);
  }
}

function endOf(read: ReadActivity | undefined): string | undefined {
  if (!read) return vscode.l10n.t('The next page was not understood. The raw response has it.');
  return read.goesOn
    ? vscode.l10n.t('The service says that there is more, but names no address for it.')
    : undefined;
}
