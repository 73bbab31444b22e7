import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

export interface FileFacts {
  readonly isFolder: boolean;
  readonly sizeBytes: number;
  /** Milliseconds since the epoch, rounded as VS Code's own stat does it. */
  readonly modifiedMs: number;
}

/**
 * Undefined where there is no such file. One of this machine is looked up on its disk: through VS Code every look
 * takes a round trip to the window, and thousands of files half a minute.
 * @throws the error of the look-up
 */
export async function fileFacts(uri: vscode.Uri): Promise<FileFacts | undefined> {
  try {
    if (uri.scheme === 'file') {
      const facts = await stat(uri.fsPath);
      // A pipe or a device has no end, or waits for one who writes.
      if (!facts.isFile() && !facts.isDirectory())
        throw new Error(l10n.t('It is neither a file nor a folder.'));
      return {
        isFolder: facts.isDirectory(),
        sizeBytes: facts.size,
        modifiedMs: Math.round(facts.mtimeMs),
      };
    }
    const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
    const isFolder = (type & vscode.FileType.Directory) !== 0;
    return { isFolder, sizeBytes: size, modifiedMs: Math.round(mtime) };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  if (error instanceof vscode.FileSystemError) return error.code === 'FileNotFound';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
