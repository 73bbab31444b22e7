import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import { loggedError } from '../../domain/loggedError';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import { Owner } from '../../vscode/disposables';
import { once } from '../../vscode/once';
import { messageOf } from '../../vscode/showError';
import { fileStateOf } from './fileState';
import { JobRows } from './jobRows';
import { datasetRow, type NotIndexed, type ScopesNode, scopeRow, treeItem } from './nodes';
import { folderRow, notIndexed, notIndexedRow, rowsBelow, rowsOfOutcome } from './rowsBelow';

/** Rows of one level at first, and with each "Show more". */
const PAGE = 500;
/** Shortest time between two drawings of a job's numbers. They have rows of their own, without buttons. */
const DRAW_EVERY_MS = 500;
/** The same for all rows while a job runs: a button that is just being clicked would lose the click. */
const DRAW_WHILE_INDEXING_MS = 5_000;

/** The scopes view: running jobs, then scope → model → folders → items. */
export class ScopesTree extends Owner implements vscode.TreeDataProvider<ScopesNode> {
  readonly #changed = this.store.add(new vscode.EventEmitter<ScopesNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #pages = new Map<string, number>();
  readonly #drawSoon = this.store.soon(DRAW_EVERY_MS, () => this.refresh());
  readonly #drawLater = this.store.soon(DRAW_WHILE_INDEXING_MS, () => this.refresh());
  readonly #drawNumbers = this.store.soon(DRAW_EVERY_MS, () => this.#changed.fire(this.#jobRows.numbers));
  readonly #jobRows: JobRows;
  readonly #open = once(() => this.#follow());

  /** @param reveal shows a row and focuses it */
  constructor(
    private readonly services: Services,
    private readonly reveal: (row: ScopesNode) => unknown,
  ) {
    super();
    const { catalog, connection, jobs } = services;
    this.#jobRows = this.store.add(new JobRows(services));
    this.store.add(connection.onDidChange(() => this.refresh()));
    // Names of models come from the catalog.
    this.store.add(catalog.onDidChange(() => this.#drawSoon()));
    this.store.add(this.#jobRows.onDidChange(() => this.refresh()));
    this.store.add(jobs.onDidProgress(() => this.#drawNumbers()));
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
      switch (node.kind) {
        case 'scope':
          return node.datasets.map((one) => datasetRow(one, one));
        case 'dataset':
          return [...notIndexed(node), ...(await this.#level(node, ''))];
        case 'notIndexed':
          return await this.#filesWith(node);
        case 'folder':
          return await this.#level(node, node.path);
        default:
          return 'job' in node ? await this.#jobRows.below(node) : [];
      }
    } catch (error) {
      return [{ kind: 'note', id: 'problem', text: messageOf(error) }];
    }
  }

  /** The first row of a dataset's files of one outcome. */
  async firstWith(dataset: Dataset, outcome: NotIndexed): Promise<ScopesNode | undefined> {
    return (await this.getChildren(notIndexedRow(dataset, outcome, 0)))[0];
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
    const { active } = this.services.connection;
    if (!active) return [];
    const datasets = (await this.#open()).summaries(active.baseUrl);
    const scopes = [...Map.groupBy(datasets, ({ scope }) => scope)].sort(([a], [b]) => (a < b ? -1 : 1));
    return [...this.#jobRows.roots, ...scopes.map(([scope, of]) => scopeRow(scope, of))];
  }

  async #follow(): Promise<Datasets> {
    const { datasets, changes } = await this.services.store();
    const draw = () => (this.services.jobs.running.length > 0 ? this.#drawLater() : this.#drawSoon());
    this.store.add({ dispose: changes.on('datasets', draw) });
    this.store.add({ dispose: changes.on('jobs', () => this.#jobRows.look()) });
    this.#jobRows.look();
    return datasets;
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
