import * as vscode from 'vscode';
import { plainLine } from '../../wording/plainText';

/** A webview panel; its tab's title is plain. A title that is set later is made plain by `openPage`. */
export function createWebviewPanel(
  viewType: string,
  title: string,
  column: Parameters<typeof vscode.window.createWebviewPanel>[2],
): vscode.WebviewPanel {
  // Ctrl+F finds in the page, as in any editor.
  return vscode.window.createWebviewPanel(viewType, plainLine(title), column, { enableFindWidget: true });
}

/** A terminal with a program of ours; its tab's title is plain. */
export function createTerminal(name: string, pty: vscode.Pseudoterminal): vscode.Terminal {
  return vscode.window.createTerminal({
    name: plainLine(name),
    pty,
    iconPath: new vscode.ThemeIcon('beaker'),
  });
}
