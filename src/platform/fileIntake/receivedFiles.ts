import { randomUUID } from 'node:crypto';
import { appendFile, rm } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { writePrivateFile } from '../../vscode/privateFiles';
import { newPlace } from './keptFiles';

interface Incoming {
  readonly uri: vscode.Uri;
  readonly sizeBytes: number;
  received: number;
}

/** Files that only a page has, received piece by piece and kept in a folder of ours. */
export class ReceivedFiles {
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
