import { delimiter } from 'node:path';
import * as vscode from 'vscode';
import { realPath, workspaceId } from '../store/workspaceId';

/** The open workspace, by its file or its folders: see `workspaceId`. */
export function openWorkspace(): string {
  return workspaceId(openPlaces().map((uri) => (uri.scheme === 'file' ? uri.fsPath : uri.toString())));
}

/** The same for its terminals, with the folders in which they belong to it: see `workspaceOf`. */
export function workspaceOfTerminals(): string {
  const { workspaceFolders = [] } = vscode.workspace;
  const onDisk = workspaceFolders.filter(({ uri }) => uri.scheme === 'file');
  return [openWorkspace(), ...onDisk.map(({ uri }) => realPath(uri.fsPath))].join(delimiter);
}

/**
 * Where files of the open workspace are kept, one folder for all its windows: VS Code's own differs between windows on
 * hosts that are servers. Undefined: the window has no folder.
 */
export function workspaceStorage({ globalStorageUri }: vscode.ExtensionContext): vscode.Uri | undefined {
  return openPlaces().length === 0
    ? undefined
    : vscode.Uri.joinPath(globalStorageUri, 'workspaces', openWorkspace());
}

function openPlaces(): readonly vscode.Uri[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // A workspace that was not saved is only its folders.
  return workspaceFile && workspaceFile.scheme !== 'untitled'
    ? [workspaceFile]
    : workspaceFolders.map(({ uri }) => uri);
}
