import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { loggedError } from '../../domain/loggedError';
import type { IndexingJob, InterruptedIndexingJob } from '../../indexing/indexingJobs';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import { DisposableStore } from '../../vscode/disposables';
import { messageOf } from '../../vscode/showError';
import { type FileState, fileStateOf } from './fileState';
import { jobRowState, type NotIndexed, type RowFacts, type ScopesNode, treeItem } from './nodes';
import { itemRowId, rowsBelow, rowsOfOutcome } from './rowsBelow';

/** Rows of one level at first, and with each "Show more". */
const PAGE = 500;
/** Unconfirmed files of an interrupted job that have rows. */
const MOST_UNCONFIRMED = 100;
/** Shortest time between two drawings of a job's numbers. They have rows of their own, without buttons. */
const DRAW_EVERY_MS = 500;
/**
 * Shortest time between two drawings of datasets' counts while a job runs. A row that is redrawn gets new buttons: a
 * button that is just being clicked would lose the click.
 */
const DRAW_WHILE_INDEXING_MS = 5_000;

/** Time between two looks at a job of another window. */
const LOOK_ELSEWHERE_MS = 2_000;

/** The scopes view: running jobs, then scope → model → folders → items. */
export class ScopesTree implements vscode.TreeDataProvider<ScopesNode>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ScopesNode | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  /** One object for each row, so that a changed number changes no row's identity. */
  readonly #nodes = new Map<string, ScopesNode>();
  /** Ids of rows, by those of the rows below them. */
  readonly #parents = new Map<string, string>();
  readonly #pages = new Map<string, number>();
  /** The jobs with numbers to draw. */
  readonly #moved = new Set<IndexingJob>();
  readonly #lookAgain = this.#store.soon(LOOK_ELSEWHERE_MS, () => this.#look());
  readonly #drawSoon = this.#store.soon(DRAW_EVERY_MS, () => this.#drawNumbers());
  /** The last drawn row of each job, and numbers of each dataset. */
  readonly #shownStates = new Map<string, string>();
  #shownCounts = new Map<string, string>();
  #shownNames = '';
  /** Of files that were looked at, by URI. */
  readonly #fileStates = new Map<string, FileState>();
  #datasets: Datasets | undefined;
  #redraw: NodeJS.Timeout | undefined;

  constructor(private readonly services: Services) {
    const { jobs } = services;
    this.#store.add(services.connection.onDidChange(() => this.refresh()));
    // Names of models come from the catalog.
    this.#store.add(services.catalog.onDidChange(() => this.#drawNames()));
    this.#store.add(jobs.onDidChangeList(() => this.refresh()));
    this.#store.add(jobs.onDidProgress((job) => this.#drawJob(job)));
  }

  refresh(): void {
    clearTimeout(this.#redraw);
    this.#redraw = undefined;
    this.#changed.fire(undefined);
  }

  #drawNames(): void {
    if (this.#names() !== this.#shownNames) this.refresh();
  }

  /** How the models of all rows are called. */
  #names(): string {
    const { elsewhere, interrupted, running } = this.services.jobs;
    const heads = [...elsewhere, ...interrupted, ...running].map(({ head }) => head);
    const { modelName } = this.#facts();
    return JSON.stringify([...this.#summaries(), ...heads].map(({ model }) => modelName(model)));
  }

  /** A file of the workspace was written: its rows are marked again. */
  fileChanged(uri: vscode.Uri): void {
    const items = this.#datasets?.ofFile(uri.toString()) ?? [];
    void this.#mark(items.flatMap((item) => this.#nodes.get(itemRowId(item)) ?? []));
  }

  /** Resolves to the first new row: the row that was clicked is gone, and the focus with it. */
  async showMore(node: ScopesNode): Promise<ScopesNode | undefined> {
    const parent = node.kind === 'more' ? this.#nodes.get(node.of) : undefined;
    if (!parent) return undefined;
    const shown = this.#pages.get(parent.id) ?? PAGE;
    this.#pages.set(parent.id, shown + PAGE);
    this.#changed.fire(parent);
    return (await this.getChildren(parent))[shown];
  }

  getTreeItem(node: ScopesNode): vscode.TreeItem {
    return treeItem(node, this.#facts());
  }

  /** Known of every row that was shown; without it no row could be revealed. */
  getParent(node: ScopesNode): ScopesNode | undefined {
    return this.#nodes.get(this.#parents.get(node.id) ?? '');
  }

  async getChildren(node?: ScopesNode): Promise<ScopesNode[]> {
    try {
      if (!node) return await this.#roots();
      if (node.kind === 'job') return this.#numbersOf(node.job);
      if (node.kind === 'interrupted') return await this.#filesOf(node.job);
      if (node.kind === 'elsewhere') return [this.#elsewhereFiles(node.job)];
      if (node.kind === 'scope') return this.#datasetsIn(node.scope);
      if (node.kind === 'dataset')
        return [...this.#notIndexed(node.dataset), ...(await this.#level(node.id, node.dataset, ''))];
      if (node.kind === 'notIndexed') return await this.#filesWith(node);
      if (node.kind === 'folder') return await this.#level(node.id, node.dataset, node.path);
      return [];
    } catch (error) {
      return [{ kind: 'note', id: 'problem', text: messageOf(error) }];
    }
  }

  dispose(): void {
    clearTimeout(this.#redraw);
    this.#store.dispose();
  }

  get #baseUrl(): string {
    return this.services.connection.active?.baseUrl ?? '';
  }

  async #roots(): Promise<ScopesNode[]> {
    if (!this.services.connection.active) return [];
    await this.#open();
    // Shown rows are not drawn again: VS Code would forget them, even the one with an open menu.
    this.#shownCounts = this.#counts();
    this.#shownNames = this.#names();
    const jobs = this.services.jobs.running.map((job) => this.#keep({ kind: 'job', id: jobId(job), job }));
    const scopes = new Set(this.#summaries().map(({ scope }) => scope));
    const rows = [...scopes].sort().map((scope) => this.#keep({ kind: 'scope', id: scopeId(scope), scope }));
    return [...jobs, ...this.#elsewhere(), ...this.#interrupted(), ...rows];
  }

  async #open(): Promise<Datasets> {
    const { datasets, changes } = await this.services.store();
    if (this.#datasets) return datasets;
    this.#datasets = datasets;
    const stop = changes.on('datasets', () => {
      // A running job writes many times a second.
      const isNew = !sameKeys(this.#shownCounts, this.#counts());
      const wait = this.services.jobs.running.length > 0 && !isNew ? DRAW_WHILE_INDEXING_MS : DRAW_EVERY_MS;
      this.#redraw ??= setTimeout(() => this.#drawCounts(), wait);
    });
    this.#store.add({ dispose: stop });
    this.#store.add({ dispose: changes.on('jobs', () => this.#look()) });
    this.#look();
    return datasets;
  }

  /** Another window may have begun a job, interrupted, resumed or ended it; one that works on a job may be killed. */
  #look(): void {
    const { jobs, log } = this.services;
    const numbers = () => JSON.stringify(jobs.elsewhere);
    const before = numbers();
    const look = async () => {
      await jobs.lookForInterrupted();
      if (numbers() !== before) {
        this.#elsewhere();
        for (const job of jobs.elsewhere) this.#changed.fire(this.#elsewhereFiles(job));
      }
      if (jobs.elsewhere.length > 0) this.#lookAgain();
    };
    look().catch((error: unknown) => log.warn(loggedError(error)));
  }

  #elsewhere(): ScopesNode[] {
    return this.services.jobs.elsewhere.map((job) =>
      this.#keep({ kind: 'elsewhere', id: `elsewhere ${job.head.id}`, job }),
    );
  }

  #elsewhereFiles(job: InterruptedIndexingJob): ScopesNode {
    return this.#keep({ kind: 'elsewhereFiles', id: `elsewhere ${job.head.id} files`, job });
  }

  /** Draws the scopes with changed numbers, and leaves the rows of all others alone. */
  #drawCounts(): void {
    this.#redraw = undefined;
    const before = this.#shownCounts;
    const now = this.#counts();
    if (!sameKeys(before, now)) {
      this.refresh();
      return;
    }
    this.#shownCounts = now;
    const changed = this.#summaries().filter(
      (one) => now.get(datasetKey(one)) !== before.get(datasetKey(one)),
    );
    for (const scope of new Set(changed.map((one) => one.scope)))
      this.#changed.fire(this.#nodes.get(scopeId(scope)));
  }

  /** The numbers of each dataset, by its key. */
  #counts(): Map<string, string> {
    return new Map(
      this.#summaries().map((one) => [datasetKey(one), JSON.stringify([one.items, one.counts, one.lastAt])]),
    );
  }

  #numbersOf(job: IndexingJob): ScopesNode[] {
    const id = jobId(job);
    return [
      this.#keep({ kind: 'jobFiles', id: `${id} files`, job }),
      this.#keep({ kind: 'jobPace', id: `${id} pace`, job }),
    ];
  }

  #interrupted(): ScopesNode[] {
    return this.services.jobs.interrupted.map((job) =>
      this.#keep({ kind: 'interrupted', id: `interrupted ${job.head.id}`, job }),
    );
  }

  /** Its numbers, and the files with an unknown outcome: the user decides about them first. */
  async #filesOf(job: InterruptedIndexingJob): Promise<ScopesNode[]> {
    const id = `interrupted ${job.head.id}`;
    const files = await this.services.jobs.unconfirmedIn(job, MOST_UNCONFIRMED);
    const left = (job.counts.inFlight ?? 0) - files.length;
    return [
      this.#keep({ kind: 'interruptedFiles', id: `${id} files`, job }),
      ...files.map((file) => this.#keep({ kind: 'unconfirmed', id: `${id} ${file.imageId}`, file })),
      ...(left > 0
        ? [this.#keep({ kind: 'note', id: `${id} more`, text: l10n.t('And {0} more.', left) })]
        : []),
    ];
  }

  /** Rows of the files that failed or are unconfirmed; where there are none, no row. */
  #notIndexed(dataset: Dataset): ScopesNode[] {
    const counts = this.#summaries().find((one) => datasetKey(one) === datasetKey(dataset))?.counts;
    return (['failed', 'unknown'] as const).flatMap((outcome) => {
      const items = counts?.[outcome] ?? 0;
      if (items === 0) return [];
      const id = notIndexedId(dataset, outcome);
      this.#parents.set(id, `dataset ${datasetKey(dataset)}`);
      return [this.#keep({ kind: 'notIndexed', id, dataset, outcome, items })];
    });
  }

  async #filesWith(node: ScopesNode & { readonly kind: 'notIndexed' }): Promise<ScopesNode[]> {
    const { id, dataset, outcome, items } = node;
    const most = this.#pages.get(id) ?? PAGE;
    const rows = await rowsOfOutcome(await this.#open(), dataset, outcome, most);
    const shown = rows.map((row) => this.#keep(row));
    for (const row of shown) this.#parents.set(row.id, id);
    void this.#mark(shown);
    const left = items - shown.length;
    return left > 0 ? [...shown, { kind: 'more', id: `${id} more`, of: id, left }] : shown;
  }

  /** The first row of a dataset's files of one outcome, with every row above it known to the view. */
  async firstWith(dataset: Dataset, outcome: NotIndexed): Promise<ScopesNode | undefined> {
    await this.getChildren();
    const scope = this.#nodes.get(scopeId(dataset.scope));
    await this.getChildren(scope);
    const group = this.#notIndexed(dataset).find(({ id }) => id === notIndexedId(dataset, outcome));
    return group && (await this.getChildren(group))[0];
  }

  #summaries() {
    return this.#datasets?.summaries(this.#baseUrl) ?? [];
  }

  #datasetsIn(scope: string): ScopesNode[] {
    return this.#summaries()
      .filter((summary) => summary.scope === scope)
      .map(({ baseUrl, model }) => {
        const dataset = { baseUrl, model, scope };
        const id = `dataset ${datasetKey(dataset)}`;
        this.#parents.set(id, scopeId(scope));
        return this.#keep({ kind: 'dataset', id, dataset });
      });
  }

  /** Folders and items directly in a folder: one level at a time, a page at a time, so that a million items stay quick. */
  async #level(of: string, dataset: Dataset, folder: string): Promise<ScopesNode[]> {
    const { rows, left } = await rowsBelow(await this.#open(), dataset, folder, this.#pages.get(of) ?? PAGE);
    if (rows.length === 0) {
      const text = l10n.t('Nothing was indexed here from this computer.');
      return [{ kind: 'note', id: `${of} empty`, text }];
    }
    const shown = rows.map((row) => this.#keep(row));
    for (const { id } of shown) this.#parents.set(id, of);
    void this.#mark(shown);
    return left > 0 ? [...shown, { kind: 'more', id: `${of} more`, of, left }] : shown;
  }

  /** Finds out which of the shown files changed; the rows are there at once, and those few are drawn again. */
  async #mark(rows: readonly ScopesNode[]): Promise<void> {
    for (const row of rows) {
      if (row.kind !== 'item') continue;
      const { file } = row.item;
      const state = await fileStateOf([row.item], vscode.Uri.parse(file));
      if (state === (this.#fileStates.get(file) ?? 'same')) continue;
      this.#fileStates.set(file, state);
      this.#changed.fire(row);
    }
  }

  /** The row's one object, brought up to date. */
  #keep<N extends ScopesNode>(node: N): ScopesNode {
    const known = this.#nodes.get(node.id);
    if (known) return Object.assign(known, node);
    this.#nodes.set(node.id, node);
    return node;
  }

  #drawJob(job: IndexingJob): void {
    const id = jobId(job);
    const state = jobRowState(job);
    if (this.#shownStates.get(id) !== state) {
      this.#shownStates.set(id, state);
      const row = this.#nodes.get(id);
      if (row && this.services.jobs.running.includes(job)) this.#changed.fire(row);
    }
    this.#moved.add(job);
    this.#drawSoon();
  }

  #drawNumbers(): void {
    for (const job of this.#moved)
      for (const row of this.#numbersOf(job))
        if (this.services.jobs.running.includes(job)) this.#changed.fire(row);
    this.#moved.clear();
  }

  #facts(): RowFacts {
    const { models } = this.services.catalog.active;
    const summaries = () => this.#summaries();
    return {
      get summaries() {
        return summaries();
      },
      modelName: (slug) => models?.find((model) => model.slug === slug)?.name ?? slug,
      fileState: (file) => this.#fileStates.get(file) ?? 'same',
    };
  }
}

function jobId(job: IndexingJob): string {
  return `job ${job.head.id}`;
}

function notIndexedId(dataset: Dataset, outcome: NotIndexed): string {
  return `${outcome} of ${datasetKey(dataset)}`;
}

function scopeId(scope: string): string {
  return `scope ${scope}`;
}

function sameKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}
