import * as vscode from 'vscode';

/**
 * The icon of a panel's tab, as pictures for light and dark themes. (A ThemeIcon would follow the theme by itself,
 * but the oldest VS Code that we promise shows none there.)
 */
export function panelIcon(extensionUri: vscode.Uri, panel: 'run' | 'search') {
  const file = (theme: string) =>
    vscode.Uri.joinPath(extensionUri, 'media', 'panels', `${panel}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
