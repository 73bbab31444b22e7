import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../contributions';
import { plainLine, plainLines } from '../../wording/plainText';
import { plain, withPlainProperties } from './plainProperties';

/** The properties of a row, beside its label. Lines of its tooltip are a list: a line break in a text is not ours. */
export interface RowProperties extends Omit<Partial<vscode.TreeItem>, 'label' | 'description' | 'tooltip'> {
  readonly description?: string;
  readonly tooltip?: readonly string[];
}

/** A row of a tree view, of plain texts. */
export function treeRow(
  label: string,
  { description, tooltip, accessibilityInformation, command, ...properties }: RowProperties,
): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(plainLine(label)), properties, {
    ...(description !== undefined && { description: plainLine(description) }),
    ...(tooltip && { tooltip: plainLines(tooltip) }),
    ...(accessibilityInformation && {
      accessibilityInformation: {
        ...accessibilityInformation,
        label: plainLine(accessibilityInformation.label),
      },
    }),
    ...(command && { command: { ...command, title: plainLine(command.title) } }),
  });
}

/** The last row of a long list: a click shows more of it. */
export function moreRow(id: string, left: number, more: () => unknown): vscode.TreeItem {
  const command: CommandId = 'modelBench.showMore';
  const title = l10n.t('Show more ({0} left)', left);
  const iconPath = new vscode.ThemeIcon('ellipsis');
  return treeRow(title, { id, iconPath, command: { command, title, arguments: [more] } });
}

/** A tree view with rows that change while it is shown; the texts beside its title are plain. */
export function createTreeView<T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> {
  const rows = new HeldChanges(options.treeDataProvider);
  const view = vscode.window.createTreeView(id, { ...options, treeDataProvider: rows.provider });
  rows.show(view.visible);
  view.onDidChangeVisibility(({ visible }) => rows.show(visible));
  return withPlainProperties(view, { title: plain, description: plain, message: plain });
}

/** A row with the tooltip that is made when it is hovered. */
export function withTooltip(item: vscode.TreeItem, tooltip: vscode.MarkdownString): vscode.TreeItem {
  item.tooltip = tooltip;
  return item;
}

/**
 * The rows of a tree view, whose changes wait while the view is hidden.
 *
 * VS Code keeps the rows of a hidden view and shows them again until it has others, but disposes of their commands
 * with the second change event (extHostTreeView.ts, `_nodesToClear`): a row that is opened as soon as the view is
 * shown would fail with “Actual command not found”. If changes are reported only while the view is shown, VS Code
 * keeps the commands of shown rows until it has drawn others.
 *
 * A reported row that looks as before is left out: VS Code would draw it for some milliseconds.
 */
class HeldChanges<Node> {
  readonly #changed = new vscode.EventEmitter<undefined | null | void | Node | Node[]>();
  readonly provider: vscode.TreeDataProvider<Node>;
  #isShown = false;
  /** VS Code has rows that may be shown again. */
  #hasRows = false;
  #isHeld = false;
  /** The look of each row that VS Code was given. */
  readonly #looks = new Map<Node, string>();

  constructor(private readonly rows: vscode.TreeDataProvider<Node>) {
    // Ends with the rows.
    rows.onDidChangeTreeData?.((changed) => {
      if (this.#isShown)
        void (Array.isArray(changed) ? this.#fireRows(changed) : this.#changed.fire(changed));
      // Rows that were never asked for are read when the view is shown for the first time.
      else this.#isHeld = this.#hasRows;
    });
    this.provider = {
      onDidChangeTreeData: this.#changed.event,
      getTreeItem: async (node) => {
        const item = await rows.getTreeItem(node);
        this.#looks.set(node, lookOf(item));
        return item;
      },
      getChildren: (node) => {
        this.#hasRows = true;
        if (!node) this.#looks.clear();
        return rows.getChildren(node);
      },
      // VS Code asks whether there are such functions.
      ...(rows.getParent && { getParent: (node) => rows.getParent?.(node) }),
      ...(rows.resolveTreeItem && {
        resolveTreeItem: (item, node, token) => rows.resolveTreeItem?.(item, node, token),
      }),
    };
  }

  async #fireRows(reported: readonly Node[]): Promise<void> {
    const known = reported.filter((row) => this.#looks.has(row));
    const items = await Promise.all(known.map((row) => this.rows.getTreeItem(row)));
    const changed = known.filter((row, at) => this.#looks.get(row) !== lookOf(items[at]!));
    if (changed.length > 0) this.#changed.fire(changed);
  }

  /** The view was shown or hidden. Changes meanwhile are passed on as a change of all rows. */
  show(isShown: boolean): void {
    this.#isShown = isShown;
    if (!isShown || !this.#isHeld) return;
    this.#isHeld = false;
    this.#changed.fire(undefined);
  }
}

/** Commands hold whole responses. */
function lookOf(item: vscode.TreeItem): string {
  return JSON.stringify({ ...item, command: undefined });
}
