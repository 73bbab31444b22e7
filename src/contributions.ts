import type texts from '../package.nls.json';
import type { Dataset } from './domain/dataset';
import type { Environment } from './domain/environment';
import type { JsonObject } from './domain/json';
import type { ModelSummary } from './domain/model';
import type { ResponseBody } from './domain/response';
import type { RunDraft } from './domain/run';

/**
 * Every id that package.json contributes, with the type of its arguments: a command called with the wrong argument
 * does not compile. The compiler keeps the commands equal to the titles in package.nls.json, and a test those titles
 * to the commands of package.json.
 */

/** `modelBench.runModel`'s optional argument: the initial content of the run panel. */
export interface RunModelArgs {
  readonly model: string;
  readonly mode?: string;
  readonly scope?: string;
  readonly input?: JsonObject;
  readonly params?: JsonObject;
  readonly options?: JsonObject;
  readonly historyId?: string;
  /** Name of the environment that the panel's runs are sent to; missing: the active one, or that of the run shown. */
  readonly environment?: string;
  /** The next panel opened this way takes this one's place, unless something was entered or run in it. */
  readonly preview?: boolean;
  readonly preserveFocus?: boolean;
}

/** A run of the history, by its record's id. */
export interface RunTarget {
  readonly id: string;
}

/** A file, as menus and CodeLenses pass it: a URI of VS Code's. */
export interface FileTarget {
  readonly scheme: string;
  readonly path: string;
}

/** A row of the catalog, as the tree passes it to commands. */
interface CatalogRow {
  readonly model: ModelSummary;
}

/** The argument that VS Code passes from the context menu of a tile in the search panel or in a run's result. */
export interface HitTarget {
  /** Its ID. */
  readonly hit?: string;
  /** In a result: the URI of the user's file that it is. */
  readonly file?: string;
}

/** A column of an experiment's table, and perhaps the row of its input; both count from 0. */
export interface VariationTarget {
  readonly variation: number;
  readonly item?: number;
}

interface ScopeTarget {
  readonly model: string;
  /** Missing: asked for. */
  readonly scope?: string;
}

/** A row of the scopes tree, as the tree passes it to commands. */
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
  /** Missing: asked for. */
  readonly scope?: string;
  /** Missing: the model of the scope's data; asked for when there is none or several. */
  readonly model?: string;
}

/** The argument of an Explorer context menu: the clicked resource, and the whole selection. */
export type ExplorerArgs = [
  clicked?: { readonly fsPath: string },
  selected?: readonly { readonly fsPath: string }[],
];

/** The request of a run panel that an experiment begins with. */
export interface RequestToVary {
  readonly draft: RunDraft;
  readonly environment: string;
  /** The run file that the panel was opened from. */
  readonly runFile?: { readonly fsPath: string } | undefined;
  /** The field whose values, or files, are asked for first. */
  readonly vary?: { readonly pointer: string; readonly takesFiles: boolean } | undefined;
}

/** Commands people, keybindings and scripts rely on. */
export interface CommandArguments {
  'modelBench.connect': [];
  'modelBench.switchEnvironment': [];
  /** Missing: of the active environment. */
  'modelBench.setApiKey': [environment?: Environment];
  'modelBench.clearApiKey': [];
  'modelBench.startSandbox': [];
  'modelBench.refillSandbox': [];
  'modelBench.refresh': [];
  'modelBench.runModel': [args?: RunModelArgs];
  /** Asks for a model that takes the file, and opens a panel with the file in it. */
  'modelBench.runModelWithFile': ExplorerArgs;
  'modelBench.openModelToSide': [node?: CatalogRow];
  'modelBench.toggleFavourite': [node?: CatalogRow];
  /** Files, or with the model of a row; a drop on a row of the scopes tree also passes where to index into. */
  'modelBench.indexMedia': [
    target?: ExplorerArgs[0] | CatalogRow,
    selected?: ExplorerArgs[1],
    into?: IndexTarget,
  ];
  'modelBench.searchScope': [target?: ScopeTarget | ScopesRow | CatalogRow];
  /** With a file, an indexed item, or a hit. */
  'modelBench.findSimilar': [target?: ExplorerArgs[0] | ScopesRow | HitTarget, selected?: ExplorerArgs[1]];
  /** Of a tile in the search panel or in a result. Not in the palette. */
  'modelBench.copyHitImage': [target?: HitTarget];
  'modelBench.revealFile': [target?: ScopesRow | HitTarget];
  'modelBench.copyId': [target?: CatalogRow | ScopesRow | HitTarget];
  /**
   * The next rows of a long list, or a raw response; missing: the wallet's, where it has no known balance. Not in the
   * palette.
   */
  'modelBench.showMore': [more?: (() => unknown) | ResponseBody];
  'modelBench.showUsage': [];
  'modelBench.showLog': [];
  'modelBench.filterCatalog': [];
  'modelBench.arrangeCatalog': [];
  'modelBench.clearCatalogFilter': [];
  'modelBench.openContract': [node?: CatalogRow];
  'modelBench.changeBudget': [];
  /**
   * The grants that live, the last calls of agents, and ways to allow, stop and connect. Everything is asked for in
   * VS Code's own boxes: nothing that a caller passes counts.
   */
  'modelBench.agentSpending': [];
  /** Resets the amounts that the budgets of the active environment have counted. */
  'modelBench.resetBudget': [];
  /**
   * Gives a value of a response its meaning: one of a run's result, or missing: that at the cursor of a raw response; or
   * asks for the parameter of the catalog's next page.
   */
  'modelBench.useValueAs': [target?: { readonly result: string; readonly pointer: string } | 'nextPage'];
  /** Copies the mapping of a file into the user's settings. Missing: asked for. */
  'modelBench.useMapping': [file?: { readonly fsPath: string }];
  'modelBench.pauseJob': [node?: ScopesRow];
  'modelBench.resumeJob': [node?: ScopesRow];
  'modelBench.cancelJob': [node?: ScopesRow];
  'modelBench.indexChanges': [node?: ScopesRow];
  'modelBench.retryFailed': [node?: ScopesRow];
  'modelBench.settleUnknown': [node?: ScopesRow];
  /** The rows of a dataset's files that failed, or else of those that are unconfirmed. */
  'modelBench.showFailedFiles': [node?: ScopesRow];
  'modelBench.addScope': [];
  'modelBench.forgetScope': [node?: ScopesRow];
  'modelBench.openRun': [run?: RunTarget];
  'modelBench.findRun': [];
  'modelBench.runAgain': [run?: RunTarget];
  /** Opens a panel with the request of a run. */
  'modelBench.editAndRunAgain': [run?: RunTarget];
  'modelBench.runWithAnotherModel': [run?: RunTarget];
  /** Two runs, or the last two of a run file; those that are missing are asked for. */
  'modelBench.compareRuns': [run?: RunTarget | FileTarget, selected?: readonly RunTarget[]];
  'modelBench.deleteRuns': [run?: RunTarget, selected?: readonly RunTarget[]];
  /** A pinned run is kept beyond the limit. */
  'modelBench.pinRuns': [run?: RunTarget, selected?: readonly RunTarget[]];
  'modelBench.unpinRuns': [run?: RunTarget, selected?: readonly RunTarget[]];
  'modelBench.renameRun': [run?: RunTarget];
  'modelBench.filterHistory': [];
  'modelBench.clearHistoryFilter': [];
  'modelBench.clearHistory': [];
  'modelBench.saveResult': [run?: RunTarget];
  'modelBench.openResult': [run?: RunTarget];
  'modelBench.copyRunRequest': [run?: RunTarget];
  'modelBench.askAgain': [run?: RunTarget];
  'modelBench.settleRun': [run?: RunTarget, selected?: readonly RunTarget[]];
  /** Makes a run file: in the folder that was clicked in the Explorer, or where the user chooses. */
  'modelBench.newRunFile': [];
  /** Makes a run file of a run of the history; missing: of the run panel that is the active editor. */
  'modelBench.saveAsRunFile': [run?: RunTarget];
  /** Runs a run file in a panel beside it. Without an argument: the file in the active editor. */
  'modelBench.runFile': [file?: FileTarget];
  /** Of the run panel that is the active editor. */
  'modelBench.showPanelCode': [];
  /** Of the search, or of the usage page, that is the active editor. */
  'modelBench.searchBack': [];
  'modelBench.openRunFile': [file?: FileTarget];
  /** Checks all run files of the workspace against the current contracts of their models. Sends no run. */
  'modelBench.checkRunFiles': [];
  /** Starts the runs of an experiment that have no result, after one question. Missing: the file in the active editor. */
  'modelBench.runExperiment': [file?: FileTarget];
  /** Sends some finished runs of an experiment again, and compares. */
  'modelBench.checkDrift': [file?: FileTarget];
  'modelBench.pauseExperiment': [file?: FileTarget];
  'modelBench.cancelExperiment': [file?: FileTarget];
  /** Opens its table, at the cell of a run. Not in the palette. */
  'modelBench.openExperimentAt': [file?: FileTarget, customId?: string];
  /** Compare With… in its table. */
  'modelBench.compareExperiment': [file?: FileTarget];
  /** Asks for a model, writes an experiment over a table, files or folders, and shows how it is set up. */
  'modelBench.experimentWithModel': ExplorerArgs;
  /** Writes an experiment that searches a scope with a sample of its own files, and shows how it is set up. */
  'modelBench.measureSearch': [of?: Pick<ScopesRow, 'dataset'>];
  'modelBench.auditIndex': [of?: Pick<ScopesRow, 'dataset'>];
  /**
   * Asks for a name, writes an experiment, and opens the page that sets it up: an empty one in the clicked folder of the
   * Explorer or in the workspace, or one with a request.
   */
  'modelBench.newExperiment': [from?: ExplorerArgs[0] | RequestToVary, selected?: ExplorerArgs[1]];
  /** Opens a variation's request in a run panel, or saves it as a run file. Not in the palette. */
  'modelBench.useVariation': [file?: FileTarget, target?: VariationTarget];
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
  experiments: 'modelBench.experiments',
  history: 'modelBench.history',
} as const;

export type View = Exclude<(typeof views)[keyof typeof views], typeof views.container>;

export const statusBar = {
  wallet: 'modelBench.wallet',
  rateLimit: 'modelBench.rateLimit',
  agents: 'modelBench.agents',
} as const;

/** `when`-clause keys. */
export const contextKeys = {
  /** It is known whether there is an environment, and whether it has a key: until then no view has a welcome text. */
  ready: 'modelBench.ready',
  /** A key is stored for the active environment. */
  connected: 'modelBench.connected',
  /** `modelBench.environments` names at least one. */
  hasEnvironment: 'modelBench.hasEnvironment',
  catalogFiltered: 'modelBench.catalogFiltered',
  /** The paths of untitled documents with responses. */
  rawResponses: 'modelBench.rawResponses',
  historyFiltered: 'modelBench.historyFiltered',
  /** A job is running in this window. */
  indexing: 'modelBench.indexing',
  /** A job was interrupted, and no window works on it. */
  interruptedJob: 'modelBench.interruptedJob',
  /** A model is known that indexes other files than images. */
  indexesOtherFiles: 'modelBench.indexesOtherFiles',
  /** The paths of the folders with images in or below them; missing until they are known. */
  imageFolders: 'modelBench.imageFolders',
  /** The search panel that is the active editor has an earlier search, and a search to pin or to unpin. */
  searchCanGoBack: 'modelBench.searchCanGoBack',
  /** The active environment is the built-in sandbox. */
  sandbox: 'modelBench.sandbox',
  /** Of the walkthrough's steps: set for a moment when the step is to be ticked (vscode/walkthrough.ts). */
  hasConnected: 'modelBench.hasConnected',
  hasRun: 'modelBench.hasRun',
  hasIndexed: 'modelBench.hasIndexed',
  hasSearched: 'modelBench.hasSearched',
  hasExperimented: 'modelBench.hasExperimented',
  hasSeenCosts: 'modelBench.hasSeenCosts',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

export const customEditors = { experiment: 'modelBench.experiment' } as const;

export const panels = {
  run: 'modelBench.run',
  usage: 'modelBench.usage',
  search: 'modelBench.search',
  compare: 'modelBench.compare',
} as const;
