import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../contributions';
import { plainLine, plainLines } from '../../wording/plainText';
import { HeldChanges } from '../heldChanges';
import { withPlainProperties } from './plainProperties';

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

/** The last row of a long list: a click runs the command that shows more of it. */
export function moreRow(id: string, left: number, command: CommandId, argument: unknown): vscode.TreeItem {
  const title = l10n.t('Show more ({0} left)', left);
  const iconPath = new vscode.ThemeIcon('ellipsis');
  return treeRow(title, { id, iconPath, command: { command, title, arguments: [argument] } });
}

/** A tree view with rows that change while it is shown; the texts beside its title are plain. */
export function createTreeView<T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> {
  const plain = (text: string | undefined) => (text === undefined ? undefined : plainLine(text));
  const rows = new HeldChanges(options.treeDataProvider);
  const view = vscode.window.createTreeView(id, { ...options, treeDataProvider: rows.provider });
  rows.show(view.visible);
  view.onDidChangeVisibility(({ visible }) => rows.show(visible));
  return withPlainProperties(view, {
    title: plain,
    description: plain,
    message: plain,
  });
}

/** A row with the tooltip that is made when it is hovered. */
export function withTooltip(item: vscode.TreeItem, tooltip: vscode.MarkdownString): vscode.TreeItem {
  item.tooltip = tooltip;
  return item;
}
