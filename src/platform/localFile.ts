import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { checkedType, type FileFault, fileFaultText, firstBytes } from '../intake/fileCheck';
import type { UploadSource } from '../service/client';
import { chosenMediaType } from './mediaType';

export function filenameOf(uri: vscode.Uri): string {
  return posix.basename(uri.path);
}

/**
 * The same file or folder as this extension host sees it best. A drop in a remote window names its files with
 * `vscode-remote:`; where this host runs on that very machine they are plain files, which can be streamed.
 */
export async function nearestUri(uri: vscode.Uri): Promise<vscode.Uri> {
  if (uri.scheme !== 'vscode-remote') return uri;
  const [remote, here] = await Promise.all([
    vscode.workspace.fs.stat(uri),
    stat(uri.path).catch(() => undefined),
  ]);
  const isSame =
    here !== undefined &&
    Math.round(here.mtimeMs) === Math.round(remote.mtime) &&
    (here.isDirectory() || here.size === remote.size);
  return isSame ? vscode.Uri.file(uri.path) : uri;
}

/**
 * A file for an upload, of the type of its bytes. Its media type is asked for where neither they nor the name determine
 * it.
 * @param memory where the user's choices are remembered
 * @throws MediaTypeNotChosen, UnusableFile, or VS Code's error for a file that does not exist
 */
export async function uploadSourceOf(uri: vscode.Uri, memory: vscode.Memento): Promise<UploadSource> {
  const filename = filenameOf(uri);
  const { size } = await vscode.workspace.fs.stat(uri);
  const contentType = await contentTypeOfFile(uri, size);
  return {
    filename,
    contentType,
    mediaType: await chosenMediaType(filename, contentType, memory),
    sizeBytes: size,
    open: () => bytesOf(uri),
  };
}

/** The bytes of a file are not those of a medium: it is not uploaded. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
  constructor(fault: FileFault, filename: string) {
    super(fileFaultText(fault, filename));
  }
}

/** The MIME type of a file by its first bytes, else by its name. @throws UnusableFile */
export async function contentTypeOfFile(uri: vscode.Uri, sizeBytes: number): Promise<string> {
  const filename = filenameOf(uri);
  const checked = checkedType({ filename, sizeBytes, head: await firstBytes(bytesOf(uri)) });
  if ('fault' in checked) throw new UnusableFile(checked, filename);
  return checked.contentType;
}

/** The bytes of a file: read piece by piece from this machine's disk, else through VS Code, which has no streams. */
export async function* bytesOf(uri: vscode.Uri): AsyncGenerator<Uint8Array, void, undefined> {
  if (uri.scheme !== 'file') {
    yield await vscode.workspace.fs.readFile(uri);
    return;
  }
  // The service room's reader is loaded on first use, with the rest of that room.
  const { fileBytes } = await import('../service/fileBytes');
  yield* fileBytes(uri.fsPath);
}
