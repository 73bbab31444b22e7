import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import mime from 'mime';
import * as vscode from 'vscode';
import type { UploadSource } from '../service/client';

/** MIME type by file name; `application/octet-stream` when the name tells nothing. */
export function contentTypeOf(filename: string): string {
  return mime.getType(filename) ?? 'application/octet-stream';
}

/** The kind of media that section 2.3 asks for: the interface shows `image`; audio and video follow its pattern. */
export function mediaTypeOf(contentType: string): string {
  const family = contentType.split('/', 1)[0] ?? '';
  return ['image', 'audio', 'video'].includes(family) ? family : 'file';
}

export function filenameOf(uri: vscode.Uri): string {
  return posix.basename(uri.path);
}

/**
 * The same file as this extension host sees it best. A drop in a remote window names its files with
 * `vscode-remote:`; where this host runs on that very machine they are plain files, which can be streamed.
 */
export async function nearestUri(uri: vscode.Uri): Promise<vscode.Uri> {
  if (uri.scheme !== 'vscode-remote') return uri;
  const [there, here] = await Promise.all([
    vscode.workspace.fs.stat(uri),
    stat(uri.path).catch(() => undefined),
  ]);
  return here?.isFile() && here.size === there.size && Math.round(here.mtimeMs) === Math.round(there.mtime)
    ? vscode.Uri.file(uri.path)
    : uri;
}

/** A file for an upload: streamed when it lies on this machine's disk, else read through VS Code. */
export async function uploadSourceOf(uri: vscode.Uri): Promise<UploadSource> {
  const filename = filenameOf(uri);
  const contentType = contentTypeOf(filename);
  const { size } = await vscode.workspace.fs.stat(uri);
  return {
    filename,
    contentType,
    mediaType: mediaTypeOf(contentType),
    sizeBytes: size,
    open: () => (uri.scheme === 'file' ? streamed(uri.fsPath) : readWhole(uri)),
  };
}

/** The service room's reader is loaded on first use, with the rest of that room. */
async function* streamed(path: string): AsyncIterable<Uint8Array> {
  const { fileBytes } = await import('../service/fileBytes');
  yield* fileBytes(path);
}

async function* readWhole(uri: vscode.Uri): AsyncIterable<Uint8Array> {
  yield await vscode.workspace.fs.readFile(uri);
}
