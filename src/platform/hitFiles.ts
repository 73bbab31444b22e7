import * as vscode from 'vscode';
import type { Dataset } from '../domain/dataset';
import { contentTypeOf } from '../intake/contentType';
import { fileOfHit } from '../runFiles/hitFile';
import type { Datasets } from '../store/datasets';
import { fileFacts } from '../vscode/fileFacts';

/** The user's own file of a hit in a dataset: see `fileOfHit`. */
export async function hitFile(
  id: string,
  dataset: Dataset,
  datasets: Datasets | undefined,
): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    uri: String(uri),
    name,
  }));
  const known = (name: string) => datasets?.ofHit(dataset, name)?.file;
  const file = await fileOfHit(id, { known, folders, isFile: (uri) => isFile(vscode.Uri.parse(uri)) });
  return file === undefined ? undefined : vscode.Uri.parse(file);
}

/** Whether there is a file at a URI. */
export async function isFile(uri: vscode.Uri): Promise<boolean> {
  const facts = await fileFacts(uri).catch(() => undefined);
  return facts !== undefined && !facts.isFolder;
}

/** Whether a file is a picture, by its name. */
export function isPicture(path: string): boolean {
  return contentTypeOf(path).startsWith('image/');
}
