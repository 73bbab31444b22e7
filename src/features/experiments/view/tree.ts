import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { loggedError } from '../../../domain/loggedError';
import { resultPlaces } from '../../../experiments/results/resultsFile';
import type { ExperimentOverview } from '../../../experiments/table/overview';
import { searchFiles } from '../../../platform/searchFiles';
import type { Services } from '../../../services';
import { DisposableStore, Owner } from '../../../vscode/disposables';
import { treeRow } from '../../../vscode/messages/views';
import { localeFor } from '../../../wording/displayLanguage';
import { formatSums } from '../../../wording/money';
import { formatNumber } from '../../../wording/number';
import type { ExperimentRuns, ExperimentState } from '../experimentRuns';
import { KeptTables } from '../keptTables';
import { EXPERIMENTS, isExperimentName } from '../names';
import { experimentName } from '../tableSource';
import { overviewOf } from './overviews';

/** Experiments that are listed; the results of the first ones are read for their rows. */
const MOST_LISTED = 500;
const MOST_READ = 100;
const RESULTS = '**/*.results.jsonl';
/** Lines of a running experiment arrive in bursts. */
const RENEW_MS = 500;

/** The experiments of the workspace. Their files are watched, and their results read, while the view is shown. */
export class ExperimentsTree extends Owner implements vscode.TreeDataProvider<vscode.Uri> {
  readonly #changed = this.store.add(new vscode.EventEmitter<vscode.Uri | undefined>());
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
    super();
    this.#kept = new KeptTables(services.context.workspaceState);
    this.store.add(runs.onDidChange((uri) => this.#renew(uri)));
    this.show(true);
  }

  show(isShown: boolean): void {
    if (isShown === (this.#watching !== undefined)) return;
    if (!isShown) {
      this.#watching?.dispose();
      this.#watching = undefined;
      return;
    }
    const watching = this.store.add(new DisposableStore());
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
      if (this.store.isDisposed) return;
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

/** A row of the view. @param overview undefined: it has not run, or its results are not read yet */
function experimentRow(
  uri: vscode.Uri,
  running: ExperimentState | undefined,
  overview: ExperimentOverview | undefined,
): vscode.TreeItem {
  const name = experimentName(uri);
  const folder = posix.dirname(vscode.workspace.asRelativePath(uri));
  const facts = [
    ...(running ? [runningText(running)] : stateTexts(overview)),
    ...(overview ? resultTexts(overview) : []),
  ];
  const state = rowState(running, overview);
  return treeRow(name, {
    id: uri.toString(),
    description: facts.join(' · '),
    tooltip: [vscode.workspace.asRelativePath(uri), ...facts],
    iconPath: new vscode.ThemeIcon(
      state.icon,
      state.color === undefined ? undefined : new vscode.ThemeColor(state.color),
    ),
    contextValue: `modelBench.experiment.${running?.state ?? 'idle'}`,
    command: { command: 'vscode.open', title: l10n.t('Open Experiment'), arguments: [uri] },
    accessibilityInformation: {
      label: [name, ...(folder === '.' ? [] : [folder]), ...facts].join(', '),
    },
  });
}

function runningText(running: ExperimentState): string {
  if (running.state === 'interrupted')
    return l10n.t('interrupted, {0} left', formatNumber(running.remaining));
  const { done, total } = running;
  const counts = l10n.t('{0} of {1}', formatNumber(done), formatNumber(total));
  switch (running.state) {
    case 'paused':
      return l10n.t('paused, {0}', counts);
    case 'stopping':
      return l10n.t('stopping, {0}', counts);
    default:
      return l10n.t('running, {0}', counts);
  }
}

function stateTexts(overview: ExperimentOverview | undefined): string[] {
  if (!overview) return [l10n.t('not run')];
  const { total, finished, failed, unconfirmed } = overview;
  const runs =
    total === undefined || total === finished
      ? l10n.t('{0} finished', formatNumber(finished))
      : l10n.t('{0} of {1} finished', formatNumber(finished), formatNumber(total));
  return [
    runs,
    ...(failed > 0 ? [l10n.t('{0} failed', formatNumber(failed))] : []),
    ...(unconfirmed > 0 ? [l10n.t('{0} unconfirmed', formatNumber(unconfirmed))] : []),
  ];
}

function resultTexts({ best, cost, lastRun }: ExperimentOverview): string[] {
  const { language } = vscode.env;
  const at = lastRun === undefined ? Number.NaN : Date.parse(lastRun);
  return [
    ...(best ? [l10n.t('{0} ({1})', best.figure, best.column)] : []),
    ...(cost.length > 0 ? [formatSums(cost, language)] : []),
    ...(Number.isNaN(at)
      ? []
      : [new Date(at).toLocaleString(localeFor(language), { dateStyle: 'medium', timeStyle: 'short' })]),
  ];
}

function rowState(
  running: ExperimentState | undefined,
  overview: ExperimentOverview | undefined,
): { readonly icon: string; readonly color?: string } {
  if (running?.state === 'paused' || running?.state === 'interrupted') return { icon: 'debug-pause' };
  if (running) return { icon: 'sync~spin' };
  if (!overview) return { icon: 'beaker' };
  const { total, finished, failed, unconfirmed } = overview;
  if (unconfirmed > 0) return { icon: 'question', color: 'problemsWarningIcon.foreground' };
  if (failed > 0) return { icon: 'error', color: 'testing.iconFailed' };
  return finished < (total ?? finished) ? { icon: 'beaker' } : { icon: 'pass', color: 'charts.green' };
}
