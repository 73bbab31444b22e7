import * as l10n from '@vscode/l10n';
import type { KnownUpload } from '../../runs/uploads/uploadFiles';
import type { ItemFile } from '../file/items';

/** The local files of an experiment at the service: each content is uploaded once, for all runs that wait for it. */
export class UploadsOnce {
  readonly #uploads = new Map<string, Promise<KnownUpload>>();
  readonly #refs = new Map<string, string>();

  /** @param upload uploads a file, or finds the reference of its content */
  constructor(private readonly upload: (file: ItemFile, signal: AbortSignal) => Promise<KnownUpload>) {}

  /** Resolves to whether the reference is from an earlier job. @throws when the content differs from the planned one */
  async take(file: ItemFile, signal: AbortSignal): Promise<boolean> {
    const uploading = this.#uploads.get(file.sha256) ?? this.upload(file, signal);
    this.#uploads.set(file.sha256, uploading);
    try {
      const { mediaRef, key, reused } = await uploading;
      if (key.sha256 !== file.sha256)
        throw new Error(l10n.t('The file has changed. Run the experiment again.'));
      this.#refs.set(file.uri, mediaRef);
      return reused;
    } catch (error) {
      this.#uploads.delete(file.sha256);
      throw error;
    }
  }

  has({ uri }: ItemFile): boolean {
    return this.#refs.has(uri);
  }

  /** The service's references, by the files' URIs. */
  get refs(): ReadonlyMap<string, string> {
    return this.#refs;
  }

  /** The reference was rejected: the next `take` uploads the file. Resolves to the upload to forget. */
  async drop(file: ItemFile): Promise<KnownUpload['key'] | undefined> {
    const known = await this.#uploads.get(file.sha256)?.catch(() => undefined);
    this.#uploads.delete(file.sha256);
    this.#refs.delete(file.uri);
    return known?.key;
  }
}
