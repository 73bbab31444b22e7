import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { Ledger } from '../../indexing/ledger';
import { requiredMode, type VectorMode } from '../../indexing/vectorMode';
import { executeBuiltIn } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { keepQueryFile, queriesFolder } from '../../platform/fileIntake/keptFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { filenameOf, nearestUri } from '../../platform/localFile';
import { openPage } from '../../platform/openPage';
import { actionFor, isCancelled, messageOf, runAction } from '../../platform/showError';
import { openRawResponse } from '../../platform/textEditor';
import { type Channel, type Handlers, readyCall } from '../../protocol/channel';
import {
  type ParamValue,
  type SearchHostMethods,
  type SearchPageMethods,
  type SearchQuery,
  type SearchState,
  searchHostMethods,
  searchPageMethods,
} from '../../protocol/search';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { nextStepOf } from '../../wording/errors';
import { formatMoney } from '../../wording/money';
import { keepSearch, type SavedSearch } from './savedSearches';
import { exportHits, pictureFolders, shownHits, withPicture } from './searchHits';
import { searchParams } from './searchParams';
import { earlierSearch, type SearchOutcome, search } from './searchRun';

/** A panel that searches one dataset: its query, the parameters, and the hits as the user's own files. */
export class SearchPanel implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #channel: Channel<SearchHostMethods, SearchPageMethods>;
  #query: SearchQuery | undefined;
  #values: Record<string, ParamValue>;
  #model: VectorMode | undefined;
  #running: { readonly stop: AbortController; step: string } | undefined;
  #problem: { readonly message: string; readonly error: unknown } | undefined;
  /** The hits that are shown, and what was searched with for them. */
  #outcome: (SearchOutcome & { readonly query: SearchQuery | undefined }) | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly dataset: Dataset,
    private readonly ledger: Ledger,
    private readonly services: Services,
  ) {
    const { context } = services;
    this.#values = context.globalState.get<Record<string, ParamValue>>(this.#paramsKey, {});
    this.#channel = this.#store.add(
      openPage(panel, services, {
        name: 'search',
        title: vscode.l10n.t('Search {0}', dataset.scope),
        ours: searchHostMethods,
        handlers: this.#handlers(),
        theirs: searchPageMethods,
        folders: [queriesFolder(context), ...pictureFolders(dataset, ledger)],
        firstCall: readyCall,
      }),
    );
    this.#store.add(panel.onDidDispose(() => this.dispose()));
    void this.#loadModel();
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.#running?.stop.abort();
    this.#store.dispose();
  }

  /** After a reload: the query, and the hits as the history has kept them. Nothing is sent; searching costs. */
  async restore({ query, run }: SavedSearch): Promise<void> {
    this.#query = query;
    this.#show();
    if (run === undefined) return;
    const earlier = await earlierSearch(this.services, this.ledger, this.dataset, run);
    // The user may have searched meanwhile.
    if (!earlier || this.#running || this.#outcome) return;
    this.#outcome = { ...earlier, query };
    this.#show();
  }

  async searchFile(given: vscode.Uri): Promise<void> {
    const uri = await nearestUri(given);
    this.#query = { kind: 'file', uri: uri.toString(), name: filenameOf(uri) };
    await this.#search();
  }

  #handlers(): Handlers<SearchHostMethods> {
    const withHit = (work: (uri: vscode.Uri) => unknown) => {
      return async ({ id }: { id: string }) => {
        const uri = this.#outcome?.found.hits.find((hit) => hit.id === id)?.uri;
        if (uri) await work(uri);
      };
    };
    const open = (uri: vscode.Uri) => executeBuiltIn('vscode.open', uri, vscode.ViewColumn.Beside);
    return {
      ready: () => this.#state(),
      search: () => this.#search(),
      stop: () => this.#running?.stop.abort(),
      setParam: ({ name, value }) => this.#setParam(name, value),
      pickFile: async () => {
        const [picked] = await pickFiles({ openLabel: vscode.l10n.t('Find Similar') });
        if (picked) await this.searchFile(picked);
      },
      useFile: async ({ uri }) => {
        const [file] = await allowedDrops([uri]);
        if (file) await this.searchFile(file);
      },
      useBytes: async ({ filename, bytes }) =>
        this.searchFile(await keepQueryFile(queriesFolder(this.services.context), filename, bytes)),
      searchText: ({ text }) => {
        this.#query = { kind: 'text', text };
        return this.#search();
      },
      openQuery: async () => {
        if (this.#query?.kind === 'file') await open(vscode.Uri.parse(this.#query.uri));
      },
      openHit: withHit(open),
      revealHit: withHit((uri) => executeBuiltIn('revealInExplorer', uri)),
      copyId: async ({ id }) => vscode.env.clipboard.writeText(id),
      searchWith: withHit((uri) => this.searchFile(uri)),
      exportHits: async ({ format }) => {
        if (this.#outcome) await exportHits(this.dataset, this.#outcome.found, format);
      },
      showResponse: async () => {
        if (this.#outcome) await openRawResponse(this.#outcome.response.raw);
      },
      takeStep: async () => {
        const error = this.#problem?.error;
        if (error instanceof ServiceError) await runAction(actionFor(nextStepOf(error)));
      },
    };
  }

  async #loadModel(): Promise<void> {
    try {
      this.#model = requiredMode(await this.services.catalog.contract(this.dataset.model), 'search');
    } catch (error) {
      if (!isCancelled(error)) this.#problem = { message: messageOf(error), error };
    }
    this.#show();
  }

  async #setParam(name: string, value: ParamValue | undefined): Promise<void> {
    const { [name]: _before, ...others } = this.#values;
    this.#values = value === undefined ? others : { ...others, [name]: value };
    await this.services.context.globalState.update(this.#paramsKey, this.#values);
  }

  get #paramsKey(): string {
    return `search.params.${this.dataset.baseUrl} ${this.dataset.model}`;
  }

  /** One at a time; a second one is not queued. */
  async #search(): Promise<void> {
    const query = this.#query;
    if (!query || this.#running) return this.#show();
    const running = { stop: new AbortController(), step: '' };
    this.#running = running;
    this.#problem = undefined;
    keepSearch(this.services, this.dataset, { query });
    this.#show();
    try {
      const { dataset } = this;
      const model = requiredMode(await this.services.catalog.contract(dataset.model), 'search');
      this.#model = model;
      const asked = { dataset, model, query, values: this.#values };
      const made = await search(this.services, this.ledger, asked, running.stop.signal, (step) => {
        running.step = step;
        this.#show();
      });
      if ('found' in made) {
        this.#outcome = { ...made, query };
        keepSearch(this.services, dataset, { query, run: made.runId });
      } else this.#problem = made;
    } catch (error) {
      if (!isCancelled(error)) this.#problem = { message: messageOf(error), error };
    } finally {
      this.#running = undefined;
      this.#show();
    }
  }

  #show(): void {
    if (!this.#store.isDisposed) this.#channel.notify('show', this.#state());
  }

  #state(): SearchState {
    const { baseUrl, model, scope } = this.dataset;
    const { webview } = this.panel;
    const { environments } = this.services.connection;
    const query = this.#query && withPicture(this.#query, webview);
    // Hits of another query are hidden, but stay while a search runs, so that the page does not jump.
    const outcome = this.#running || this.#outcome?.query === this.#query ? this.#outcome : undefined;
    const error = this.#problem?.error;
    const action = error instanceof ServiceError ? actionFor(nextStepOf(error))?.title : undefined;
    const cost = outcome?.response.cost;
    return {
      modelName: this.#model?.contract.name ?? model,
      scope,
      environment: environments.find((one) => one.baseUrl === baseUrl)?.name ?? baseUrl,
      saved: { baseUrl, model, scope, query: this.#query, run: outcome?.runId },
      takes: this.#model?.shape.carries ?? 'media',
      query,
      params: this.#model ? searchParams(this.#model.mode) : [],
      values: this.#values,
      ...(this.#running && { running: this.#running.step || vscode.l10n.t('Searching…') }),
      ...(this.#problem && { problem: { message: this.#problem.message, ...(action && { action }) } }),
      ...(outcome && {
        result: {
          ...outcome.found,
          hits: shownHits(outcome.found, webview),
          cost: cost && formatMoney(cost, vscode.env.language),
          tookMs: outcome.tookMs,
          ...(outcome.restoredFrom !== undefined && {
            from: new Date(outcome.restoredFrom).toLocaleString(vscode.env.language),
          }),
        },
      }),
    };
  }
}
