import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { safeFileName } from '../../domain/fileName';
import { makePrivateFolder, writePrivateFile } from '../../vscode/privateFiles';

/** Dropped or pasted query files are deleted after this time. */
const QUERY_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Where query files are kept that only the search page had: dropped from outside VS Code, or pasted. */
export function queriesFolder({ globalStorageUri }: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(globalStorageUri, 'queries');
}

/** Keeps a query's bytes in a folder named by their content: the same file twice is kept once, under its name. */
export async function keepQueryFile(
  root: vscode.Uri,
  filename: string,
  bytes: Uint8Array,
): Promise<vscode.Uri> {
  await deleteOlder(root.fsPath, QUERY_KEPT_MS);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const uri = await placeIn(vscode.Uri.joinPath(root, hash), filename);
  await writePrivateFile(uri.fsPath, bytes);
  return uri;
}

/** Where a new file may be written: in a folder of its own, so that it keeps its name. */
export function newPlace(root: vscode.Uri, filename: string): Promise<vscode.Uri> {
  return placeIn(vscode.Uri.joinPath(root, randomUUID()), filename);
}

async function placeIn(folder: vscode.Uri, filename: string): Promise<vscode.Uri> {
  await makePrivateFolder(folder.fsPath);
  return vscode.Uri.joinPath(folder, safeFileName(basename(filename)));
}

async function deleteOlder(root: string, ageMs: number): Promise<void> {
  for (const name of await readdir(root).catch((): string[] => [])) {
    const path = `${root}/${name}`;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > ageMs) await rm(path, { recursive: true, force: true });
  }
}
