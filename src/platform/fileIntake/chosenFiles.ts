import * as vscode from 'vscode';
import { fileFacts } from '../../vscode/fileFacts';
import { searchFiles } from '../searchFiles';

/** Files of a folder that are looked at for their kinds. */
const MOST_FILES = 20_000;

/** Files and folders that a user chose, by the paths of their URIs. */
interface ChosenFiles {
  readonly single: readonly string[];
  readonly folders: readonly string[];
  /** All files, those in folders too. */
  readonly files: readonly string[];
}

/** The files among the chosen places, and those inside the chosen folders. */
export async function chosenFiles(uris: readonly vscode.Uri[]): Promise<ChosenFiles> {
  const folders: vscode.Uri[] = [];
  const single: vscode.Uri[] = [];
  for (const uri of uris) ((await fileFacts(uri))?.isFolder ? folders : single).push(uri);
  const inFolders = await Promise.all(
    folders.map((folder) => searchFiles(new vscode.RelativePattern(folder, '**/*'), MOST_FILES)),
  );
  const paths = (some: readonly vscode.Uri[]) => some.map(({ path }) => path);
  return { folders: paths(folders), single: paths(single), files: paths([...single, ...inFolders.flat()]) };
}
