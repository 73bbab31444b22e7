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
import { copyImage } from '../shared/picture';

interface State extends PageState {
  /** The search that the host shows; undefined until it is loaded. */
  search?: SearchState;
  /** While the user moves the slider. */
  tileSize?: number | undefined;
}

/** The search page. The search itself is the host's. */
export class SearchPage extends Page<State, SearchPageMethods, SearchHostMethods> {
  constructor(render: () => void) {
    super({}, searchPageMethods, searchHostMethods, render);
  }

  protected handlers() {
    return {
      show: (search: SearchState) => this.#show(search),
      copyImage: ({ id }: { id: string }) => this.#copyImage(id),
    };
  }

  protected override get isHostAtWork(): boolean {
    return this.state.search?.running !== undefined;
  }

  /** The shown hits: without the query itself, unless the user wants it among them. */
  get hits(): readonly SearchHit[] {
    const { result, view } = this.state.search ?? {};
    const hits = result?.hits ?? [];
    return view?.withQuery ? hits : hits.filter(({ own }) => own !== true);
  }

  get tileSize(): number {
    return this.state.tileSize ?? this.state.search?.view.tileSize ?? 168;
  }

  async start(): Promise<void> {
    const search = await this.ask(this.host.call('ready', null));
    if (search) this.#show(search);
  }

  #copyImage(id: string): void {
    const { search } = this.state;
    const shown = [...(search?.result?.hits ?? []), ...(search?.items ?? [])];
    const { thumbnail } = shown.find((one) => one.id === id) ?? {};
    if (thumbnail !== undefined) void this.ask(copyImage(thumbnail));
  }

  #show(search: SearchState): void {
    pageState.set(search.saved);
    this.update({ search, notice: undefined });
  }
}
