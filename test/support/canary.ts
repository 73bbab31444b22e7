import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** The encoded forms in which a text may contain a key. */
export function spellingsOf(key: string): string[] {
  const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
  const hex = Buffer.from(key).toString('hex');
  return [key, encodeURIComponent(key), base64, hex, [...key].reverse().join('')];
}

export async function filesWith(folder: string, spellings: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    const isIn = (spelling: string) => bytes.includes(spelling) || bytes.includes(spelling, 0, 'utf16le');
    if (spellings.some(isIn)) found.push(path.relative(folder, file));
  }
  return found;
}

// As texts: the test runner wraps named functions in a helper that pages do not have.
const RECORD = `(() => {
  const kept = (globalThis.keptMessages = []);
  const keep = (message) => {
    try { kept.push(JSON.stringify(message) ?? ''); } catch { kept.push(String(message)); }
  };
  window.addEventListener('message', ({ data }) => keep(data), true);
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (...args) {
    keep(args[0]);
    return post.apply(this, args);
  };
})()`;
const LOOK = `(() => {
  const texts = [];
  const visit = (root) => {
    texts.push(root.documentElement ? root.documentElement.outerHTML : root.innerHTML);
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      if (typeof element.value === 'string') texts.push(element.value);
    }
  };
  visit(document);
  return { dom: texts.join('\\n'), messages: globalThis.keptMessages ?? [] };
})()`;

/** The content of one document, and the messages posted in it. */
export interface SeenDocument {
  readonly url: string;
  readonly dom: string;
  readonly messages: readonly string[];
}

/** Keeps the messages between pages and frames, from now on in every document that loads. */
export async function recordMessages(page: Page): Promise<void> {
  await page.addInitScript({ content: RECORD });
}

/** For each visible document, its address, its DOM with open shadow roots, and the messages posted to it. */
export async function documentsOf(page: Page): Promise<SeenDocument[]> {
  const documents = await Promise.all(
    page.frames().map(async (frame) => {
      try {
        const seen = await frame.evaluate<Omit<SeenDocument, 'url'>>(LOOK);
        return [{ url: frame.url(), ...seen }];
      } catch (error) {
        // A panel that goes out of sight takes its frames along.
        if (frame.isDetached()) return [];
        throw error;
      }
    }),
  );
  return documents.flat();
}

/** The places among the recorded texts that contain one of the spellings. */
export function seenWith(seen: readonly SeenDocument[], spellings: readonly string[]): string[] {
  const holds = (text: string) => spellings.some((spelling) => text.includes(spelling));
  return seen.flatMap(({ url, dom, messages }) => [
    ...(holds(dom) ? [`the document ${url}`] : []),
    ...messages.filter(holds).map((message) => `a message at ${url}: ${message.slice(0, 200)}`),
  ]);
}

export async function browserStorageWith(page: Page, spellings: readonly string[]): Promise<string[]> {
  return page.evaluate<string[]>(`(${STORAGE})(${JSON.stringify(spellings)})`);
}

const STORAGE = `async (needles) => {
  const holds = (value) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return needles.some((needle) => text.includes(needle));
  };
  const result = (asking) =>
    new Promise((resolve, reject) => {
      asking.onsuccess = () => resolve(asking.result);
      asking.onerror = () => reject(asking.error);
    });
  const found = [];
  for (const [area, storage] of Object.entries({ localStorage, sessionStorage }))
    for (const key of Object.keys(storage)) if (holds(storage.getItem(key))) found.push(area + ': ' + key);
  for (const { name } of await indexedDB.databases()) {
    const database = await result(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const asked = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([result(asked.getAllKeys()), result(asked.getAll())]);
      keys.forEach((key, at) => holds(values[at]) && found.push(['indexedDB', name, store, key].join(' ')));
    }
    database.close();
  }
  return found;
}`;
