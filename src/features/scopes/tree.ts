import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { loggedError } from '../../domain/loggedError';
import type { IndexingJob, InterruptedIndexingJob } from '../../indexing/indexingJobs';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';
import { messageOf } from '../../vscode/showError';
import { fileStateOf } from './fileState';
import { datasetRow, type NotIndexed, type ScopesNode, scopeRow, treeItem } from './nodes';
import { folderRow, rowsBelow, rowsOfOutcome } from './rowsBelow';

/** Rows of one level at first, and with each "Show more". */
const PAGE = 500;
/** Unconfirmed files of an interrupted job that have rows. */
const MOST_UNCONFIRMED = 100;
/** Shortest time between two drawings of a job's numbers. They have rows of their own, without buttons. */
const DRAW_EVERY_MS = 500;
/** The same for all rows while a job runs: a button that is just being clicked would lose the click. */
const DRAW_WHILE_INDEXING_MS = 5_000;
/** Time between two looks at a job of another window. */
const LOOK_ELSEWHERE_MS = 2_000;

/** The scopes view: running jobs, then scope → model → folders → items. */
export class ScopesTree implements vscode.TreeDataProvider<ScopesNode>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ScopesNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #pages = new Map<string, number>();
  readonly #lookAgain = this.#store.soon(LOOK_ELSEWHERE_MS, () => this.#look());
  readonly #drawSoon = this.#store.soon(DRAW_EVERY_MS, () => this.refresh());
  readonly #drawLater = this.#store.soon(DRAW_WHILE_INDEXING_MS, () => this.refresh());
  readonly #drawNumbers = this.#store.soon(DRAW_EVERY_MS, () =>
    this.#changed.fire(this.services.jobs.running.flatMap((job) => this.#numbersOf(job))),
  );
  /** The rows of the numbers of a job, which are drawn without the job's own. */
  readonly #numbers = new WeakMap<IndexingJob, ScopesNode[]>();
  readonly #open = once(() => this.#follow());

  /** @param reveal shows a row and focuses it */
  constructor(
    private readonly services: Services,
    private readonly reveal: (row: ScopesNode) => unknown,
  ) {
    const { catalog, connection, jobs } = services;
    this.#store.add(connection.onDidChange(() => this.refresh()));
    // Names of models come from the catalog.
    this.#store.add(catalog.onDidChange(() => this.#drawSoon()));
    this.#store.add(jobs.onDidChangeList(() => this.refresh()));
    this.#store.add(jobs.onDidProgress(() => this.#drawNumbers()));
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  /** A file of the workspace was written: its rows are marked again. */
  fileChanged(uri: vscode.Uri): void {
    const draw = async () => {
      if ((await this.#open()).ofFile(uri.toString()).length > 0) this.#drawSoon();
    };
    draw().catch((error: unknown) => this.services.log.warn(loggedError(error)));
  }

  getTreeItem(node: ScopesNode): vscode.TreeItem {
    const { models } = this.services.catalog.active;
    return treeItem(node, {
      modelName: (slug) => models?.find((model) => model.slug === slug)?.name ?? slug,
      showMore: (more) => this.#showMore(more.of),
    });
  }

  /** By the facts of a row, so that any row can be revealed. */
  getParent(node: ScopesNode): ScopesNode | undefined {
    if (node.kind === 'dataset') return scopeRow(node.dataset.scope, []);
    if (!('dataset' in node)) return undefined;
    const { dataset } = node;
    if (node.kind === 'item' && node.under) return notIndexedRow(dataset, node.under, 0);
    const path = node.kind === 'item' ? node.item.imageId : node.kind === 'folder' ? node.path : '';
    const folder = posix.dirname(path);
    return folder === '.' ? datasetRow(dataset) : folderRow(dataset, folder, 0);
  }

  async getChildren(node?: ScopesNode): Promise<ScopesNode[]> {
    try {
      if (!node) return await this.#roots();
      if (node.kind === 'job') return this.#numbersOf(node.job);
      if (node.kind === 'interrupted') return await this.#filesOf(node.job);
      if (node.kind === 'elsewhere')
        return [{ kind: 'elsewhereFiles', id: `elsewhere ${node.job.head.id} files`, job: node.job }];
      if (node.kind === 'scope') return node.datasets.map((one) => datasetRow(one, one));
      if (node.kind === 'dataset') return [...notIndexed(node), ...(await this.#level(node, ''))];
      if (node.kind === 'notIndexed') return await this.#filesWith(node);
      return node.kind === 'folder' ? await this.#level(node, node.path) : [];
    } catch (error) {
      return [{ kind: 'note', id: 'problem', text: messageOf(error) }];
    }
  }

  /** The first row of a dataset's files of one outcome. */
  async firstWith(dataset: Dataset, outcome: NotIndexed): Promise<ScopesNode | undefined> {
    return (await this.getChildren(notIndexedRow(dataset, outcome, 0)))[0];
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The row that was clicked is gone, and the focus with it: the first new one has it. */
  async #showMore(of: ScopesNode): Promise<void> {
    const shown = this.#pages.get(of.id) ?? PAGE;
    this.#pages.set(of.id, shown + PAGE);
    this.refresh();
    const first = (await this.getChildren(of))[shown];
    if (first) await this.reveal(first);
  }

  async #roots(): Promise<ScopesNode[]> {
    const { connection, jobs } = this.services;
    if (!connection.active) return [];
    const scopes = Map.groupBy(
      (await this.#open()).summaries(connection.active.baseUrl),
      ({ scope }) => scope,
    );
    return [
      ...jobs.running.map((job): ScopesNode => ({ kind: 'job', id: `job ${job.head.id}`, job })),
      ...jobs.elsewhere.map(
        (job): ScopesNode => ({ kind: 'elsewhere', id: `elsewhere ${job.head.id}`, job }),
      ),
      ...jobs.interrupted.map((job): ScopesNode => {
        return { kind: 'interrupted', id: `interrupted ${job.head.id}`, job };
      }),
      ...[...scopes.keys()].sort().map((scope) => scopeRow(scope, scopes.get(scope)!)),
    ];
  }

  async #follow(): Promise<Datasets> {
    const { datasets, changes } = await this.services.store();
    const draw = () => (this.services.jobs.running.length > 0 ? this.#drawLater() : this.#drawSoon());
    this.#store.add({ dispose: changes.on('datasets', draw) });
    this.#store.add({ dispose: changes.on('jobs', () => this.#look()) });
    this.#look();
    return datasets;
  }

  /** Another window may have begun a job, interrupted, resumed or ended it; one that works on a job may be killed. */
  #look(): void {
    const { jobs, log } = this.services;
    const before = JSON.stringify(jobs.elsewhere);
    const look = async () => {
      await jobs.lookForInterrupted();
      if (JSON.stringify(jobs.elsewhere) !== before) this.refresh();
      if (jobs.elsewhere.length > 0) this.#lookAgain();
    };
    look().catch((error: unknown) => log.warn(loggedError(error)));
  }

  #numbersOf(job: IndexingJob): ScopesNode[] {
    const id = `job ${job.head.id}`;
    const rows = this.#numbers.get(job) ?? [
      { kind: 'jobFiles', id: `${id} files`, job },
      { kind: 'jobPace', id: `${id} pace`, job },
    ];
    this.#numbers.set(job, rows);
    return rows;
  }

  /** Its numbers, and the files with an unknown outcome: the user decides about them first. */
  async #filesOf(job: InterruptedIndexingJob): Promise<ScopesNode[]> {
    const id = `interrupted ${job.head.id}`;
    const files = await this.services.jobs.unconfirmedIn(job, MOST_UNCONFIRMED);
    const left = (job.counts.inFlight ?? 0) - files.length;
    return [
      { kind: 'interruptedFiles', id: `${id} files`, job },
      ...files.map((file): ScopesNode => ({ kind: 'unconfirmed', id: `${id} ${file.imageId}`, file })),
      ...(left > 0 ? [{ kind: 'note' as const, id: `${id} more`, text: l10n.t('And {0} more.', left) }] : []),
    ];
  }

  async #filesWith(node: ScopesNode & { readonly kind: 'notIndexed' }): Promise<ScopesNode[]> {
    const most = this.#pages.get(node.id) ?? PAGE;
    const rows = await rowsOfOutcome(await this.#open(), node.dataset, node.outcome, most);
    return this.#marked(node, rows, node.items - rows.length);
  }

  /** Folders and items directly in a folder: one level at a time, a page at a time, so that a million items stay quick. */
  async #level(of: ScopesNode & { readonly dataset: Dataset }, folder: string): Promise<ScopesNode[]> {
    const most = this.#pages.get(of.id) ?? PAGE;
    const { rows, left } = await rowsBelow(await this.#open(), of.dataset, folder, most);
    if (rows.length > 0) return this.#marked(of, rows, left);
    const text = l10n.t('Nothing was indexed here from this computer.');
    return [{ kind: 'note', id: `${of.id} empty`, text }];
  }

  /** With the state of each file on the disk, and the way to those that are left. */
  async #marked(of: ScopesNode, rows: readonly ScopesNode[], left: number): Promise<ScopesNode[]> {
    const mark = async (row: ScopesNode): Promise<ScopesNode> =>
      row.kind === 'item'
        ? { ...row, state: await fileStateOf([row.item], vscode.Uri.parse(row.item.file)) }
        : row;
    const shown = await Promise.all(rows.map(mark));
    return left > 0 ? [...shown, { kind: 'more', id: `${of.id} more`, of, left }] : shown;
  }
}

/** Rows of the files that failed or are unconfirmed; where there are none, no row. */
function notIndexed({ dataset, summary }: ScopesNode & { readonly kind: 'dataset' }): ScopesNode[] {
  return (['failed', 'unknown'] as const).flatMap((outcome) => {
    const items = summary?.counts[outcome] ?? 0;
    return items === 0 ? [] : [notIndexedRow(dataset, outcome, items)];
  });
}

function notIndexedRow(dataset: Dataset, outcome: NotIndexed, items: number): ScopesNode {
  return { kind: 'notIndexed', id: `${outcome} of ${datasetKey(dataset)}`, dataset, outcome, items };
}
