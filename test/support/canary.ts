import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** The ways in which a key may stand somewhere without standing there as it is. */
export function spellingsOf(key: string): string[] {
  const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
  const hex = Buffer.from(key).toString('hex');
  return [key, encodeURIComponent(key), base64, hex, [...key].reverse().join('')];
}

/** Files under a folder whose bytes hold one of the spellings, by their path in it. */
export async function filesWith(folder: string, spellings: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    const wide = bytes.toString('utf16le');
    if (spellings.some((spelling) => bytes.includes(spelling) || wide.includes(spelling)))
      found.push(path.relative(folder, file));
  }
  return found;
}

/** Keeps what pages and frames post to one another, from now on in every document that loads. */
export async function recordMessages(page: Page): Promise<void> {
  // What runs these tests wraps named functions in a helper that pages do not have.
  await page.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await page.addInitScript(() => {
    const kept: string[] = [];
    (globalThis as unknown as { keptMessages: string[] }).keptMessages = kept;
    const keep = (message: unknown) => {
      try {
        kept.push(JSON.stringify(message) ?? '');
      } catch {
        kept.push(String(message));
      }
    };
    window.addEventListener('message', ({ data }) => keep(data), true);
    // A worker's port carries the whole window's traffic with its extension host, secrets and all: only frames here.
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      keep(args[0]);
      return (post as (...all: unknown[]) => void).apply(this, args);
    } as typeof post;
  });
}

/** For each document on show, its address, its DOM with open shadow roots, and what was posted to it. */
export async function documentsOf(page: Page): Promise<{ url: string; dom: string; messages: string[] }[]> {
  const documents = await Promise.all(
    page.frames().map(async (frame) => {
      const seen = await frame
        .evaluate(() => {
          const texts: string[] = [];
          const visit = (root: Document | ShadowRoot) => {
            texts.push(root instanceof Document ? root.documentElement.outerHTML : root.innerHTML);
            for (const element of root.querySelectorAll('*')) {
              if (element.shadowRoot) visit(element.shadowRoot);
              const { value } = element as { value?: unknown };
              if (typeof value === 'string') texts.push(value);
            }
          };
          visit(document);
          const kept = (globalThis as unknown as { keptMessages?: string[] }).keptMessages ?? [];
          return { dom: texts.join('\n'), messages: kept };
        })
        .catch(() => undefined);
      return seen ? [{ url: frame.url(), ...seen }] : [];
    }),
  );
  return documents.flat();
}

/** What the browser stores for the page, by where: the entries that hold one of the spellings. */
export async function browserStorageWith(page: Page, spellings: readonly string[]): Promise<string[]> {
  return page.evaluate(async (needles) => {
    const holds = (value: unknown) => {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      return needles.some((needle) => text.includes(needle));
    };
    const found: string[] = [];
    for (const [area, storage] of [
      ['localStorage', localStorage],
      ['sessionStorage', sessionStorage],
    ] as const)
      for (const key of Object.keys(storage)) if (holds(storage.getItem(key))) found.push(`${area}: ${key}`);
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const rows = await new Promise<[IDBValidKey, unknown][]>((resolve, reject) => {
          const all: [IDBValidKey, unknown][] = [];
          const asking = database.transaction(store).objectStore(store).openCursor();
          asking.onsuccess = () => {
            const cursor = asking.result;
            if (!cursor) return resolve(all);
            all.push([cursor.key, cursor.value]);
            cursor.continue();
          };
          asking.onerror = () => reject(asking.error);
        });
        for (const [key, value] of rows) if (holds(value)) found.push(`indexedDB ${name}/${store}: ${key}`);
      }
      database.close();
    }
    return found;
  }, spellings);
}
