import { readFile } from 'node:fs';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { fileInsideResolved, resolvedRoots } from '../../runFiles/mediaFile';
import { LARGEST_RUN_FILE, textOfFile } from '../../runFiles/text';
import { openDocument } from '../documentText';
import { searchFiles } from '../searchFiles';
import { RUN_FILES } from './names';
import { mediaRoots } from './places';

/** Of thousands of small files: the `readFile` of node:fs/promises takes twice the time. */
const bytesOf = (path: string) => promisify(readFile)(path);

/** The run files of the workspace, but for those that its settings exclude. */
export async function findRunFiles(): Promise<vscode.Uri[]> {
  const uris = await searchFiles(RUN_FILES);
  return uris.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Reads run files one after another, so that one text is held at a time; one that is gone, endless or outside the
 * workspace by a symbolic link is left out. Between two files the host gets its turn.
 */
export async function* runFileTexts(uris: readonly vscode.Uri[]) {
  const known = new Map<string, Promise<readonly string[]>>();
  const realRootsOf = (uri: vscode.Uri) => {
    const roots = mediaRoots(uri);
    const key = roots.join('\n');
    const resolved = known.get(key) ?? resolvedRoots(roots);
    known.set(key, resolved);
    return resolved;
  };
  for (const uri of uris) {
    const text = await fileText(uri, realRootsOf).catch(() => undefined);
    if (text !== undefined) yield { uri, text };
  }
}

async function fileText(
  uri: vscode.Uri,
  realRootsOf: (uri: vscode.Uri) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const open = openDocument(uri);
  if (open) return open.getText();
  if (uri.scheme === 'file') {
    const real = await fileInsideResolved(uri.fsPath, await realRootsOf(uri));
    return typeof real === 'string' || real.sizeBytes > LARGEST_RUN_FILE
      ? undefined
      : textOfFile(await bytesOf(real.path));
  }
  const { size } = await vscode.workspace.fs.stat(uri);
  return size > LARGEST_RUN_FILE ? undefined : textOfFile(await vscode.workspace.fs.readFile(uri));
}
