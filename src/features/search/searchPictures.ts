import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { Ledger } from '../../indexing/ledger';
import type { SearchQuery } from '../../protocol/search';
import { isPicture } from './searchHits';

/** Folders outside the workspace whose pictures a page may load: as many as a dataset plausibly has. */
const MOST_OUTSIDE_FOLDERS = 100;

/** A query as the page shows it: a picture by an address that the page may load. */
export function withPicture(query: SearchQuery, webview: vscode.Webview): SearchQuery {
  if (query.kind === 'text') return query;
  const uri = vscode.Uri.parse(query.uri);
  return isPicture(uri) ? { ...query, src: webview.asWebviewUri(uri).toString() } : query;
}

/** What the page may load: the workspace, and the folders of files that were indexed from elsewhere. */
export function pictureFolders(dataset: Dataset, ledger: Ledger): vscode.Uri[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const outside = new Map<string, vscode.Uri>();
  for (const { file } of ledger.items(dataset)) {
    if (outside.size >= MOST_OUTSIDE_FOLDERS) break;
    const folder = vscode.Uri.joinPath(vscode.Uri.parse(file), '..');
    const covered = folders.some((root) => `${folder}/`.startsWith(`${root}/`));
    if (!covered) outside.set(folder.toString(), folder);
  }
  return [...folders, ...outside.values()];
}
