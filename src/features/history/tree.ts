import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { once } from '../../platform/once';
import type { Services } from '../../services';
import { byDay, type HistoryNode, runTooltip, treeItem } from './nodes';

/** The history view. The history itself is opened when the view is first shown. */
export class HistoryTree implements vscode.TreeDataProvider<HistoryNode>, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #history = once(async () => {
    const history = await this.services.history();
    // Runs may be recorded in bursts: the view refreshes at most five times a second.
    const redraw = this.#store.soon(200, () => this.#changed.fire(undefined));
    this.#store.add({ dispose: history.onDidChange(redraw) });
    return history;
  });

  constructor(private readonly services: Services) {}

  getTreeItem(node: HistoryNode): vscode.TreeItem {
    return treeItem(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: HistoryNode): vscode.TreeItem {
    if (node.kind === 'run') item.tooltip = runTooltip(node.run);
    return item;
  }

  async getChildren(node?: HistoryNode): Promise<HistoryNode[]> {
    if (node?.kind === 'run') return [];
    if (node?.kind === 'day') return node.runs.map((run) => ({ kind: 'run', id: run.id, run }));
    return byDay((await this.#history()).runs);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
