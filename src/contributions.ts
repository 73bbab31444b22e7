import type { Dataset } from './domain/dataset';
import type { JsonObject } from './domain/json';
import type { ModelSummary } from './domain/model';

/**
 * Every id that package.json contributes, with the type of its arguments: a command called with the wrong
 * argument does not compile. A test keeps this file and package.json equal.
 */

/** `modelBench.runModel`'s optional argument: what the run panel starts with. */
export interface RunModelArgs {
  readonly model: string;
  readonly mode?: string;
  readonly scope?: string;
  readonly input?: JsonObject;
  readonly params?: JsonObject;
  /** Files the user chose for this run, as URI strings; `input` may point at them. */
  readonly attachments?: readonly string[];
  /** A kept run whose result the panel shows beside its work. */
  readonly historyId?: string;
}

/** The body of a response as it came. */
export interface ResponseBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A run of the history, by its record's id. */
export interface RunTarget {
  readonly id: string;
}

/** A place in the scopes tree. */
export interface ScopeTarget {
  readonly model: string;
  readonly scope: string;
}

/** A row of the scopes tree, as the tree passes it to commands: what the row stands for. */
export interface ScopesRow {
  readonly kind: string;
  readonly id: string;
  readonly job?: { readonly head: { readonly id: string } };
  readonly scope?: string;
  /** Of a model's row in a scope, and of every folder and item below it. */
  readonly dataset?: Dataset;
  /** Of a folder. */
  readonly path?: string;
  readonly item?: { readonly imageId: string; readonly file: string };
}

/** Where to index into, when the user has already chosen it. */
export interface IndexTarget {
  readonly scope: string;
  /** Missing: the model whose data the scope holds; asked for where that is none or several. */
  readonly model?: string;
}

/** What an Explorer context menu passes: the clicked resource, and the whole selection. */
export type ExplorerArgs = [
  clicked?: { readonly fsPath: string },
  selected?: readonly { readonly fsPath: string }[],
];

/** Like `ExplorerArgs`; a drop on a row of the scopes tree also passes where to index into. */
export type IndexArgs = [clicked?: ExplorerArgs[0], selected?: ExplorerArgs[1], into?: IndexTarget];

/** Commands people, keybindings and scripts rely on. */
export interface CommandArguments {
  'modelBench.connect': [];
  'modelBench.switchEnvironment': [];
  'modelBench.setApiKey': [];
  'modelBench.clearApiKey': [];
  'modelBench.startSandbox': [];
  'modelBench.refresh': [];
  'modelBench.runModel': [args?: RunModelArgs];
  'modelBench.indexMedia': IndexArgs;
  'modelBench.searchScope': [target?: ScopeTarget | ScopesRow];
  'modelBench.findSimilar': ExplorerArgs;
  'modelBench.showUsage': [];
  'modelBench.showLog': [];
  'modelBench.filterCatalog': [];
  'modelBench.clearCatalogFilter': [];
  'modelBench.copySlug': [node?: { readonly model: ModelSummary }];
  'modelBench.openContract': [node?: { readonly model: ModelSummary }];
  /** Opens the budget settings. */
  'modelBench.changeBudget': [];
  /** Starts the budgets of the active environment over. */
  'modelBench.resetBudget': [];
  /** Opens a response that was not understood, as it came. Not in the palette. */
  'modelBench.openAnswer': [response?: ResponseBody];
  /** Opens the wallet's response when no balance was found in it. Not in the palette. */
  'modelBench.openWalletAnswer': [];
  /** The next models of a long list. Not in the palette. */
  'modelBench.showMoreModels': [group?: string];
  /** The same as `indexMedia` and `findSimilar`, under names that fit files of other kinds. Not in the palette. */
  'modelBench.indexFile': IndexArgs;
  'modelBench.searchWithFile': ExplorerArgs;
  'modelBench.pauseJob': [node?: ScopesRow];
  'modelBench.resumeJob': [node?: ScopesRow];
  'modelBench.cancelJob': [node?: ScopesRow];
  'modelBench.indexChanges': [node?: ScopesRow];
  'modelBench.retryFailed': [node?: ScopesRow];
  'modelBench.settleUnknown': [node?: ScopesRow];
  'modelBench.addScope': [];
  'modelBench.forgetScope': [node?: ScopesRow];
  'modelBench.revealIndexed': [node?: ScopesRow];
  'modelBench.copyItemId': [node?: ScopesRow];
  'modelBench.searchWithItem': [node?: ScopesRow];
  'modelBench.showMoreItems': [node?: ScopesRow];
  'modelBench.openRun': [run?: RunTarget];
  'modelBench.runAgain': [run?: RunTarget];
  'modelBench.runWithAnotherModel': [run?: RunTarget];
  'modelBench.compareRuns': [run?: RunTarget, selected?: readonly RunTarget[]];
  'modelBench.deleteRuns': [run?: RunTarget, selected?: readonly RunTarget[]];
  'modelBench.clearHistory': [];
  'modelBench.saveResult': [run?: RunTarget];
  'modelBench.openResult': [run?: RunTarget];
  'modelBench.copyRunRequest': [run?: RunTarget];
  'modelBench.settleRun': [run?: RunTarget];
}

export type CommandId = keyof CommandArguments;

export const views = {
  container: 'modelBench',
  catalog: 'modelBench.catalog',
  scopes: 'modelBench.scopes',
  history: 'modelBench.history',
} as const;

export const statusBar = { wallet: 'modelBench.wallet', rateLimit: 'modelBench.rateLimit' } as const;

/** `when`-clause keys. */
export const contextKeys = {
  /** A key is stored for the active environment. */
  connected: 'modelBench.connected',
  /** `modelBench.environments` names at least one. */
  hasEnvironment: 'modelBench.hasEnvironment',
  catalogFiltered: 'modelBench.catalogFiltered',
  /** A job is running in this window. */
  indexing: 'modelBench.indexing',
  /** A model is known that indexes other files than images. */
  indexesOtherFiles: 'modelBench.indexesOtherFiles',
} as const;

export const panels = {
  run: 'modelBench.run',
  usage: 'modelBench.usage',
  search: 'modelBench.search',
} as const;
