import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isLocalRef } from '../../domain/media';
import { contentTypeOf, filenameOf, nearestUri, uploadSourceOf } from '../../platform/localFile';
import { MediaTypeNotChosen } from '../../platform/mediaType';
import { addressFor } from '../../platform/openPage';
import type { AttachedFile } from '../../protocol/run';
import type { LocalFile } from '../../runs/runs';

/** A thumbnail's bytes cross to the page up to this size; beyond it the page shows an icon. */
const MAX_PREVIEW_BYTES = 24 * 1024 * 1024;

interface Incoming {
  readonly uri: vscode.Uri;
  readonly sizeBytes: number;
  received: number;
}

/**
 * The files of one panel. The user grants each by choosing, dropping or pasting it here; nothing else is ever
 * read for an upload, whatever a draft points at.
 */
export class Attachments {
  readonly #granted: Set<string>;
  readonly #incoming = new Map<string, Incoming>();

  constructor(
    granted: readonly string[],
    private readonly folder: vscode.Uri,
    private readonly memory: vscode.Memento,
    private readonly onDidGrant: () => void,
  ) {
    this.#granted = new Set(granted);
  }

  get granted(): string[] {
    return [...this.#granted];
  }

  isGranted(uri: string): boolean {
    return this.#granted.has(uri);
  }

  /** Takes files the user chose. Folders and files that are not there are refused in words. */
  async attach(uris: readonly vscode.Uri[], webview: vscode.Webview): Promise<AttachedFile[]> {
    const files: AttachedFile[] = [];
    for (const uri of uris) {
      const name = filenameOf(uri);
      const stat = await vscode.workspace.fs.stat(uri).then(
        (found) => found,
        () => undefined,
      );
      if (!stat) throw new Error(vscode.l10n.t('"{0}" could not be read.', name));
      if ((stat.type & vscode.FileType.Directory) !== 0)
        throw new Error(
          vscode.l10n.t('"{0}" is a folder. Choose the files inside, or index the folder.', name),
        );
      const kept = isLocalRef(uri.toString()) ? await nearestUri(uri) : await this.#copy(uri);
      this.#granted.add(kept.toString());
      files.push(await this.describe(kept, webview));
    }
    this.onDidGrant();
    return files;
  }

  async describe(uri: vscode.Uri, webview: vscode.Webview): Promise<AttachedFile> {
    const filename = filenameOf(uri);
    const { size } = await vscode.workspace.fs.stat(uri);
    const src = addressFor(webview, uri);
    return { uri: uri.toString(), filename, contentType: contentTypeOf(filename), sizeBytes: size, src };
  }

  /** Those of the granted files that are still there, as the page shows them. */
  async describeAll(webview: vscode.Webview): Promise<AttachedFile[]> {
    const described = await Promise.allSettled(
      this.granted.map((uri) => this.describe(vscode.Uri.parse(uri), webview)),
    );
    return described.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : []));
  }

  /** For a run: the granted files among these, as they are now. */
  async localFiles(uris: readonly string[]): Promise<LocalFile[]> {
    const granted = [...new Set(uris)].filter((uri) => this.isGranted(uri));
    return Promise.all(
      granted.map(async (uri) => ({ uri, source: await this.#source(vscode.Uri.parse(uri)) })),
    );
  }

  async bytes(uri: string): Promise<{ contentType: string; bytes?: Uint8Array<ArrayBuffer> }> {
    if (!this.isGranted(uri)) throw new Error(vscode.l10n.t('This file was not attached in this panel.'));
    const file = vscode.Uri.parse(uri);
    const contentType = contentTypeOf(filenameOf(file));
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > MAX_PREVIEW_BYTES) return { contentType };
    // A copy: a Buffer would cross as a plain object.
    return { contentType, bytes: new Uint8Array(await vscode.workspace.fs.readFile(file)) };
  }

  /** Bytes that only the page has become a file of ours, each in a folder of its own so that its name stays. */
  async begin(filename: string, sizeBytes: number): Promise<{ id: string }> {
    const id = randomUUID();
    const uri = await this.#place(filename);
    await writeFile(uri.fsPath, '');
    this.#incoming.set(id, { uri, sizeBytes, received: 0 });
    return { id };
  }

  async chunk(id: string, bytes: Uint8Array): Promise<null> {
    const incoming = this.#incoming.get(id);
    if (!incoming) throw new Error(vscode.l10n.t('This file is not being received any more. Drop it again.'));
    await appendFile(incoming.uri.fsPath, bytes);
    incoming.received += bytes.byteLength;
    return null;
  }

  async end(id: string, webview: vscode.Webview): Promise<AttachedFile> {
    const incoming = this.#incoming.get(id);
    this.#incoming.delete(id);
    if (!incoming || incoming.received !== incoming.sizeBytes) {
      if (incoming) await rm(incoming.uri.fsPath, { force: true });
      throw new Error(vscode.l10n.t('The file did not arrive whole. Drop it again.'));
    }
    const [file] = await this.attach([incoming.uri], webview);
    return file!;
  }

  async #source(uri: vscode.Uri): Promise<LocalFile['source']> {
    try {
      return await uploadSourceOf(uri, this.memory);
    } catch (error) {
      if (error instanceof MediaTypeNotChosen) throw error;
      throw new Error(
        vscode.l10n.t('"{0}" is not there any more. Choose the file again or remove it.', filenameOf(uri)),
      );
    }
  }

  /** A file of a scheme that does not last (an untitled or virtual document) is kept as a copy. */
  async #copy(uri: vscode.Uri): Promise<vscode.Uri> {
    const copy = await this.#place(filenameOf(uri));
    await writeFile(copy.fsPath, await vscode.workspace.fs.readFile(uri));
    return copy;
  }

  async #place(filename: string): Promise<vscode.Uri> {
    const safe = path.basename(filename).replace(/[^\p{L}\p{N}._ -]/gu, '_') || 'file';
    const folder = vscode.Uri.joinPath(this.folder, randomUUID());
    await mkdir(folder.fsPath, { recursive: true });
    return vscode.Uri.joinPath(folder, safe);
  }
}
