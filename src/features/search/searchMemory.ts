import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Dataset, datasetKey } from '../../domain/dataset';
import type { Json, JsonObject } from '../../domain/json';
import { type SearchParam, searchQuery, searchState } from '../../protocol/search';
import type { Services } from '../../services';

/** The state that returns after a reload: the query, and the run of the shown hits. */
const savedSearch = z.object({ query: z.optional(searchQuery), run: z.optional(z.string()) });
export type SavedSearch = z.infer<typeof savedSearch>;

export function readSavedSearch({ context }: Services, dataset: Dataset): SavedSearch {
  return savedSearch.safeParse(context.workspaceState.get(searchKey(dataset))).data ?? {};
}

/** Keeps the last search of a dataset. VS Code writes the state of a page with a delay, so that it may be an older one. */
export function keepSearch({ context }: Services, dataset: Dataset, search: SavedSearch): void {
  void context.workspaceState.update(searchKey(dataset), search);
}

function searchKey(dataset: Dataset): string {
  return `search.last.${datasetKey(dataset)}`;
}

const VIEW = 'search.view';
const view = searchState.shape.view;
type SearchView = z.infer<typeof view>;

const FIRST: SearchView = { withQuery: false, tileSize: 168 };

/** The user's choice of view for every search; one that cannot be read is the first again. */
export function readSearchView(memory: vscode.Memento): SearchView {
  return { ...FIRST, ...z.partial(view).safeParse(memory.get(VIEW)).data };
}

export async function keepView(memory: vscode.Memento, change: Partial<SearchView>): Promise<void> {
  await memory.update(VIEW, { ...readSearchView(memory), ...change });
}

/** The values of a search's parameters, kept for the next search with the same model. */
export class ParamValues {
  #values: JsonObject;
  /** Parameters with a typed text that is no value: the shown text is not the value to send. */
  readonly #invalid = new Set<string>();

  constructor(
    private readonly memory: vscode.Memento,
    private readonly key: string,
  ) {
    this.#values = memory.get<JsonObject>(key, {});
  }

  get all(): JsonObject {
    return this.#values;
  }

  /** @param value undefined: not sent */
  async set(name: string, value: Json | undefined, isInvalid: boolean): Promise<void> {
    if (isInvalid) {
      this.#invalid.add(name);
      return;
    }
    this.#invalid.delete(name);
    const { [name]: _before, ...others } = this.#values;
    this.#values = value === undefined ? others : { ...others, [name]: value };
    await this.memory.update(this.key, this.#values);
  }

  invalidIn(params: readonly SearchParam[]): SearchParam | undefined {
    return params.find(({ name }) => this.#invalid.has(name));
  }

  /** Typed texts are gone with their page. */
  forgetTyped(): void {
    this.#invalid.clear();
  }
}
