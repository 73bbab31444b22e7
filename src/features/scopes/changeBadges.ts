import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { foldersBelow } from '../../indexing/indexedFolders';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import type { Store } from '../../store/store';
import { DisposableStore } from '../../vscode/disposables';
import { fileStateOf } from './fileState';

/** A place that was searched without finding indexed files of this window. */
const NOTHING_HERE = 'scopes.nothingIndexedHere';
/** Delay after start-up before the store is opened: a window's first seconds belong to others. */
const LATER_MS = 1_500;
/** A burst of changes is one redraw of the badges. */
const SETTLED_MS = 1_000;

/**
 * Files that have changed since they were indexed carry a badge in the Explorer. A window without such files reads
 * and watches nothing until it opens the store itself.
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
    services.onDidOpenStore((opened) => {
      badges ??= store.add(new ChangeBadges(services, opened, onWritten));
    }),
  );
  // Opening the store starts the badges.
  const openSoon = store.soon(LATER_MS, () => {
    services.store().catch((error: unknown) => services.log.warn(loggedError(error)));
  });
  const look = async () => {
    if (!badges && (await mayHaveFilesHere(services))) openSoon();
  };
  store.add(services.connection.onDidChange(() => void look()));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void look()));
  void look();
  return store;
}

/** The badges of a window that has the store open. */
class ChangeBadges implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri | undefined>());
  readonly #watchers = new Map<string, vscode.Disposable>();
  readonly #datasets: Datasets;
  #watching: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Services,
    { datasets, changes }: Store,
    private readonly onWritten: (uri: vscode.Uri) => void,
  ) {
    this.#datasets = datasets;
    this.#store.add(
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.#changed.event,
        provideFileDecoration: (uri) => this.#badgeOf(uri),
      }),
    );
    const lookAgain = () => {
      this.#watchSoon();
      this.#changed.fire(undefined);
    };
    this.#store.add(services.connection.onDidChange(lookAgain));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(lookAgain));
    this.#store.add({ dispose: changes.on('datasets', this.#store.soon(SETTLED_MS, lookAgain)) });
    this.#watchSoon();
    void this.#watching.then(() => {
      if (this.#watchers.size === 0) void rememberNothingHere(services);
    });
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#store.dispose();
  }

  #watchSoon(): void {
    this.#watching = this.#watching
      .then(() => this.#watch())
      .catch((error: unknown) => {
        if (!this.#store.isDisposed) this.services.log.warn(loggedError(error));
      });
  }

  /** Watches the folders that now have indexed files, and no others. */
  async #watch(): Promise<void> {
    const patterns = await patternsOfFiles(this.#datasets, this.services.connection.active?.baseUrl ?? '');
    if (this.#store.isDisposed) return;
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
    const items = this.#datasets
      .ofFile(uri.toString())
      .filter((item) => item.baseUrl === active.baseUrl && item.outcome === 'indexed');
    if (items.length === 0 || (await fileStateOf(items, uri)) !== 'changed') return undefined;
    const scopes = [...new Set(items.map(({ scope }) => scope))].join(', ');
    return {
      badge: '≠',
      tooltip: l10n.t('Changed since it was indexed into {0}', scopes),
      color: new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
    };
  }
}

/**
 * Whether the active environment may have indexed files in this window's folders. While the store, the folders and
 * the environment are those that were last looked through without finding any, its content is not read.
 */
async function mayHaveFilesHere(services: Services): Promise<boolean> {
  const searched = await searchedKey(services);
  return searched !== undefined && services.context.workspaceState.get(NOTHING_HERE) !== searched;
}

/** Notes for the next start that the store has no files of this window. */
async function rememberNothingHere(services: Services): Promise<void> {
  await services.context.workspaceState.update(NOTHING_HERE, await searchedKey(services));
}

/** The key of a search for files here; undefined: there can be none. */
async function searchedKey({ connection, storeVersion }: Services): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const { baseUrl } = connection.active ?? {};
  const version = baseUrl !== undefined && folders.length > 0 ? await storeVersion() : undefined;
  return version && JSON.stringify([version, baseUrl, ...folders.map(({ uri }) => uri.toString())]);
}

/** What to watch for changes of indexed files: the folders right below the window's that hold some. By their key. */
async function patternsOfFiles(
  datasets: Datasets,
  baseUrl: string,
): Promise<Map<string, vscode.RelativePattern>> {
  const patterns = new Map<string, vscode.RelativePattern>();
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const tops = await foldersBelow(
      datasets,
      `${uri}/`,
      (item) => item.baseUrl === baseUrl && item.outcome === 'indexed',
    );
    for (const top of tops) {
      const pattern = top
        ? new vscode.RelativePattern(vscode.Uri.parse(`${uri}/${top}`), '**/*')
        : new vscode.RelativePattern(uri, '*');
      patterns.set(`${uri}/${top}`, pattern);
    }
  }
  return patterns;
}
