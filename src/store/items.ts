import type { Dataset } from '../domain/dataset';
import type { Row } from './database';
import { number, oneOf, optional, text } from './rows';
import { nameInKey } from './sortKey';

/** The outcome of a file in a dataset; `unknown`: sent, and no response says whether it was indexed. */
export type IndexedFileState = 'indexed' | 'failed' | 'unknown';
const outcomes = ['indexed', 'failed', 'unknown'] as const;

export interface IndexedFile extends Dataset {
  /** A path with `/` between its parts. */
  readonly imageId: string;
  /** URI of the file it came from. */
  readonly file: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Modification time in milliseconds when it was hashed. */
  readonly modifiedMs: number;
  readonly mediaRef?: string;
  readonly at: number;
  readonly outcome: IndexedFileState;
  readonly reason?: string;
}

/** For `itemOf`, over `item i`, `folder f` and `dataset d`. */
export const ITEM_COLUMNS = `d.base_url, d.model, d.scope, f.path AS folder, i.name_key, i.file, i.sha256, i.size_bytes,
  i.modified_ms, i.media_ref AS mediaRef, i.at, i.outcome, i.reason`;

/** A condition on `dataset d`, and its parameters. */
export const THIS_DATASET = 'd.base_url = ? AND d.model = ? AND d.scope = ? AND d.forgotten = 0';
export const key = ({ baseUrl, model, scope }: Dataset) => [baseUrl, model, scope] as const;

export const readFileState = oneOf(outcomes);

export function itemOf(row: Row): IndexedFile {
  return {
    baseUrl: text(row, 'base_url'),
    model: text(row, 'model'),
    scope: text(row, 'scope'),
    imageId: imageIdOf(row),
    file: text(row, 'file'),
    sha256: text(row, 'sha256'),
    sizeBytes: number(row, 'size_bytes'),
    modifiedMs: number(row, 'modified_ms'),
    ...optional(row, 'mediaRef', text),
    at: number(row, 'at'),
    outcome: readFileState(row, 'outcome'),
    ...optional(row, 'reason', text),
  };
}

/** `a/b/c.png` → `a/b` and `c.png`; a name at the top, also one that begins with its only slash, has the folder ''. */
export function split(imageId: string): { folder: string; name: string } {
  const slash = imageId.lastIndexOf('/');
  return slash <= 0
    ? { folder: '', name: imageId }
    : { folder: imageId.slice(0, slash), name: imageId.slice(slash + 1) };
}

/** Of the columns `folder` and `name_key`. */
function imageIdOf(row: Row): string {
  return joined(text(row, 'folder'), text(row, 'name_key'));
}

/** The ID with its parts in a folder's and an item's row. */
export function joined(folder: string, nameKey: string): string {
  const name = nameInKey(nameKey);
  return folder === '' ? name : `${folder}/${name}`;
}

/** The folder a folder is in; undefined for the top. */
export function parentOf(folder: string): string | undefined {
  return folder === '' ? undefined : split(folder).folder;
}
