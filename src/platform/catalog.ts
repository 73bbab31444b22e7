import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ModelContract, ModelSummary } from '../domain/model';
import type { CatalogPage, RawResponse } from '../service/client';
import { ServiceError } from '../service/errors';
import { incompleteText } from '../wording/errors';
import type { Connection } from './connection';
import { DisposableStore } from './disposables';

/** Something the user has to know about the list: what it lacks, or what of it was not understood. */
interface CatalogNote {
  readonly message: string;
  /** The response it is about, unchanged. */
  readonly response?: RawResponse;
}

/** Minimum time between two updates while a long list is loading. */
const REPAINT_MS = 150;

/** The models of the active environment: listed page after page, their details cached in memory and on disk. */
export class Catalog implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #models: readonly ModelSummary[] | undefined;
  #notes: readonly CatalogNote[] = [];
  #listing: Promise<readonly ModelSummary[]> | undefined;
  /** Aborted and replaced when the connection changes, which invalidates what was listed before. */
  #era = new AbortController();
  #contracts = new Map<string, ModelContract>();

  constructor(
    private readonly connection: Connection,
    private readonly storage: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#store.add(connection.onDidChange(() => this.#forget()));
    this.#store.add({ dispose: () => this.#era.abort() });
  }

  /** What has been listed so far; undefined before the first listing. */
  get models(): readonly ModelSummary[] | undefined {
    return this.#models;
  }

  /** About the last listing; empty when all of it was understood. */
  get notes(): readonly CatalogNote[] {
    return this.#notes;
  }

  /** Lists again, page after page; resolves when all pages are in. */
  refresh(): Promise<readonly ModelSummary[]> {
    // The tree, a picker and the Refresh command may ask at the same time: one listing serves all.
    this.#listing ??= this.#listUntilSettled().finally(() => {
      this.#listing = undefined;
      this.#changed.fire();
    });
    return this.#listing;
  }

  /** The detail of one model: cached per environment; `fresh` requests it from the service again. */
  async contract(
    slug: string,
    options: { fresh?: boolean; signal?: AbortSignal } = {},
  ): Promise<ModelContract> {
    const known = this.#contracts.get(slug);
    if (known && !options.fresh) return known;
    const client = await this.connection.client();
    const told = await client.getModel(slug, options.signal ? { signal: options.signal } : {});
    // A detail may leave out the name that the list has: a model is called the same everywhere.
    const listed = this.#models?.find((model) => model.slug === slug);
    const contract = listed && told.name === told.slug ? { ...told, name: listed.name } : told;
    this.#contracts.set(slug, contract);
    await this.#write(client.baseUrl, slug, contract);
    return contract;
  }

  /** The detail as it was last read, also before a restart, without a request: for a first paint. */
  async cachedContract(slug: string): Promise<ModelContract | undefined> {
    const known = this.#contracts.get(slug);
    const baseUrl = this.connection.active?.baseUrl;
    if (known || baseUrl === undefined) return known;
    try {
      const bytes = await vscode.workspace.fs.readFile(this.#file(baseUrl, slug));
      // Written by #write below from what the reader made; a newer version of it is asked for at once anyway.
      return JSON.parse(new TextDecoder().decode(bytes)) as ModelContract;
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Lists the models; starts over when the connection changes meanwhile. */
  async #listUntilSettled(): Promise<readonly ModelSummary[]> {
    for (;;) {
      const era = this.#era;
      try {
        const models = await this.#list(era.signal);
        if (era === this.#era) return models;
      } catch (error) {
        if (era === this.#era) throw error;
      }
    }
  }

  async #list(signal: AbortSignal): Promise<readonly ModelSummary[]> {
    const client = await this.connection.client();
    const models = new Map<string, ModelSummary>();
    let painted = Date.now();
    let unrecognised: RawResponse | undefined;
    const notes: CatalogNote[] = [];
    for await (const page of client.listModels({ signal })) {
      if (signal.aborted) break;
      // Of many pages that are alike in this, one is enough to see what they are like.
      if (page.unrecognised && !unrecognised) {
        unrecognised = page.unrecognised;
        notes.push({ message: notUnderstood(page), response: page.unrecognised });
      }
      if (page.incomplete !== undefined) notes.push({ message: incompleteText(page.incomplete) });
      for (const model of page.models) models.set(model.slug, model);
      if (Date.now() - painted > REPAINT_MS) {
        painted = Date.now();
        this.#models = [...models.values()];
        this.#changed.fire();
      }
    }
    const all = [...models.values()];
    if (signal.aborted) return all;
    for (const { message, response } of notes) this.log.warn(`Catalog: ${message}${excerpt(response)}`);
    if (all.length === 0 && unrecognised)
      throw new ServiceError('unreadableResponse', {
        status: unrecognised.status,
        raw: unrecognised,
        why: { reason: 'noCatalog' },
      });
    this.#notes = notes;
    this.#models = all;
    return all;
  }

  #forget(): void {
    this.#era.abort();
    this.#era = new AbortController();
    this.#models = undefined;
    this.#notes = [];
    this.#contracts = new Map();
    this.#changed.fire();
  }

  #file(baseUrl: string, slug: string): vscode.Uri {
    const name = createHash('sha256').update(`${baseUrl}\n${slug}`).digest('hex').slice(0, 32);
    return vscode.Uri.joinPath(this.storage, 'contracts', `${name}.json`);
  }

  async #write(baseUrl: string, slug: string, contract: ModelContract): Promise<void> {
    try {
      const bytes = new TextEncoder().encode(JSON.stringify(contract));
      await vscode.workspace.fs.writeFile(this.#file(baseUrl, slug), bytes);
    } catch (error) {
      // Only the first paint after a restart is lost.
      this.log.warn('A model’s contract could not be cached.', String(error));
    }
  }
}

function notUnderstood({ models }: CatalogPage): string {
  return models.length === 0
    ? vscode.l10n.t('A page of the catalog is not a list of models. Click to open the raw response.')
    : vscode.l10n.t('Some catalog entries could not be read. Click to open the raw response.');
}

/** The start of a response, for the log. */
function excerpt(response: RawResponse | undefined): string {
  if (!response) return '';
  const { status, contentType, bytes } = response;
  return ` (${status}, ${contentType}) ${new TextDecoder().decode(bytes.subarray(0, 2000))}`;
}
