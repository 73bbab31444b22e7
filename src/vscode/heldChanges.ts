import * as vscode from 'vscode';

/**
 * The rows of a tree view, whose changes wait while the view is hidden.
 *
 * VS Code keeps the rows of a hidden view and shows them again until it has others, but disposes of their commands
 * with the second change event (extHostTreeView.ts, `_nodesToClear`): a row that is opened as soon as the view is
 * shown would fail with “Actual command not found”. If changes are reported only while the view is shown, VS Code
 * keeps the commands of shown rows until it has drawn others.
 */
export class HeldChanges<Node> {
  readonly #changed = new vscode.EventEmitter<undefined | null | void | Node | Node[]>();
  readonly provider: vscode.TreeDataProvider<Node>;
  #isShown = false;
  /** VS Code has rows that may be shown again. */
  #hasRows = false;
  #isHeld = false;

  constructor(rows: vscode.TreeDataProvider<Node>) {
    // Ends with the rows.
    rows.onDidChangeTreeData?.((changed) => {
      if (this.#isShown) this.#changed.fire(changed);
      // Rows that were never asked for are read when the view is shown for the first time.
      else this.#isHeld = this.#hasRows;
    });
    this.provider = {
      onDidChangeTreeData: this.#changed.event,
      getTreeItem: (node) => rows.getTreeItem(node),
      getChildren: (node) => {
        this.#hasRows = true;
        return rows.getChildren(node);
      },
      // VS Code asks whether there are such functions.
      ...(rows.getParent && { getParent: (node) => rows.getParent?.(node) }),
      ...(rows.resolveTreeItem && {
        resolveTreeItem: (item, node, token) => rows.resolveTreeItem?.(item, node, token),
      }),
    };
  }

  /** The view was shown or hidden. Changes meanwhile are passed on as a change of all rows. */
  show(isShown: boolean): void {
    this.#isShown = isShown;
    if (!isShown || !this.#isHeld) return;
    this.#isHeld = false;
    this.#changed.fire(undefined);
  }
}
