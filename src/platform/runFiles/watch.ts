import * as vscode from 'vscode';
import { DisposableStore } from '../../vscode/disposables';
import { fileFacts } from '../../vscode/fileFacts';
import { searchFiles } from '../searchFiles';
import { isRunFileName, RUN_FILES } from './names';

/** Files are written in bursts: a branch that is checked out. */
const BURST_MS = 300;
/** New paths of a burst that are looked at; of more, the whole workspace is searched once. */
const MOST_LOOKED_AT = 50;

export interface RunFileListener {
  /** Written, made or removed. */
  readonly changed: (uris: readonly vscode.Uri[]) => void;
  /** Removed or renamed, perhaps a folder with all that is in it. */
  readonly gone: (uri: vscode.Uri) => void;
}

/**
 * Follows the run files of the workspace. Of a folder that is renamed, moved or removed only its own path is reported:
 * everything below it is gone, and a new one is searched.
 */
export function watchRunFiles({ changed, gone }: RunFileListener): vscode.Disposable {
  const store = new DisposableStore();
  const written = new Map<string, vscode.Uri>();
  const made = new Map<string, vscode.Uri>();
  const report = store.soon(BURST_MS, () => {
    const [files, paths] = [[...written.values()], [...made.values()]];
    written.clear();
    made.clear();
    if (files.length > 0) changed(files);
    if (paths.length > 0) void lookInto(paths).then((existing) => existing.length > 0 && changed(existing));
  });
  const noteIn = (paths: Map<string, vscode.Uri>) => (uri: vscode.Uri) => {
    if (uri.path.includes('/node_modules/')) return;
    paths.set(uri.toString(), uri);
    report();
  };
  const files = store.add(vscode.workspace.createFileSystemWatcher(RUN_FILES));
  store.add(files.onDidChange(noteIn(written)));
  store.add(files.onDidCreate(noteIn(written)));
  store.add(files.onDidDelete(noteIn(written)));
  const all = store.add(vscode.workspace.createFileSystemWatcher('**', false, true, false));
  store.add(all.onDidCreate((uri) => !isRunFileName(uri.path) && noteIn(made)(uri)));
  store.add(all.onDidDelete((uri) => !isRunFileName(uri.path) && gone(uri)));
  return store;
}

/** Whether a path is below another. */
export function isBelow(uri: string, folder: vscode.Uri): boolean {
  return uri.startsWith(`${folder.toString()}/`);
}

/** The run files in the folders among new paths. */
async function lookInto(paths: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  if (paths.length > MOST_LOOKED_AT) return searchFiles(RUN_FILES);
  const uris = await Promise.all(
    paths.map(async (uri) => {
      const facts = await fileFacts(uri).catch(() => undefined);
      return facts?.isFolder ? searchFiles(new vscode.RelativePattern(uri, RUN_FILES)) : [];
    }),
  );
  return uris.flat();
}
