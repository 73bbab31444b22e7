import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { searchState } from '../../protocol/search';

/** What comes back after a reload: the query, and the run whose hits were shown. */
const savedSearch = z.pick(searchState.shape.saved, { query: true, run: true });
export type SavedSearch = z.infer<typeof savedSearch>;

/**
 * The last search of each dataset in this workspace. The page leaves its state with VS Code as well, but VS Code
 * writes it with a delay: a window that is reloaded soon after a search would restore an older one.
 */
export class SavedSearches {
  constructor(private readonly memento: vscode.Memento) {}

  get(dataset: Dataset): SavedSearch | undefined {
    const saved = savedSearch.safeParse(this.memento.get(keyOf(dataset)));
    return saved.success ? saved.data : undefined;
  }

  keep(dataset: Dataset, search: SavedSearch): void {
    void this.memento.update(keyOf(dataset), search);
  }
}

function keyOf(dataset: Dataset): string {
  return `search.last.${datasetKey(dataset)}`;
}
