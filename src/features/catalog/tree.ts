import * as vscode from 'vscode';
import type { ModelSummary } from '../../contract/model';
import { DisposableStore } from '../../platform/disposables';
import { messageOf } from '../../platform/showError';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { filterWords, matchesFilter } from './filter';
import { type CatalogNode, modelTooltip, treeItem } from './nodes';

/** The catalog view: models by group (where there is more than one), each with its modes. */
export class CatalogTree implements vscode.TreeDataProvider<CatalogNode>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  #filter = '';
  #problem: { readonly message: string; readonly nextStep: ServiceError['nextStep'] } | undefined;

  constructor(private readonly services: Services) {
    this.#store.add(services.catalog.onDidChange(() => this.#changed.fire(undefined)));
    this.#store.add(
      services.connection.onDidChange(() => {
        this.#problem = undefined;
        this.#changed.fire(undefined);
      }),
    );
  }

  get filter(): string {
    return this.#filter;
  }

  set filter(text: string) {
    if (text === this.#filter) return;
    this.#filter = text;
    this.#changed.fire(undefined);
  }

  /** How many models the filter leaves, of how many. */
  get counts(): { readonly shown: number; readonly all: number } {
    const all = this.services.catalog.models ?? [];
    return { shown: this.#shown(all).length, all: all.length };
  }

  getTreeItem(node: CatalogNode): vscode.TreeItem {
    return treeItem(node, this.#filter !== '');
  }

  resolveTreeItem(item: vscode.TreeItem, node: CatalogNode): vscode.TreeItem {
    if (node.kind === 'model') item.tooltip = modelTooltip(node.model);
    return item;
  }

  async getChildren(node?: CatalogNode): Promise<CatalogNode[]> {
    if (!node) return this.#roots();
    if (node.kind === 'group') return node.models.map((model) => ({ kind: 'model', model }));
    if (node.kind === 'model') return this.#modes(node.model);
    return [];
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #roots(): Promise<CatalogNode[]> {
    if (!(await this.services.connection.hasKey())) return [];
    const models = this.services.catalog.models ?? (await this.#load());
    const problem: CatalogNode[] = this.#problem ? [{ kind: 'problem', ...this.#problem }] : [];
    const shown = this.#shown(models);
    const groups = groupBy(shown);
    if (groups.size < 2)
      return [...problem, ...shown.map((model): CatalogNode => ({ kind: 'model', model }))];
    const named = [...groups].map(
      ([name, members]): CatalogNode => ({
        kind: 'group',
        name: name || vscode.l10n.t('Other'),
        models: members,
      }),
    );
    return [...problem, ...named];
  }

  #shown(models: readonly ModelSummary[]): readonly ModelSummary[] {
    const words = filterWords(this.#filter);
    return words.length === 0 ? models : models.filter((model) => matchesFilter(model, words));
  }

  async #load(): Promise<readonly ModelSummary[]> {
    try {
      this.#problem = undefined;
      return await this.services.catalog.refresh();
    } catch (error) {
      this.services.log.error(error instanceof Error ? error : String(error));
      const nextStep = error instanceof ServiceError ? error.nextStep : 'showLog';
      this.#problem = { message: messageOf(error), nextStep: nextStep === 'retry' ? 'refresh' : nextStep };
      return [];
    }
  }

  async #modes(model: ModelSummary): Promise<CatalogNode[]> {
    try {
      const contract = await this.services.catalog.contract(model.slug);
      return contract.modes.map((mode) => ({
        kind: 'mode',
        model,
        mode: mode.name,
        ...(mode.description === undefined ? {} : { description: mode.description }),
      }));
    } catch (error) {
      const nextStep = error instanceof ServiceError ? error.nextStep : 'showLog';
      return [{ kind: 'problem', message: messageOf(error), nextStep }];
    }
  }
}

/** By group, in the order of the list. (Node 20, which VS Code 1.100 runs on, has no Map.groupBy.) */
function groupBy(models: readonly ModelSummary[]): Map<string, ModelSummary[]> {
  const groups = new Map<string, ModelSummary[]>();
  for (const model of models) {
    const members = groups.get(model.group ?? '');
    if (members) members.push(model);
    else groups.set(model.group ?? '', [model]);
  }
  return groups;
}
