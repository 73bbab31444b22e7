import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser';
import {
  browserStorageWith,
  documentsOf,
  filesWith,
  recordMessages,
  type SeenDocument,
  seenWith,
  spellingsOf,
} from '../../support/canary';
import { type LoopbackServer, listenOnLoopback } from '../../support/loopback';

const KEY = 'mb-canary/+7f3a';

/** What would a search be worth that finds nothing because it cannot? Each place has the key planted in it once. */
describe('The search for a key', () => {
  let browser: Browser;
  let page: Page;
  let server: LoopbackServer;
  before(async () => {
    browser = await launchBrowser();
    server = await listenOnLoopback((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<!DOCTYPE html><body><iframe></iframe></body>'),
    );
  });
  beforeEach(async () => {
    page = await browser.newPage();
    await recordMessages(page);
    await page.goto(server.url);
  });
  afterEach(() => page?.close());
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const found = async (): Promise<readonly string[]> => {
    const seen: SeenDocument[] = await documentsOf(page);
    assert.ok(seen.length >= 2, 'the frame inside the page is looked into too');
    return seenWith(seen, spellingsOf(KEY));
  };

  it('finds no key where there is none', async () => {
    assert.deepEqual(await found(), []);
    assert.deepEqual(await browserStorageWith(page, spellingsOf(KEY)), []);
  });

  for (const [place, plant] of [
    ['a text', "document.body.append('key: ' + KEY)"],
    ['an attribute', 'document.body.dataset.note = KEY'],
    ['a field', "document.body.append(Object.assign(document.createElement('input'), { value: KEY }))"],
    [
      'a shadow root',
      "document.body.appendChild(document.createElement('p')).attachShadow({ mode: 'open' }).append(KEY)",
    ],
    ['a frame', 'frames[0].document.body.append(KEY)'],
    ['base64', 'document.body.append(btoa(KEY))'],
  ] as const)
    it(`finds one in the document: ${place}`, async () => {
      await page.evaluate(plant.replaceAll('KEY', JSON.stringify(KEY)));
      const places = await found();
      assert.equal(places.length, 1, places.join());
      assert.match(places[0] ?? '', /^the document /);
    });

  for (const [place, plant] of [
    ['posted to a page', "postMessage({ a: [KEY] }, '*')"],
    ['posted over a port', 'new MessageChannel().port1.postMessage({ deep: { key: KEY } })'],
  ] as const)
    it(`finds one in a message ${place}`, async () => {
      await page.evaluate(`(async () => { ${plant.replaceAll('KEY', JSON.stringify(KEY))};
        await new Promise((resolve) => setTimeout(resolve)); })()`);
      const places = await found();
      assert.equal(places.length, 1, places.join());
      assert.match(places[0] ?? '', /^a message at /);
    });

  it('finds one in each storage of the browser', async () => {
    await page.evaluate(`(async () => {
      const key = ${JSON.stringify(KEY)};
      localStorage.setItem('l', key);
      sessionStorage.setItem('s', JSON.stringify({ key }));
      await new Promise((resolve) => {
        const opening = indexedDB.open('db');
        opening.onupgradeneeded = () => opening.result.createObjectStore('rows').put({ deep: key }, 1);
        opening.onsuccess = () => { opening.result.close(); resolve(); };
      });
    })()`);
    assert.deepEqual(await browserStorageWith(page, spellingsOf(KEY)), [
      'localStorage: l',
      'sessionStorage: s',
      'indexedDB db rows 1',
    ]);
  });

  it('finds one in a log, a journal or a setting, however it is written', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'canary-'));
    try {
      const files: Record<string, string | Buffer> = {
        'a.log': `[info] GET / with ${KEY}\n`,
        'b.jsonl': JSON.stringify({ message: `Bearer ${KEY}` }),
        'c.json': JSON.stringify({ key: Buffer.from(KEY).toString('base64') }),
        'd.bin': Buffer.from(`x${KEY}`, 'utf16le'),
        'e.txt': encodeURIComponent(KEY),
        'f.txt': 'nothing',
      };
      for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
      const names = (await filesWith(folder, spellingsOf(KEY))).sort();
      assert.deepEqual(names, ['a.log', 'b.jsonl', 'c.json', 'd.bin', 'e.txt']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
