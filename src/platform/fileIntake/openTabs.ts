import * as vscode from 'vscode';

/** The file of the active tab. An image's editor is no text editor, so tabs are asked. */
export function activeFile(): vscode.Uri | undefined {
  return tabFile(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** Whether a tab shows the file. */
export function isOpen(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .some((tab) => tabFile(tab)?.toString() === uri.toString());
}

/** Whether the user sees the file in an editor of its own, such as a table. */
export function isInSight(uri: vscode.Uri): boolean {
  return (
    vscode.window.state.focused &&
    vscode.window.tabGroups.all.some(
      ({ activeTab }) =>
        activeTab?.input instanceof vscode.TabInputCustom &&
        activeTab.input.uri.toString() === uri.toString(),
    )
  );
}

/** The file that a tab shows, as text or in an editor of its own. */
export function tabFile(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}
