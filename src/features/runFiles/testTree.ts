import * as vscode from 'vscode';
import { filenameOf } from '../../platform/localFile';
import { findRunFiles, runFileTexts } from '../../platform/runFiles/find';
import { isBelow, watchRunFiles } from '../../platform/runFiles/watch';
import { scanRunFile } from '../../runFiles/scan';
import { Owner } from '../../vscode/disposables';
import { nameTest } from '../../vscode/messages/editorTexts';

/** Bounds the look that no user has asked for; a longer list is complete once the Test Explorer is opened. */
const MOST_FILES_LOOKED_AT = 2000;
const MOST_CHARACTERS_LOOKED_AT = 20_000_000;

/** Whether one of the files has expectations, as far as one bounded look shows. */
export async function holdsTests(uris: readonly vscode.Uri[]): Promise<boolean> {
  let left = MOST_CHARACTERS_LOOKED_AT;
  for await (const { text } of runFileTexts(uris.slice(0, MOST_FILES_LOOKED_AT))) {
    if (scanRunFile(text).expect) return true;
    left -= text.length;
    if (left < 0) return false;
  }
  return false;
}

/** The run files with expectations in the Test Explorer, by their folders. Found when it is first looked at. */
export class TestTree extends Owner {
  #listed: Promise<void> | undefined;
  readonly #items = new Map<string, vscode.TestItem>();

  constructor(private readonly controller: vscode.TestController) {
    super();
  }

  /** Lists the files, once; from then on the list follows them. */
  list(): Promise<void> {
    this.#listed ??= this.#begin();
    return this.#listed;
  }

  /** Lists all files again. */
  async refresh(): Promise<void> {
    await this.list();
    this.#items.clear();
    this.controller.items.replace([]);
    await this.#take(await findRunFiles());
  }

  /** The tests of a request, or all: each once, in the order of the tree. */
  async testsOf({ include, exclude = [] }: vscode.TestRunRequest): Promise<vscode.TestItem[]> {
    await this.list();
    const all = new Set<vscode.TestItem>();
    const isExcluded = (item: vscode.TestItem | undefined): boolean =>
      item !== undefined && (exclude.includes(item) || isExcluded(item.parent));
    const add = (item: vscode.TestItem) => {
      if (item.children.size === 0 && item.uri && !isExcluded(item)) all.add(item);
      item.children.forEach(add);
    };
    if (include) include.forEach(add);
    else this.controller.items.forEach(add);
    return [...all];
  }

  async #begin(): Promise<void> {
    this.store.add(
      watchRunFiles({
        changed: (uris) => void this.#take(uris),
        // Perhaps it is there again by now, as after a branch was switched twice.
        gone: (folder) =>
          void this.#take(
            [...this.#items.keys()].filter((key) => isBelow(key, folder)).map((key) => vscode.Uri.parse(key)),
          ),
      }),
    );
    await this.#take(await findRunFiles());
  }

  /** Takes the present state of the files; those without expectations, or gone, are no tests. */
  async #take(uris: readonly vscode.Uri[]): Promise<void> {
    const gone = new Map(uris.map((uri) => [uri.toString(), uri]));
    for await (const { uri, text } of runFileTexts(uris)) {
      const { name, expect } = scanRunFile(text);
      if (!expect) continue;
      gone.delete(uri.toString());
      const { line, column, length } = expect;
      this.#put(uri, name, new vscode.Range(line, column, line, column + length));
    }
    for (const uri of gone.values()) this.#remove(uri);
  }

  #put(uri: vscode.Uri, name: string | undefined, range: vscode.Range): void {
    const key = uri.toString();
    const label = name !== undefined && name.trim() !== '' ? name : filenameOf(uri);
    const known = this.#items.get(key);
    const item = known ?? this.controller.createTestItem(key, label, uri);
    nameTest(item, label, label === filenameOf(uri) ? undefined : filenameOf(uri));
    item.range = range;
    if (!known) {
      this.#items.set(key, item);
      this.#folderOf(uri).add(item);
    }
  }

  #remove(uri: vscode.Uri): void {
    let item = this.#items.get(uri.toString());
    this.#items.delete(uri.toString());
    while (item) {
      const parent: vscode.TestItem | undefined = item.parent;
      (parent?.children ?? this.controller.items).delete(item.id);
      item = parent?.children.size === 0 ? parent : undefined;
    }
  }

  /** The item of a file's folder; those of the folders above it are made with it. */
  #folderOf(uri: vscode.Uri): vscode.TestItemCollection {
    const folders = vscode.workspace.asRelativePath(uri).split('/').slice(0, -1);
    let id = 'folder:';
    return folders.reduce<vscode.TestItemCollection>((items, name) => {
      id += `/${name}`;
      const known = items.get(id);
      const item = known ?? this.controller.createTestItem(id, name);
      // Each adding of an item goes to the window, also of one that is there.
      if (!known) items.add(item);
      return item.children;
    }, this.controller.items);
  }
}
