import type { Memento } from 'vscode';
import * as z from 'zod/mini';
import { searchState } from '../../protocol/search';

const KEY = 'search.view';
const view = searchState.shape.view;
export type SearchView = z.infer<typeof view>;

const FIRST: SearchView = { withQuery: false, tileSize: 168 };

/** The user's choice of view for every search; one that cannot be read is the first again. */
export function readSearchView(memory: Memento): SearchView {
  return { ...FIRST, ...z.partial(view).safeParse(memory.get(KEY)).data };
}

export async function keepView(memory: Memento, change: Partial<SearchView>): Promise<void> {
  await memory.update(KEY, { ...readSearchView(memory), ...change });
}
