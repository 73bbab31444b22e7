import { randomUUID } from 'node:crypto';
import { appendFile, rm } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isLocalRef } from '../../domain/media';
import { contentTypeOf } from '../../intake/contentType';
import { newPlace } from '../../platform/fileIntake/keptFiles';
import {
  contentTypeOfFile,
  filenameOf,
  nearestUri,
  UnusableFile,
  uploadSourceOf,
} from '../../platform/localFile';
import { MediaTypeNotChosen } from '../../platform/mediaType';
import { addressFor } from '../../platform/openPage';
import type { AttachedFile } from '../../protocol/run';
import type { LocalFile } from '../../runs/runs';
import { fileFacts } from '../../vscode/fileFacts';
import { writePrivateFile } from '../../vscode/privateFiles';

/** A thumbnail's bytes cross to the page up to this size; beyond it the page shows an icon. */
const MAX_PREVIEW_BYTES = 24 * 1024 * 1024;

/**
 * The files of one panel. The user grants each by choosing, dropping or pasting it here; other files are never read
 * for an upload, even if a draft points at them.
 */
export class Attachments {
  readonly #granted: Set<string>;
  /** Files that only the page has: dropped from outside VS Code, or pasted. */
  readonly received: ReceivedFiles;

  constructor(
    granted: readonly string[],
    private readonly folder: vscode.Uri,
    private readonly memory: vscode.Memento,
    private readonly onDidGrant: () => void,
  ) {
    this.#granted = new Set(granted);
    this.received = new ReceivedFiles(folder);
  }

  get granted(): string[] {
    return [...this.#granted];
  }

  isGranted(uri: string): boolean {
    return this.#granted.has(uri);
  }

  /** Files of the workspace that the panel's run file names. */
  grant(uris: readonly string[]): void {
    for (const uri of uris) this.#granted.add(uri);
    this.onDidGrant();
  }

  /** Takes files the user chose. Folders and files that are not there are refused in words. */
  async attach(uris: readonly vscode.Uri[], webview: vscode.Webview): Promise<AttachedFile[]> {
    const files: AttachedFile[] = [];
    for (const uri of uris) {
      const name = filenameOf(uri);
      const facts = await fileFacts(uri).catch(() => undefined);
      if (!facts) throw new Error(l10n.t('Could not read “{0}”.', name));
      if (facts.isFolder)
        throw new Error(l10n.t('“{0}” is a folder. Choose files in it, or index the folder.', name));
      const kept = isLocalRef(uri.toString()) ? await nearestUri(uri) : await this.#copy(uri);
      // Elsewhere than on this disk the whole file would be read: its upload checks it.
      if (kept.scheme === 'file') await contentTypeOfFile(kept, facts.sizeBytes);
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
    // Outside of this disk, and for a file that cannot be used, only the name is known.
    const contentType =
      uri.scheme === 'file'
        ? await contentTypeOfFile(uri, size).catch(() => contentTypeOf(filename))
        : contentTypeOf(filename);
    return { uri: uri.toString(), filename, contentType, sizeBytes: size, src };
  }

  /** Those of the granted files that are still there, as the page shows them. */
  async describeAll(webview: vscode.Webview): Promise<AttachedFile[]> {
    const described = await Promise.allSettled(
      this.granted.map((uri) => this.describe(vscode.Uri.parse(uri), webview)),
    );
    return described.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : []));
  }

  /** Name and type of these files. @throws when one of them was not granted */
  async describeGranted(
    uris: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<AttachedFile, 'filename' | 'contentType'>>> {
    const files = new Map<string, Pick<AttachedFile, 'filename' | 'contentType'>>();
    for (const uri of new Set(uris)) {
      if (!this.isGranted(uri)) throw new Error(l10n.t('This file was not attached in this panel.'));
      const { filename, contentType } = await this.#source(uri);
      files.set(uri, { filename, contentType });
    }
    return files;
  }

  /** For a run: the granted files among these, in their present state. */
  async localFiles(uris: readonly string[]): Promise<LocalFile[]> {
    const granted = [...new Set(uris)].filter((uri) => this.isGranted(uri));
    return Promise.all(granted.map(async (uri) => ({ uri, source: await this.#source(uri) })));
  }

  async bytes(uri: string): Promise<{ contentType: string; bytes?: Uint8Array<ArrayBuffer> }> {
    if (!this.isGranted(uri)) throw new Error(l10n.t('This file was not attached in this panel.'));
    const file = vscode.Uri.parse(uri);
    const contentType = contentTypeOf(filenameOf(file));
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > MAX_PREVIEW_BYTES) return { contentType };
    // A copy: a Buffer would cross as a plain object.
    return { contentType, bytes: new Uint8Array(await vscode.workspace.fs.readFile(file)) };
  }

  async #source(uri: string): Promise<LocalFile['source']> {
    const file = vscode.Uri.parse(uri);
    try {
      return await uploadSourceOf(file, this.memory);
    } catch (error) {
      if (error instanceof MediaTypeNotChosen || error instanceof UnusableFile) throw error;
      throw new Error(
        l10n.t('“{0}” no longer exists. Choose the file again or remove it.', filenameOf(file)),
      );
    }
  }

  /** A file of a scheme that does not last (an untitled or virtual document) is kept as a copy. */
  async #copy(uri: vscode.Uri): Promise<vscode.Uri> {
    const copy = await newPlace(this.folder, filenameOf(uri));
    await writePrivateFile(copy.fsPath, await vscode.workspace.fs.readFile(uri));
    return copy;
  }
}

interface Incoming {
  readonly uri: vscode.Uri;
  readonly sizeBytes: number;
  received: number;
}

/** Files that only a page has, received piece by piece and kept in a folder of ours. */
class ReceivedFiles {
  readonly #incoming = new Map<string, Incoming>();

  constructor(private readonly folder: vscode.Uri) {}

  async begin(filename: string, sizeBytes: number): Promise<{ id: string }> {
    const id = randomUUID();
    const uri = await newPlace(this.folder, filename);
    await writePrivateFile(uri.fsPath, '');
    this.#incoming.set(id, { uri, sizeBytes, received: 0 });
    return { id };
  }

  async chunk(id: string, bytes: Uint8Array): Promise<void> {
    const incoming = this.#incoming.get(id);
    if (!incoming) throw new Error(l10n.t('The transfer of this file has ended. Drop it again.'));
    await appendFile(incoming.uri.fsPath, bytes);
    incoming.received += bytes.byteLength;
  }

  /** @returns the file; throws when it is incomplete */
  async end(id: string): Promise<vscode.Uri> {
    const incoming = this.#incoming.get(id);
    this.#incoming.delete(id);
    if (incoming && incoming.received === incoming.sizeBytes) return incoming.uri;
    if (incoming) await rm(incoming.uri.fsPath, { force: true });
    throw new Error(l10n.t('The file was not received completely. Drop it again.'));
  }
}
