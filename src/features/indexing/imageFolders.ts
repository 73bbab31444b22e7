import { posix } from 'node:path';
import * as vscode from 'vscode';
import { contextKeys } from '../../contributions';
import { loggedError } from '../../domain/loggedError';
import { MEDIA_ENDINGS } from '../../domain/media';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';

const ENDINGS = MEDIA_ENDINGS.image;
const IMAGES = `**/*.{${[...ENDINGS, ...ENDINGS.map((ending) => ending.toUpperCase())].join(',')}}`;
/** With more images than this, the menu of every folder offers to index it. */
const MOST_IMAGES = 20_000;
/** Files are copied in bursts, and the first seconds of a window belong to others. */
const SETTLED_MS = 5_000;

/** Tells the Explorer which folders have images in or below them: the menus of others do not offer to index images. */
export function watchImageFolders({ connection, log }: Services): vscode.Disposable {
  const store = new DisposableStore();
  const look = async () => {
    if (!(await connection.hasKey())) return;
    const { searchFiles } = await import('../../platform/searchFiles');
    const images = await searchFiles(IMAGES, MOST_IMAGES);
    const folders = images.length < MOST_IMAGES ? foldersAbove(images) : undefined;
    await executeBuiltIn('setContext', contextKeys.imageFolders, folders);
  };
  const lookSoon = store.soon(SETTLED_MS, () => {
    look().catch((error: unknown) => log.warn(loggedError(error)));
  });
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(IMAGES, false, true));
  store.add(watcher.onDidCreate(lookSoon));
  store.add(watcher.onDidDelete(lookSoon));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(lookSoon));
  store.add(connection.onDidChange(lookSoon));
  lookSoon();
  return store;
}

function foldersAbove(images: readonly vscode.Uri[]): string[] {
  const folders = new Set<string>();
  for (const image of images)
    for (let path = posix.dirname(image.path); !folders.has(path) && path !== '/'; path = posix.dirname(path))
      folders.add(path);
  return [...folders].map((path) => images[0]!.with({ path }).fsPath);
}
