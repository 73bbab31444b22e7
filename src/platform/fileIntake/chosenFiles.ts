import * as vscode from 'vscode';
import { fileFacts } from '../../vscode/fileFacts';
import { searchFiles } from '../searchFiles';

/** Files of a folder that are looked at for their kinds. */
const MOST_FILES = 20_000;

/** The paths of chosen files and folders, and of all files, those in the folders too. */
export async function chosenFiles(uris: readonly vscode.Uri[]) {
  const folders: vscode.Uri[] = [];
  const single: vscode.Uri[] = [];
  for (const uri of uris) ((await fileFacts(uri))?.isFolder ? folders : single).push(uri);
  const inFolders = await Promise.all(
    folders.map((folder) => searchFiles(new vscode.RelativePattern(folder, '**/*'), MOST_FILES)),
  );
  const paths = (some: readonly vscode.Uri[]) => some.map(({ path }) => path);
  return { folders: paths(folders), single: paths(single), files: paths([...single, ...inFolders.flat()]) };
}
