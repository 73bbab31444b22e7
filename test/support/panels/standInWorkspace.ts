import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { diskAsFileSystem } from './diskFiles';
import type { Documents } from './documents';
import { type Kept, manifest } from './standInContext';
import { EventEmitter, Uri } from './values';

/** The folder of one window, its files, and its settings. */
export class StandInWorkspace {
  readonly #watchers = new Set<FSWatcher>();
  readonly #configuration = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();

  constructor(
    private readonly kept: Kept,
    private readonly documents: Documents,
  ) {}

  changeSettings(changes: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(changes))
      if (value === undefined) this.kept.settings.delete(key);
      else this.kept.settings.set(key, value);
    const names = Object.keys(changes);
    this.#configuration.fire({
      affectsConfiguration: (section) =>
        names.some((name) => name === section || name.startsWith(`${section}.`)),
    });
  }

  dispose(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  /** The `workspace` that the extension sees. */
  api(): Record<string, unknown> {
    const folder = { uri: Uri.file(this.kept.folder), name: path.basename(this.kept.folder), index: 0 };
    const isBelow = (uri: Uri) => `${uri.path}/`.startsWith(`${folder.uri.path}/`);
    const { documents } = this;
    return {
      workspaceFile: undefined,
      workspaceFolders: this.kept.hasFolder ? [folder] : undefined,
      name: this.kept.hasFolder ? folder.name : undefined,
      isTrusted: this.kept.isTrusted,
      fs: diskAsFileSystem(),
      getWorkspaceFolder: (uri: Uri) =>
        this.kept.hasFolder && uri.scheme === 'file' && isBelow(uri) ? folder : undefined,
      asRelativePath: (what: Uri | string) => {
        const full = typeof what === 'string' ? what : what.path;
        return full.startsWith(`${folder.uri.path}/`) ? full.slice(folder.uri.path.length + 1) : full;
      },
      getConfiguration: (section?: string) => this.#configurationOf(section),
      findFiles: async (include: string | vscode.RelativePattern, _exclude?: unknown, most = 1e9) => {
        const [base, pattern] =
          typeof include === 'string'
            ? [folder.uri.fsPath, include]
            : [include.baseUri.fsPath, include.pattern];
        const names = await readdir(base, { recursive: true }).catch((): string[] => []);
        const matching = names.filter(
          (name) => path.matchesGlob(name, pattern) && !name.includes('node_modules'),
        );
        return matching.slice(0, most).map((name) => Uri.file(path.join(base, name)));
      },
      createFileSystemWatcher: (pattern: string | vscode.RelativePattern) =>
        this.#watcher(folder.uri.fsPath, pattern),
      textDocuments: documents.open,
      openTextDocument: documents.openTextDocument,
      applyEdit: documents.applyEdit,
      registerTextDocumentContentProvider: (scheme: string, provider: never) =>
        this.documents.provide(scheme, provider),
      onDidOpenTextDocument: documents.opened.event,
      onDidChangeTextDocument: documents.changed.event,
      onDidCloseTextDocument: documents.closed.event,
      onDidSaveTextDocument: documents.saved.event,
      onDidChangeConfiguration: this.#configuration.event,
      onDidChangeWorkspaceFolders: new EventEmitter().event,
      onDidGrantWorkspaceTrust: new EventEmitter().event,
      onDidRenameFiles: new EventEmitter().event,
    };
  }

  #configurationOf(section?: string): unknown {
    const groups = manifest.contributes.configuration as { properties: object }[];
    const defaults: Record<string, { default?: unknown }> = Object.assign(
      {},
      ...groups.map(({ properties }) => properties),
    );
    const name = (key: string) => (section ? `${section}.${key}` : key);
    const { settings } = this.kept;
    const settingOf = (key: string) =>
      settings.has(name(key)) ? settings.get(name(key)) : defaults[name(key)]?.default;
    return {
      has: (key: string) => settingOf(key) !== undefined,
      get: (key: string, instead?: unknown) =>
        structuredClone(settingOf(key) === undefined ? instead : settingOf(key)),
      inspect: (key: string) => ({
        key: name(key),
        defaultValue: structuredClone(defaults[name(key)]?.default),
        globalValue: structuredClone(settings.get(name(key))),
      }),
      update: async (key: string, value: unknown) =>
        this.changeSettings({ [name(key)]: structuredClone(value) }),
    };
  }

  #watcher(workspace: string, pattern: string | vscode.RelativePattern): unknown {
    const [base, glob] =
      typeof pattern === 'string' ? [workspace, pattern] : [pattern.baseUri.fsPath, pattern.pattern];
    const [created, changedFile, deleted] = [
      new EventEmitter<Uri>(),
      new EventEmitter<Uri>(),
      new EventEmitter<Uri>(),
    ];
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(base, { recursive: true }, async (event, name) => {
        if (name === null || !path.matchesGlob(name, glob)) return;
        const uri = Uri.file(path.join(base, name));
        const isThere = await stat(uri.fsPath).then(
          () => true,
          () => false,
        );
        (isThere ? (event === 'rename' ? created : changedFile) : deleted).fire(uri);
      });
      this.#watchers.add(watcher);
    } catch {
      // A folder that is not there has no events.
    }
    return {
      onDidCreate: created.event,
      onDidChange: changedFile.event,
      onDidDelete: deleted.event,
      dispose: () => watcher?.close(),
    };
  }
}
