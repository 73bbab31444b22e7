import * as vscode from 'vscode';
import type { ExplorerArgs } from '../../contributions';
import { mediaTypeOf } from '../../domain/media';
import { contentTypeOf, filenameOf } from '../localFile';

/** What the Explorer, an editor title or the palette pass: the selection, else the clicked file, else nothing. */
export function chosenUris([clicked, selected]: readonly [...ExplorerArgs, ...unknown[]]): vscode.Uri[] {
  const all = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  return all.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri);
}

/** The file of the active tab. An image's editor is no text editor, so tabs are asked. */
export function activeFile(): vscode.Uri | undefined {
  return fileOf(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** The first open file of a kind: active tabs of all editor groups before the tabs behind them. */
export function openFile(kind: string | undefined): vscode.Uri | undefined {
  const groups = vscode.window.tabGroups.all;
  const tabs = [...groups.map((group) => group.activeTab), ...groups.flatMap((group) => group.tabs)];
  return tabs
    .map(fileOf)
    .find(
      (uri) =>
        uri &&
        (kind === undefined || kind === 'file' || mediaTypeOf(contentTypeOf(filenameOf(uri))) === kind),
    );
}

/** Whether a tab shows the file. */
export function isOpen(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .some((tab) => fileOf(tab)?.toString() === uri.toString());
}

function fileOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}
