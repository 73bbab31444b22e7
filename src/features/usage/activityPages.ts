import * as vscode from 'vscode';
import type { ActivityPart, UsageQuery } from '../../protocol/usage';
import { runOf, runsByRunId } from '../../runs/receipts';
import type { RawAnswer, ServiceClient } from '../../service/client';
import { type ActivityEntry, readActivity } from '../../service/reading/activity';
import type { Services } from '../../services';
import { keepReceipts, receiptPlaces } from './receipts';

/** The activity as far as it was asked for, page after page; what it says of runs goes into the history. */
export class ActivityPages {
  entries: readonly ActivityEntry[] = [];
  #next: string | undefined;
  #incomplete: string | undefined;
  #understood = true;
  readonly #asked = new Set<string>();

  constructor(private readonly services: Services) {}

  async first(client: ServiceClient, query: UsageQuery, signal: AbortSignal): Promise<RawAnswer> {
    const raw = await client.activity(query, { signal });
    this.entries = [];
    this.#asked.clear();
    await this.#take(client, raw);
    return raw;
  }

  /** Undefined when there is no further page. */
  async next(client: ServiceClient, signal: AbortSignal): Promise<RawAnswer | undefined> {
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
    const byRunId = runsByRunId(history.runs, this.services.connection.active?.baseUrl ?? '');
    return {
      state: 'ready',
      entries: this.entries.map(({ raw: _raw, ids, ...entry }) => {
        const run = runOf({ ids, raw: undefined }, byRunId);
        return { ...entry, id: ids[0], ...(run && { historyId: run.id }) };
      }),
      more: this.#next !== undefined,
      ...(this.#incomplete !== undefined && { incomplete: this.#incomplete }),
    };
  }

  async #take(client: ServiceClient, raw: RawAnswer): Promise<void> {
    const read = readActivity(raw.json, raw.headers);
    this.#understood = read !== undefined || this.entries.length > 0;
    this.entries = [...this.entries, ...(read?.entries ?? [])];
    this.#next = read?.next;
    this.#incomplete = read?.goesOn
      ? vscode.l10n.t('The service says that there is more, but names no address for it.')
      : undefined;
    if (this.#next !== undefined && this.#asked.has(this.#next)) {
      this.#next = undefined;
      this.#incomplete = vscode.l10n.t('The pages of the activity go round in a circle; they end here.');
    }
    await keepReceipts(await receiptPlaces(this.services), read?.entries ?? [], client.baseUrl);
  }
}
