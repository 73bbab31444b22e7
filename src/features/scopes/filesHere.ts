import * as vscode from 'vscode';
import type { Ledger } from '../../indexing/ledger';
import type { Services } from '../../services';

const NOTHING_HERE = 'scopes.nothingIndexedHere';

/**
 * Whether the active environment may have indexed files in this window's folders. While the ledger, the folders and
 * the environment are those that were last looked through without finding any, its content is not read.
 */
export async function mayHaveFilesHere(services: Services): Promise<boolean> {
  const searched = await searchedKey(services);
  return searched !== undefined && services.context.workspaceState.get(NOTHING_HERE) !== searched;
}

/** Notes for the next start that the ledger has no files of this window. */
export async function rememberNothingHere(services: Services): Promise<void> {
  await services.context.workspaceState.update(NOTHING_HERE, await searchedKey(services));
}

/** What a search for files here depends on; undefined: there can be none. */
async function searchedKey({ connection, ledgerVersion }: Services): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const { baseUrl } = connection.active ?? {};
  const version = baseUrl !== undefined && folders.length > 0 ? await ledgerVersion() : undefined;
  return version && JSON.stringify([version, baseUrl, ...folders.map(({ uri }) => uri.toString())]);
}

/** What to watch for changes of indexed files: the folders right below the window's that hold some. By their key. */
export function patternsOfFiles(ledger: Ledger, baseUrl: string): Map<string, vscode.RelativePattern> {
  const patterns = new Map<string, vscode.RelativePattern>();
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => [`${uri}/`, uri] as const);
  for (const dataset of ledger.datasets(baseUrl))
    for (const { file, outcome } of ledger.items(dataset))
      for (const [prefix, uri] of folders) {
        if (outcome !== 'indexed' || !file.startsWith(prefix)) continue;
        const slash = file.indexOf('/', prefix.length);
        const top = slash < 0 ? '' : file.slice(prefix.length, slash);
        if (patterns.has(prefix + top)) continue;
        const pattern = top
          ? new vscode.RelativePattern(vscode.Uri.parse(prefix + top), '**/*')
          : new vscode.RelativePattern(uri, '*');
        patterns.set(prefix + top, pattern);
      }
  return patterns;
}
