import * as vscode from 'vscode';
import { loggedError } from '../../../domain/loggedError';
import { resultPlaces } from '../../../experiments/results/resultsFile';
import type { ExperimentOverview } from '../../../experiments/table/overview';
import { searchFiles } from '../../../platform/searchFiles';
import type { Services } from '../../../services';
import { DisposableStore } from '../../../vscode/disposables';
import type { ExperimentRuns } from '../experimentRuns';
import { KeptTables } from '../keptTables';
import { EXPERIMENTS, isExperimentName } from '../names';
import { overviewOf } from './overviews';
import { experimentRow } from './row';

/** Experiments that are listed; the results of the first ones are read for their rows. */
const MOST_LISTED = 500;
const MOST_READ = 100;
const RESULTS = '**/*.results.jsonl';
/** Lines of a running experiment arrive in bursts. */
const RENEW_MS = 500;

/** The experiments of the workspace. Their files are watched, and their results read, while the view is shown. */
export class ExperimentsTree implements vscode.TreeDataProvider<vscode.Uri>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #kept: KeptTables;
  #watching: DisposableStore | undefined;
  /** In the order of the view; VS Code finds a changed row by its object. */
  #rows: readonly vscode.Uri[] = [];
  /** Null: read, and without results. */
  readonly #overviews = new Map<string, ExperimentOverview | null>();
  readonly #stale = new Set<vscode.Uri>();
  #reading: Promise<void> | undefined;

  constructor(
    private readonly services: Services,
    private readonly runs: ExperimentRuns,
  ) {
    this.#kept = new KeptTables(services.context.workspaceState);
    this.#store.add(runs.onDidChange((uri) => this.#renew(uri)));
    this.show(true);
  }

  show(isShown: boolean): void {
    if (isShown === (this.#watching !== undefined)) return;
    if (!isShown) {
      this.#watching?.dispose();
      this.#watching = undefined;
      return;
    }
    const watching = this.#store.add(new DisposableStore());
    this.#watching = watching;
    const list = watching.soon(RENEW_MS, () => this.#changed.fire(undefined));
    const experiments = watching.add(vscode.workspace.createFileSystemWatcher(EXPERIMENTS));
    for (const event of [experiments.onDidCreate, experiments.onDidDelete]) watching.add(event(list));
    watching.add(experiments.onDidChange((uri) => this.#renew(uri)));
    const results = watching.add(vscode.workspace.createFileSystemWatcher(RESULTS));
    for (const event of [results.onDidCreate, results.onDidChange, results.onDidDelete])
      watching.add(event(({ fsPath }) => this.#renewOf(fsPath)));
    // Changes while it was hidden.
    this.#overviews.clear();
    if (this.#rows.length > 0) this.#changed.fire(undefined);
  }

  async getChildren(parent?: vscode.Uri): Promise<vscode.Uri[]> {
    if (parent) return [];
    const files = await searchFiles(EXPERIMENTS, MOST_LISTED);
    const known = new Map(this.#rows.map((uri) => [uri.toString(), uri]));
    this.#rows = files
      .map((uri) => known.get(uri.toString()) ?? uri)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#read();
    return [...this.#rows];
  }

  getTreeItem(uri: vscode.Uri): vscode.TreeItem {
    return experimentRow(uri, this.runs.stateOf(uri), this.#overviews.get(uri.toString()) ?? undefined);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #renewOf(results: string): void {
    const uri = this.#rows.find(({ fsPath }) => resultPlaces(fsPath).file === results);
    if (uri) this.#renew(uri);
  }

  /** Its row is drawn at once, with its old results until the new ones are read. */
  #renew(changed: vscode.Uri): void {
    if (!isExperimentName(changed.path)) return;
    const uri = this.#rows.find((one) => one.toString() === changed.toString());
    if (!uri) return;
    this.#stale.add(uri);
    this.#changed.fire(uri);
    this.#read();
  }

  /** One after another: the window goes on meanwhile. */
  #read(): void {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  async #readAll(): Promise<void> {
    const isWanted = (uri: vscode.Uri) => this.#stale.has(uri) || !this.#overviews.has(uri.toString());
    for (;;) {
      const next = this.#rows.slice(0, MOST_READ).find(isWanted);
      if (!next || !this.#watching) return;
      this.#stale.delete(next);
      const overview = await this.#overviewOf(next);
      this.#overviews.set(next.toString(), overview ?? null);
      if (this.#store.isDisposed) return;
      this.#changed.fire(next);
    }
  }

  async #overviewOf(uri: vscode.Uri): Promise<ExperimentOverview | undefined> {
    if (uri.scheme !== 'file') return undefined;
    try {
      return await overviewOf(uri, this.services, this.#kept, vscode.env.language);
    } catch (error) {
      this.services.log.warn(loggedError(error));
      return undefined;
    }
  }
}
