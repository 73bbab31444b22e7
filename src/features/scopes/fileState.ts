import type * as vscode from 'vscode';
import type { IndexedFile } from '../../store/items';
import { fileFacts } from '../../vscode/fileFacts';

export type FileState = 'same' | 'changed' | 'missing';

/** Whether a file is unchanged since it was indexed, by size and time alone: cheap enough for every visible row. */
export async function fileStateOf(items: readonly IndexedFile[], uri: vscode.Uri): Promise<FileState> {
  try {
    const facts = await fileFacts(uri);
    if (!facts) return 'missing';
    const { sizeBytes, modifiedMs } = facts;
    const same = items.every((item) => item.sizeBytes === sizeBytes && item.modifiedMs === modifiedMs);
    return same ? 'same' : 'changed';
  } catch {
    // A disk that does not respond says nothing about the file.
    return 'same';
  }
}
