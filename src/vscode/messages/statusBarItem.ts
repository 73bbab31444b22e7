import * as vscode from 'vscode';
import type { CommandId } from '../../contributions';
import { plainLine, plainLines } from '../../wording/plainText';

export interface StatusLook {
  /** A codicon's name: the only icon of the item, even if its text contains another. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: readonly string[] | vscode.MarkdownString;
  /** The text for a screen reader. */
  readonly label: string;
  readonly command: CommandId;
  readonly background?: vscode.ThemeColor | undefined;
}

/** A status bar item, of plain texts. */
export class StatusBarItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  /** @param name its name in the menu of the status bar */
  constructor(id: string, priority: number, name: string) {
    this.#item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, priority);
    this.#item.name = plainLine(name);
  }

  /** Sets only the changed properties: each set property redraws the item. */
  show({ icon, text, tooltip, label, command, background }: StatusLook): void {
    const item = this.#item;
    const shown = `$(${icon}) ${plainLine(text)}`;
    if (item.text !== shown) item.text = shown;
    if (item.command !== command) item.command = command;
    if (item.backgroundColor?.id !== background?.id) item.backgroundColor = background;
    const spoken = plainLine(label);
    if (item.accessibilityInformation?.label !== spoken) item.accessibilityInformation = { label: spoken };
    const hover = tooltip instanceof vscode.MarkdownString ? tooltip : plainLines(tooltip);
    if (tooltipText(item.tooltip) !== tooltipText(hover)) item.tooltip = hover;
    item.show();
  }

  hide(): void {
    this.#item.hide();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function tooltipText(tooltip: string | vscode.MarkdownString | undefined): string | undefined {
  return typeof tooltip === 'object' ? tooltip.value : tooltip;
}
