import type * as vscode from 'vscode';

/** Owns disposables and disposes them in reverse order; an item that is added after disposal is disposed at once. */
export class DisposableStore implements vscode.Disposable {
  #items: vscode.Disposable[] = [];
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Takes ownership and returns the item, so that one line creates and owns it. */
  add<T extends vscode.Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  /** Joins bursts of calls: the returned function does the work once, `ms` milliseconds after its first call. */
  soon(ms: number, work: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    this.add({ dispose: () => clearTimeout(timer) });
    return () => {
      if (this.#disposed) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, ms);
    };
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const item of this.#items.reverse()) item.dispose();
    this.#items = [];
  }
}

/** A part that owns others, which end with it. */
export abstract class Owner implements vscode.Disposable {
  protected readonly store = new DisposableStore();

  dispose(): void {
    this.store.dispose();
  }
}
