import {
  type SearchHit,
  type SearchHostMethods,
  type SearchPageMethods,
  type SearchState,
  searchHostMethods,
  searchPageMethods,
} from '../../src/protocol/search';
import { pageState } from '../shared/host';
import { Page, type PageState } from '../shared/page';

interface State extends PageState {
  /** What the host shows; undefined until it is loaded. */
  search?: SearchState;
  /** The hit beside the query in the dialog. */
  compared?: SearchHit;
}

/** The search page. The search itself is the host's. */
export class SearchPage extends Page<State, SearchPageMethods, SearchHostMethods> {
  constructor(render: () => void) {
    super({}, searchPageMethods, searchHostMethods, render);
  }

  protected handlers() {
    return { show: (search: SearchState) => this.#show(search) };
  }

  async start(): Promise<void> {
    const search = await this.ask(this.host.call('ready', null));
    if (search) this.#show(search);
  }

  #show(search: SearchState): void {
    pageState.set(search.saved);
    this.update({ search, notice: undefined });
  }
}
