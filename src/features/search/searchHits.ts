import * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import { foldersOutside } from '../../indexing/indexedFolders';
import { contentTypeOf } from '../../intake/contentType';
import { shownBeginning } from '../../intake/text';
import { hitFile, isFile, isPicture } from '../../platform/hitFiles';
import { saveTable, type TableFormat } from '../../platform/saveTable';
import type { SearchHit, SearchQuery } from '../../protocol/search';
import { searchHits } from '../../results/classify';
import type { Hit } from '../../results/resultView';
import type { Datasets } from '../../store/datasets';

/** The part of a text that a tile shows, in bytes. */
const EXCERPT_BYTES = 400;

/** Folders outside the workspace with pictures that a page may load: as many as a dataset plausibly has. */
const MOST_OUTSIDE_FOLDERS = 100;

/** Files of a scope that are shown before a search. */
const MOST_ITEMS = 60;

/** A hit with the user's own file. */
export interface FoundHit extends Hit {
  readonly uri?: vscode.Uri;
  /** The beginning of a text. */
  readonly excerpt?: string;
}

export interface FoundHits {
  readonly hits: readonly FoundHit[];
  readonly measure: string;
  readonly total: number;
  readonly recognised: boolean;
  /** The search looked at a part of the scope. */
  readonly isPartial?: boolean;
}

/** The hits of a response, each with the file that was indexed under its id, if this machine has it. */
export async function foundHits(output: unknown, dataset: Dataset, datasets: Datasets): Promise<FoundHits> {
  const part = searchHits(output);
  if (!part) return { hits: [], measure: '', total: 0, recognised: false };
  const hits = await Promise.all(
    part.hits.map(async (hit): Promise<FoundHit> => {
      const uri = await hitFile(hit.id, dataset, datasets);
      if (!uri) return hit;
      const excerpt = await excerptOf(uri);
      return { ...hit, uri, excerpt };
    }),
  );
  const { measure, total, isPartial } = part;
  return { hits, measure, total, isPartial, recognised: true };
}

/** Files of the scope that this machine knows: possible queries of a search. */
export async function scopeItems(dataset: Dataset, datasets: Datasets): Promise<readonly FoundHit[]> {
  const items: FoundHit[] = [];
  for await (const page of datasets.items(dataset)) {
    for (const { imageId, file, outcome } of page) {
      const uri = vscode.Uri.parse(file, true);
      if (outcome === 'indexed' && (await isFile(uri))) items.push({ id: imageId, pointer: '', uri });
      if (items.length === MOST_ITEMS) return items;
    }
  }
  return items;
}

/** The beginning of a text file on this computer: as much as a tile has room for, however large the file. */
async function excerptOf(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme !== 'file' || !/^text\//.test(contentTypeOf(uri.path))) return undefined;
  try {
    const handle = await fs.open(uri.fsPath);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(EXCERPT_BYTES), 0, EXCERPT_BYTES, 0);
      return shownBeginning(buffer.subarray(0, bytesRead)).replaceAll(/\s+/g, ' ').trim();
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** As the page shows them. */
export function shownHits(
  hits: readonly FoundHit[],
  webview: vscode.Webview,
  query?: SearchQuery,
): SearchHit[] {
  return hits.map(({ id, score, about, members, uri, excerpt }) => ({
    id,
    members,
    excerpt,
    score,
    about,
    ...(query?.kind === 'file' && uri?.toString() === query.uri && { own: true }),
    ...(uri && { path: vscode.workspace.asRelativePath(uri) }),
    ...(uri && isPicture(uri.path) && { thumbnail: webview.asWebviewUri(uri).toString() }),
  }));
}

/** A query as the page shows it: a picture by an address that the page may load. */
export function withPicture(query: SearchQuery, webview: vscode.Webview): SearchQuery {
  if (query.kind === 'text') return query;
  const uri = vscode.Uri.parse(query.uri);
  return isPicture(uri.path) ? { ...query, src: webview.asWebviewUri(uri).toString() } : query;
}

/** Folders outside the workspace that the page may load from: those of files that were indexed from there. */
export async function pictureFolders(dataset: Dataset, datasets: Datasets): Promise<vscode.Uri[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => String(uri));
  const outside = await foldersOutside(datasets, dataset, folders, MOST_OUTSIDE_FOLDERS);
  return outside.map((folder) => vscode.Uri.parse(folder));
}

/** Saves the hits of a search as a table. */
export async function exportHits(
  { scope }: Dataset,
  { hits, measure }: FoundHits,
  format: TableFormat,
): Promise<void> {
  const header = ['rank', 'id', measure, 'path', 'about'];
  const rows = hits.map(({ id, score, about, uri }, index) => [
    index + 1,
    id,
    score,
    uri && vscode.workspace.asRelativePath(uri),
    about,
  ]);
  await saveTable(`search-${scope}`, format, { header, rows });
}
