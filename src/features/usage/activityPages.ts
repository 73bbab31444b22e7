import * as l10n from '@vscode/l10n';
import type { ActivityPart, UsageQuery } from '../../protocol/usage';
import type { RawResponse, ServiceClient } from '../../service/client';
import { type ActivityEntry, type ReadActivity, readActivity } from '../../service/reading/activity';
import type { Services } from '../../services';
import { keepReceipts } from './receipts';

/** The activity pages loaded so far; costs of runs are stored in the history. */
export class ActivityPages {
  entries: readonly ActivityEntry[] = [];
  #next: string | undefined;
  /** Why loading ended although the list is incomplete. */
  #end: string | undefined;
  /** Items so far that could not be read. */
  #leftOut = 0;
  #understood = true;
  /** Of the service whose activity it is. */
  #baseUrl = '';
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
    const leftOut =
      this.#leftOut > 0 &&
      l10n.t('{0} entries could not be read. They are in the raw response.', this.#leftOut);
    const incomplete = [leftOut, this.#end].filter(Boolean).join(' ');
    return {
      state: 'ready',
      entries: this.entries.map(({ raw: _raw, ids, ...entry }) => {
        const run = ids
          .map((id) => history.withRunId(this.#baseUrl, id))
          .find((found) => found !== undefined);
        return { ...entry, id: ids[0], ...(run && { historyId: run.id }) };
      }),
      more: this.#next !== undefined,
      ...(incomplete !== '' && { incomplete }),
    };
  }

  async #take(client: ServiceClient, raw: RawResponse): Promise<void> {
    const read = readActivity(raw.json, raw.headers);
    this.#baseUrl = client.baseUrl;
    this.#understood = read !== undefined || this.entries.length > 0;
    this.entries = [...this.entries, ...(read?.entries ?? [])];
    this.#next = read?.next;
    if (read) this.#leftOut += read.notUnderstood;
    this.#end = endOf(read, this.entries.length + this.#leftOut);
    if (this.#next !== undefined && this.#asked.has(this.#next)) {
      this.#next = undefined;
      this.#end = l10n.t('The activity’s pages repeat, so loading stopped.');
    }
    await keepReceipts(this.services, read?.entries ?? [], client.baseUrl);
  }
}

/** @param came entries on all pages so far */
function endOf(read: ReadActivity | undefined, came: number): string | undefined {
  if (!read) return l10n.t('The next page could not be read. It is in the raw response.');
  const { goesOn, next, total } = read;
  if (next === undefined && total !== undefined && total > came)
    return l10n.t(
      'There are {0} entries, but the service sent {1} and no address for the others.',
      total,
      came,
    );
  return goesOn ? l10n.t('There are more entries, but the service gives no address for them.') : undefined;
}
