import * as z from 'zod/mini';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { searchState } from '../../protocol/search';
import type { Services } from '../../services';

/** The state that returns after a reload: the query, and the run of the shown hits. */
const savedSearch = z.pick(searchState.shape.saved, { query: true, run: true });
export type SavedSearch = z.infer<typeof savedSearch>;

/** The last search of a dataset in this workspace. */
export function readSavedSearch({ context }: Services, dataset: Dataset): SavedSearch | undefined {
  return savedSearch.safeParse(context.workspaceState.get(searchKey(dataset))).data;
}

/**
 * Keeps the last search of a dataset. The page also leaves its state with VS Code, but VS Code writes it with a
 * delay: a window that is reloaded soon after a search would restore an older one.
 */
export function keepSearch({ context }: Services, dataset: Dataset, search: SavedSearch): void {
  void context.workspaceState.update(searchKey(dataset), search);
}

function searchKey(dataset: Dataset): string {
  return `search.last.${datasetKey(dataset)}`;
}
