import * as vscode from 'vscode';
import { DisposableStore } from './disposables';
import { once } from './once';

type Tree<Node> = vscode.TreeDataProvider<Node> & vscode.Disposable;

/** The rows of a view; its code is loaded when it is first shown. */
export class LazyTree<Node, T extends Tree<Node>> implements Tree<Node> {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined | null | void | Node | Node[]>());
  readonly onDidChangeTreeData = this.#changed.event;

  /** The tree itself, also before the view is shown. */
  readonly load = once(async () => {
    const tree = this.#store.add(await this.create());
    const forward = tree.onDidChangeTreeData?.((changed) => this.#changed.fire(changed));
    if (forward) this.#store.add(forward);
    this.loaded = tree;
    return tree;
  });

  /** Undefined until the first use. */
  loaded: T | undefined;

  constructor(private readonly create: () => Promise<T>) {}

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    return (await this.load()).getTreeItem(node);
  }

  async getChildren(node?: Node): Promise<Node[] | null | undefined> {
    return (await this.load()).getChildren(node);
  }

  async getParent(node: Node): Promise<Node | null | undefined> {
    return (await this.load()).getParent?.(node);
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    node: Node,
    token: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    return (await (await this.load()).resolveTreeItem?.(item, node, token)) ?? item;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
