import type texts from '../package.nls.json';
import type { Dataset } from './domain/dataset';
import type { JsonObject } from './domain/json';
import type { ModelSummary } from './domain/model';

/**
 * Every id that package.json contributes, with the type of its arguments: a command called with the wrong argument
 * does not compile. The compiler keeps the commands equal to the titles in package.nls.json, and a test those titles
 * to the commands of package.json.
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
  /** A run of the history whose result the panel shows. */
  readonly historyId?: string;
}

/** The body of a raw response. */
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
  /** Sets what the budgets of the active environment have counted to zero. */
  'modelBench.resetBudget': [];
  /** Opens a raw response. Not in the palette. */
  'modelBench.openAnswer': [response?: ResponseBody];
  /** Opens the wallet's raw response when it has no known balance. Not in the palette. */
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

/** The commands that package.nls.json has a title for. */
type TitledCommand = keyof {
  [Key in keyof typeof texts as Key extends `command.${infer Name}.title`
    ? `modelBench.${Name}`
    : never]: true;
};

/** Does not compile when a command has no title, or a title no command. */
export type CommandId =
  | keyof CommandArguments
  | None<Exclude<keyof CommandArguments, TitledCommand>>
  | None<Exclude<TitledCommand, keyof CommandArguments>>;
type None<Unpaired extends never> = Unpaired;

export const views = {
  container: 'modelBench',
  catalog: 'modelBench.catalog',
  scopes: 'modelBench.scopes',
  history: 'modelBench.history',
} as const;

/** The id of a view. */
export type View = Exclude<(typeof views)[keyof typeof views], typeof views.container>;

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

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

export const panels = {
  run: 'modelBench.run',
  usage: 'modelBench.usage',
  search: 'modelBench.search',
} as const;
