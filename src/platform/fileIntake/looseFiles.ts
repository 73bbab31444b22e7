import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';

/** A query that was dropped or pasted is of no use to anybody after so long. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Where files are kept that only the page had: dropped from the system, or pasted. */
export function looseFilesFolder({ globalStorageUri }: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(globalStorageUri, 'queries');
}

/** Bytes become a file, in a folder named by their content: the same picture twice is one file, and keeps its name. */
export async function keepLooseFile(
  context: vscode.ExtensionContext,
  filename: string,
  bytes: Uint8Array,
): Promise<vscode.Uri> {
  const root = looseFilesFolder(context);
  await forgetOld(root.fsPath);
  const safe = basename(filename).replace(/[^\p{L}\p{N}._ -]/gu, '_') || 'file';
  const folder = vscode.Uri.joinPath(root, createHash('sha256').update(bytes).digest('hex').slice(0, 32));
  await mkdir(folder.fsPath, { recursive: true });
  const uri = vscode.Uri.joinPath(folder, safe);
  await writeFile(uri.fsPath, bytes);
  return uri;
}

async function forgetOld(root: string): Promise<void> {
  for (const name of await readdir(root).catch((): string[] => [])) {
    const path = `${root}/${name}`;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}
