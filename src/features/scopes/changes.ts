import * as vscode from 'vscode';
import type { LedgerItem } from '../../indexing/ledger';
import { DisposableStore } from '../../platform/disposables';
import { fileFacts } from '../../platform/fileFacts';
import type { Services } from '../../services';

export type FileState = 'same' | 'changed' | 'missing';

/** Whether a file still is what was indexed, by size and time alone: cheap enough for every visible row. */
export async function changesOf(items: readonly LedgerItem[], uri: vscode.Uri): Promise<FileState> {
  try {
    const facts = await fileFacts(uri);
    if (!facts) return 'missing';
    const { sizeBytes, modifiedMs } = facts;
    const same = items.every((item) => item.sizeBytes === sizeBytes && item.modifiedMs === modifiedMs);
    return same ? 'same' : 'changed';
  } catch {
    // A disk that does not response says nothing of the file.
    return 'same';
  }
}

/** Files that were indexed and have changed since carry a badge in the Explorer. `told`: of each file that is written. */
export function registerChangeBadges(services: Services, told: (uri: vscode.Uri) => void): vscode.Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.Uri | vscode.Uri[] | undefined>());
  const provider: vscode.FileDecorationProvider = {
    onDidChangeFileDecorations: changed.event,
    provideFileDecoration: async (uri) => {
      const active = services.connection.active;
      if (!active || !/^(file|vscode-remote|vscode-vfs)$/.test(uri.scheme)) return undefined;
      const ledger = await services.ledger();
      const items = ledger
        .ofFile(uri.toString())
        .filter((item) => item.baseUrl === active.baseUrl && item.outcome === 'indexed');
      if (items.length === 0 || (await changesOf(items, uri)) !== 'changed') return undefined;
      const scopes = [...new Set(items.map(({ scope }) => scope))].join(', ');
      return {
        badge: '≠',
        tooltip: vscode.l10n.t('Changed since it was indexed into {0}', scopes),
        color: new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
      };
    },
  };
  store.add(vscode.window.registerFileDecorationProvider(provider));
  const watcher = store.add(vscode.workspace.createFileSystemWatcher('**/*'));
  const written = (uri: vscode.Uri) => {
    changed.fire(uri);
    told(uri);
  };
  // A program may put another file in a file's place: gone, and there again.
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
    store.add(event(written));
  store.add(services.connection.onDidChange(() => changed.fire(undefined)));
  let timer: NodeJS.Timeout | undefined;
  store.add({ dispose: () => clearTimeout(timer) });
  void services.ledger().then((ledger) => {
    const stop = ledger.onDidChange(() => {
      // Once a job has indexed a changed file its badge goes; a burst of writes is one event.
      timer ??= setTimeout(() => {
        timer = undefined;
        changed.fire(undefined);
      }, 1_000);
    });
    store.add({ dispose: stop });
  });
  return store;
}
