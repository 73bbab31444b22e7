import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import type { Dataset } from '../../domain/dataset';
import type { Environment } from '../../domain/environment';
import { loggedError } from '../../domain/loggedError';
import { modePrice } from '../../domain/model';
import type { RunRecord } from '../../domain/runRecord';
import { sameJson } from '../../domain/value';
import { requiredMode, type VectorMode } from '../../indexing/vectorMode';
import { allowedDrops } from '../../platform/fileIntake/droppedFiles';
import { keepQueryFile, queriesFolder } from '../../platform/fileIntake/keptFiles';
import { openFile } from '../../platform/fileIntake/openFiles';
import { pickFiles } from '../../platform/fileIntake/pickFiles';
import { filenameOf, nearestUri } from '../../platform/localFile';
import { openPage } from '../../platform/openPage';
import { openRawResponse } from '../../platform/textEditor';
import { type Channel, type Handlers, readyCall } from '../../protocol/channel';
import {
  type SearchHostMethods,
  type SearchPageMethods,
  type SearchParam,
  type SearchQuery,
  type SearchState,
  searchHostMethods,
  searchPageMethods,
} from '../../protocol/search';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import { executeBuiltIn, executeCommand } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { errorAction, isCancelled, messageOf, runAction } from '../../vscode/showError';
import { formatMoney } from '../../wording/money';
import { visibleText } from '../../wording/plainText';
import { PinnedSearches } from './pinnedSearches';
import { exportHits, type FoundHit, scopeItems, shownHits, withPicture } from './searchHits';
import { keepSearch, keepView, ParamValues, readSearchView, type SavedSearch } from './searchMemory';
import { searchParams } from './searchParams';
import { earlierSearch, type SearchOutcome, search } from './searchRun';

type ShownOutcome = SearchOutcome & { readonly query: SearchQuery | undefined };

/** Searches of one panel that “Back” goes through. */
const MOST_EARLIER = 30;

/** A panel that searches one dataset: its query, the parameters, and the hits as the user's own files. */
export class SearchPanel implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #channel: Channel<SearchHostMethods, SearchPageMethods>;
  #query: SearchQuery | undefined;
  readonly #values: ParamValues;
  #model: VectorMode | undefined;
  #running: { readonly stop: AbortController; step: string } | undefined;
  #problem: { readonly message: string; readonly error: unknown } | undefined;
  /** The shown hits, and their query. */
  #outcome: ShownOutcome | undefined;
  #price = '';
  /** Searches before that one, the last one last. */
  readonly #earlier: ShownOutcome[] = [];
  readonly #pinned: PinnedSearches;
  /** Files of the scope, to begin with. */
  #items: readonly FoundHit[] = [];

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly dataset: Dataset,
    private readonly datasets: Datasets,
    /** The folders that the page may load from. */
    pictures: readonly vscode.Uri[],
    private readonly services: Services,
    private readonly onDidChange: () => void,
  ) {
    const { context } = services;
    this.#values = new ParamValues(context.globalState, `search.params.${dataset.baseUrl} ${dataset.model}`);
    this.#pinned = this.#store.add(new PinnedSearches(services, dataset, () => this.#show()));
    this.#channel = this.#store.add(
      openPage(panel, services, {
        name: 'search',
        icon: 'search',
        title: l10n.t('Search {0}', dataset.scope),
        ours: searchHostMethods,
        handlers: this.#handlers(),
        theirs: searchPageMethods,
        folders: [queriesFolder(context), ...pictures],
        firstCall: readyCall,
      }),
    );
    this.#store.add(panel.onDidDispose(() => this.dispose()));
    this.#store.add(panel.onDidChangeViewState(() => this.onDidChange()));
    void this.#loadModel();
    void this.#loadItems();
    this.#followCost().catch((error: unknown) => services.log.warn(loggedError(error)));
  }

  /** The cost of a search may be reported later than its hits. */
  async #followCost(): Promise<void> {
    const history = await this.services.history();
    const follow = (changed: readonly RunRecord[]) => {
      const { cost } = changed.find(({ id }) => id === this.#outcome?.runId) ?? {};
      if (!this.#outcome || !cost || sameJson(cost, this.#outcome.cost ?? null)) return;
      this.#outcome = { ...this.#outcome, cost };
      this.#show();
    };
    this.#store.add({ dispose: history.onDidChange(follow) });
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** To the search before the shown one, as in a browser, without sending it. */
  back(): void {
    if (!this.canGoBack) return;
    const before = this.#earlier.pop()!;
    this.#outcome = before;
    this.#query = before.query;
    this.#problem = undefined;
    keepSearch(this.services, this.dataset, { query: before.query, run: before.runId });
    this.#show();
  }

  get canGoBack(): boolean {
    return this.#earlier.length > 0 && !this.#running;
  }

  /** Only the page can put a picture into the clipboard. */
  copyImage(id: string): void {
    this.#channel.notify('copyImage', { id });
  }

  /** The user's file of a hit, or of a file of the scope. */
  fileOf(id: string): vscode.Uri | undefined {
    const shown = this.#outcome?.hits.hits ?? this.#items;
    return shown.find((hit) => hit.id === id)?.uri;
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.#running?.stop.abort();
    this.#store.dispose();
  }

  /** After a reload: the query, and the hits from the history. Sends no request; searching costs. */
  async restore({ query, run }: SavedSearch): Promise<void> {
    this.#query = query;
    this.#show();
    if (run === undefined) return;
    const earlier = await earlierSearch(this.services, this.datasets, this.dataset, run);
    // The user may have searched meanwhile.
    if (!earlier || this.#running || this.#outcome || this.#query !== query) return;
    this.#outcome = { ...earlier, query };
    this.#show();
  }

  async searchFile(given: vscode.Uri): Promise<void> {
    this.#query = fileQuery(await nearestUri(given));
    await this.#search();
  }

  #handlers(): Handlers<SearchHostMethods> {
    const withHit = (work: (uri: vscode.Uri) => unknown) => {
      return async ({ id }: { id: string }) => {
        const uri = this.fileOf(id);
        if (uri) await work(uri);
      };
    };
    const open = (uri: vscode.Uri) => executeBuiltIn('vscode.open', uri, vscode.ViewColumn.Beside);
    return {
      ready: () => {
        this.#values.forgetTyped();
        return this.#state();
      },
      search: () => this.#search(),
      stop: () => this.#running?.stop.abort(),
      setView: async (change) => {
        await keepView(this.services.context.globalState, change);
        this.#show();
      },
      setParam: ({ name, value, invalid }) => this.#values.set(name, value, invalid === true),
      pickFile: async () => {
        const [picked] = await pickFiles({ openLabel: l10n.t('Find Similar') });
        if (picked) await this.searchFile(picked);
      },
      useOpenFile: async () => {
        const accept = this.#model?.shape.accept.includes('image/*') === false ? undefined : 'image';
        await this.searchFile(openFile(accept));
      },
      pin: async ({ pinned }) => {
        if (this.#outcome) await this.#pinned.pin(this.#outcome.runId, pinned);
      },
      showPinned: ({ run }) => this.#showPinned(run),
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
      chooseQuery: withHit((uri) => {
        this.#query = fileQuery(uri);
        keepSearch(this.services, this.dataset, { query: this.#query });
        this.#show();
      }),
      exportHits: async ({ format }) => {
        if (this.#outcome) await exportHits(this.dataset, this.#outcome.hits, format);
      },
      showResponse: async () => {
        if (this.#outcome) await openRawResponse(this.#outcome.response.raw);
      },
      measure: async () => {
        await executeCommand('modelBench.measureSearch', { dataset: this.dataset });
      },
      takeStep: async () => {
        const error = this.#problem?.error;
        if (error instanceof ServiceError) await runAction(errorAction(error));
      },
    };
  }

  async #loadModel(): Promise<void> {
    try {
      this.#model = requiredMode(await this.#catalog.contract(this.dataset.model), 'search');
      await this.#estimate();
    } catch (error) {
      if (!isCancelled(error)) this.#problem = { message: messageOf(error), error };
    }
    this.#show();
  }

  async #estimate(): Promise<void> {
    if (!this.#model) return;
    const { contract, mode } = this.#model;
    const { baseUrl, model } = this.dataset;
    const price = modePrice(contract, mode.name);
    this.#price = (await this.services.estimates()).short({
      baseUrl,
      model,
      mode: mode.name,
      price,
      items: 1,
    });
  }

  async #loadItems(): Promise<void> {
    try {
      this.#items = await scopeItems(this.dataset, this.datasets);
      if (!this.#outcome) this.#show();
    } catch (error) {
      this.services.log.warn(loggedError(error));
    }
  }

  get #params(): SearchParam[] {
    return this.#model ? searchParams(this.#model.mode, this.#values.all) : [];
  }

  /** The dataset's environment, even if another is active. */
  get #environment(): Environment {
    return this.services.connection.at(this.dataset.baseUrl);
  }

  get #catalog(): EnvironmentCatalog {
    return this.services.catalog.of(this.#environment);
  }

  /** One at a time; a second one is not queued. */
  async #search(): Promise<void> {
    const query = this.#query;
    if (!query || this.#running) return this.#show();
    const invalid = this.#values.invalidIn(this.#params);
    if (invalid) {
      const message = l10n.t('“{0}” has no valid value. Fix or clear it, then search.', invalid.label);
      this.#problem = { message, error: undefined };
      return this.#show();
    }
    const running = { stop: new AbortController(), step: '' };
    this.#running = running;
    this.#problem = undefined;
    keepSearch(this.services, this.dataset, { query });
    this.#show();
    try {
      const { dataset } = this;
      const model = requiredMode(await this.#catalog.contract(dataset.model), 'search');
      this.#model = model;
      await this.#estimate();
      const asked = { environment: this.#environment, dataset, model, query, values: this.#values.all };
      const made = await search(this.services, this.datasets, asked, running.stop.signal, (step) => {
        running.step = step;
        this.#show();
      });
      if ('hits' in made) {
        this.#keepEarlier();
        this.#outcome = { ...made, query };
        keepSearch(this.services, dataset, { query, run: made.runId });
        if (this.#query !== query) {
          // Another query was chosen meanwhile: “Back” leads to these hits.
          this.#keepEarlier();
          this.#outcome = undefined;
        }
      } else this.#problem = made;
    } catch (error) {
      if (!isCancelled(error)) this.#problem = { message: messageOf(error), error };
    } finally {
      this.#running = undefined;
      this.#show();
    }
  }

  /** The user can return to the shown search. */
  #keepEarlier(): void {
    if (this.#outcome) this.#earlier.push(this.#outcome);
    if (this.#earlier.length > MOST_EARLIER) this.#earlier.shift();
  }

  async #showPinned(run: string): Promise<void> {
    const query = this.#pinned.pinnedQuery(run);
    if (!query || this.#running || this.#outcome?.runId === run) return;
    this.#keepEarlier();
    this.#outcome = undefined;
    this.#problem = undefined;
    keepSearch(this.services, this.dataset, { query, run });
    await this.restore({ query, run });
    if (this.#outcome || this.#running || this.#query !== query) return;
    const message = l10n.t('The hits of this search are no longer kept. Search again to see them.');
    this.#problem = { message, error: undefined };
    this.#show();
  }

  #show(): void {
    if (this.#store.isDisposed) return;
    this.#channel.notify('show', this.#state());
    this.onDidChange();
  }

  #state(): SearchState {
    const { baseUrl, model, scope } = this.dataset;
    const { webview } = this.panel;
    const query = this.#query && withPicture(this.#query, webview);
    // Hits of another query are hidden, but stay while a search runs, so that the page does not jump.
    const outcome = this.#running || this.#outcome?.query === this.#query ? this.#outcome : undefined;
    const error = this.#problem?.error;
    const action = error instanceof ServiceError ? errorAction(error)?.title : undefined;
    const cost = outcome?.cost;
    return {
      modelName: visibleText(this.#model?.contract.name ?? model),
      scope,
      environment: this.#environment.name,
      production: this.services.connection.isProduction(this.#environment),
      saved: { baseUrl, model, scope },
      view: readSearchView(this.services.context.globalState),
      takes: this.#model?.shape.carries ?? 'media',
      query,
      params: this.#params,
      price: this.#price,
      values: this.#values.all,
      pinned: this.#pinned.list,
      items: outcome || this.#running ? [] : shownHits(this.#items, webview),
      ...(this.#running && { running: this.#running.step || l10n.t('Searching…') }),
      ...(this.#problem && { problem: { message: this.#problem.message, action } }),
      ...(outcome && {
        result: {
          ...outcome.hits,
          run: outcome.runId,
          hits: shownHits(outcome.hits.hits, webview, outcome.query),
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

function fileQuery(uri: vscode.Uri): SearchQuery {
  return { kind: 'file', uri: uri.toString(), name: filenameOf(uri) };
}
