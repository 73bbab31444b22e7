import type * as vscode from 'vscode';

/** The rows of a tree view: as VS Code does, it asks for them once, and again when the extension says that they changed. */
export class StandInTree {
  readonly #asked = new Map<unknown, Promise<readonly unknown[]>>();
  #roots: readonly unknown[] | undefined;

  constructor(
    readonly provider: vscode.TreeDataProvider<unknown>,
    readonly view: vscode.TreeView<unknown>,
    private readonly changed: () => void,
    /** Shows the view, or another one in its place. */
    readonly show: (isVisible: boolean) => void,
  ) {
    provider.onDidChangeTreeData?.((what) => {
      if (what === undefined || what === null) void this.#askForRoots();
      else for (const one of Array.isArray(what) ? what : [what]) this.#asked.delete(one);
      this.changed();
    });
  }

  /** The elements below another one. Those at the top stay until their successors are there. */
  async children(element?: unknown): Promise<readonly unknown[]> {
    if (element === undefined) return this.#roots ?? this.#asked.get(undefined) ?? this.#askForRoots();
    const asked = this.#asked.get(element) ?? this.#ask(element);
    return asked;
  }

  async #askForRoots(): Promise<readonly unknown[]> {
    const asked = this.#ask(undefined);
    const roots = await asked;
    if (this.#asked.get(undefined) !== asked) return this.#asked.get(undefined)!;
    this.#asked.clear();
    this.#asked.set(undefined, asked);
    this.#roots = roots;
    this.changed();
    return roots;
  }

  #ask(element: unknown): Promise<readonly unknown[]> {
    const asked = Promise.resolve(this.provider.getChildren(element)).then((found) => found ?? []);
    this.#asked.set(element, asked);
    return asked;
  }
}
