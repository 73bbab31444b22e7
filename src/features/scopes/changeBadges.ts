import * as vscode from 'vscode';
import type { Ledger } from '../../indexing/ledger';
import { DisposableStore } from '../../platform/disposables';
import type { Services } from '../../services';
import { fileStateOf } from './fileState';
import { mayHaveFilesHere, patternsOfFiles, rememberNothingHere } from './filesHere';

/** Delay after start-up before the ledger is read: a window's first seconds belong to others. */
const LATER_MS = 1_500;
/** A burst of writes to the ledger is one redraw of the badges. */
const SETTLED_MS = 1_000;

/**
 * Files that have changed since they were indexed carry a badge in the Explorer. A window without such files reads
 * and watches nothing until it opens the ledger itself.
 *
 * @param onWritten called for every written file in a folder with indexed files
 */
export function registerChangeBadges(
  services: Services,
  onWritten: (uri: vscode.Uri) => void,
): vscode.Disposable {
  const store = new DisposableStore();
  let badges: ChangeBadges | undefined;
  store.add(
    services.onDidOpenLedger((ledger) => {
      badges ??= store.add(new ChangeBadges(services, ledger, onWritten));
    }),
  );
  // Opening the ledger starts the badges.
  const openSoon = store.soon(LATER_MS, () => {
    services.ledger().catch((error: unknown) => services.log.warn(String(error)));
  });
  const look = async () => {
    if (!badges && (await mayHaveFilesHere(services))) openSoon();
  };
  store.add(services.connection.onDidChange(() => void look()));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void look()));
  void look();
  return store;
}

/** The badges of a window that has the ledger open. */
class ChangeBadges implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri | undefined>());
  readonly #watchers = new Map<string, vscode.Disposable>();

  constructor(
    private readonly services: Services,
    private readonly ledger: Ledger,
    private readonly onWritten: (uri: vscode.Uri) => void,
  ) {
    this.#store.add(
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.#changed.event,
        provideFileDecoration: (uri) => this.#badgeOf(uri),
      }),
    );
    const lookAgain = () => {
      this.#watch();
      this.#changed.fire(undefined);
    };
    this.#store.add(services.connection.onDidChange(lookAgain));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(lookAgain));
    this.#store.add({ dispose: ledger.onDidChange(this.#store.soon(SETTLED_MS, lookAgain)) });
    this.#watch();
    if (this.#watchers.size === 0) void rememberNothingHere(services);
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#store.dispose();
  }

  /** Watches the folders that now have indexed files, and no others. */
  #watch(): void {
    const patterns = patternsOfFiles(this.ledger, this.services.connection.active?.baseUrl ?? '');
    for (const [key, watcher] of this.#watchers)
      if (!patterns.has(key)) {
        watcher.dispose();
        this.#watchers.delete(key);
      }
    for (const [key, pattern] of patterns)
      if (!this.#watchers.has(key)) this.#watchers.set(key, this.#watcherOf(pattern));
  }

  #watcherOf(pattern: vscode.RelativePattern): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const written = (uri: vscode.Uri) => {
      this.#changed.fire(uri);
      this.onWritten(uri);
    };
    // A program may put another file in a file's place: deleted, and created again.
    const events = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete];
    return vscode.Disposable.from(watcher, ...events.map((event) => event(written)));
  }

  async #badgeOf(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const active = this.services.connection.active;
    if (!active || !/^(file|vscode-remote|vscode-vfs)$/.test(uri.scheme)) return undefined;
    const items = this.ledger
      .ofFile(uri.toString())
      .filter((item) => item.baseUrl === active.baseUrl && item.outcome === 'indexed');
    if (items.length === 0 || (await fileStateOf(items, uri)) !== 'changed') return undefined;
    const scopes = [...new Set(items.map(({ scope }) => scope))].join(', ');
    return {
      badge: '≠',
      tooltip: vscode.l10n.t('Changed since it was indexed into {0}', scopes),
      color: new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
    };
  }
}
