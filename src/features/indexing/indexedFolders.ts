import * as vscode from 'vscode';
import { type Dataset, datasetKey } from '../../domain/dataset';
import { fileFacts } from '../../vscode/fileFacts';

/** Folders remembered of a dataset; the last chosen ones stay. */
const MOST_FOLDERS = 50;
/** Files of a folder from which on it counts as indexed, where its user did not choose it as a folder. */
const FILES_OF_A_FOLDER = 2;

/** Remembers which folders the user chose for a dataset: files that are added there later belong to it too. */
export async function rememberFolders(
  memory: vscode.Memento,
  dataset: Dataset,
  chosen: readonly vscode.Uri[],
): Promise<void> {
  const folders: string[] = [];
  for (const uri of chosen) {
    const facts = await fileFacts(uri).catch(() => undefined);
    if (facts?.isFolder) folders.push(uri.toString());
  }
  if (folders.length === 0) return;
  const all = [...new Set([...chosenFolders(memory, dataset), ...folders])];
  const outermost = all.filter((one) => !all.some((other) => one.startsWith(`${other}/`)));
  await memory.update(folderKey(dataset), outermost.slice(-MOST_FOLDERS));
}

/**
 * Where to look for files that were added since: the folders the user chose, with all below them. Of files indexed
 * before folders were remembered, the folders that hold several.
 */
export function foldersToLookIn(
  memory: vscode.Memento,
  dataset: Dataset,
  files: readonly string[],
): readonly vscode.Uri[] {
  const folders = chosenFolders(memory, dataset);
  const isCovered = (file: string) => folders.some((folder) => file.startsWith(`${folder}/`));
  const others = new Map<string, number>();
  for (const file of files) {
    if (isCovered(file)) continue;
    const folder = file.slice(0, file.lastIndexOf('/'));
    others.set(folder, (others.get(folder) ?? 0) + 1);
  }
  const holding = [...others].filter(([, count]) => count >= FILES_OF_A_FOLDER).map(([folder]) => folder);
  return [...folders, ...holding].map((folder) => vscode.Uri.parse(folder, true));
}

function chosenFolders(memory: vscode.Memento, dataset: Dataset): readonly string[] {
  return memory.get<readonly string[]>(folderKey(dataset), []);
}

function folderKey(dataset: Dataset): string {
  return `indexing.folders.${datasetKey(dataset)}`;
}
