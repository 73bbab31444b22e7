import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { oneBit } from '../faults/hostileShapes';
import { violationsInEachTheme } from '../support/axe';
import { launchBrowser } from '../support/browser';
import { outFolder } from '../support/paths';
import { openResultPage, type ResultPage } from './resultPage';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxAADCBYGAAsZAQQ4cZ4uAAAAAElFTkSuQmCC';
const longPng = `data:image/png;base64,${png}`;

/** One of everything. */
const everything = {
  text: 'A short response with <b>markup</b> that must stay text.',
  markdown:
    '# Findings\n\n- one\n- **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[a link](https://models.test/x) ![far](https://models.test/p.png) <script>window.hacked=1</script>\n\n```js\nconst a = 1;\n```',
  language: 'en',
  confidence: 0.98,
  candidates: [
    { language: 'en', score: 0.98 },
    { language: 'de', score: 0.015 },
    { language: 'nl', score: 0.0001 },
  ],
  palette: [
    { hex: '#336699', share: 0.6 },
    { hex: '#ffcc00', share: 0.4 },
  ],
  results: [
    { id: 'photos/a very long folder name/cat.png', score: 0.93 },
    { id: 'photos/dog.png', score: 0.71 },
  ],
  boxes: [
    { x: 1, y: 2, width: 30, height: 40, label: 'cat', score: 0.9 },
    { x: 40, y: 10, width: 20, height: 20, label: 'dog', score: 0.8 },
  ],
  embedding: Array.from({ length: 256 }, (_, at) => Math.sin(at / 9)),
  table: Array.from({ length: 3000 }, (_, at) => ({
    name: `item ${at}`,
    count: (at * 7919) % 3000,
    note: at % 2 ? null : { deeper: 'x'.repeat(100) },
  })),
  image: longPng,
  far: { url: 'https://models.test/out.png' },
};

describe('A shown result', () => {
  let browser: Browser;
  let result: ResultPage;
  const problems: string[] = [];
  before(async () => {
    browser = await launchBrowser();
    result = await openResultPage(browser);
    result.page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    result.page.on('pageerror', (error) => problems.push(String(error)));
  });
  after(async () => {
    await result.close();
    await browser.close();
  });

  it('shows each part in its own view, under the policy of the panels, without one error', async () => {
    const { page } = result;
    await result.show(everything);
    await page.locator('.mb-markdown li').first().waitFor();
    await page.locator('.mb-media img').waitFor();
    assert.equal(await page.locator('.mb-labels li').count(), 3);
    assert.equal(await page.locator('.gallery.ranked .tile').count(), 2);
    assert.equal(await page.locator('.mb-box').count(), 2);
    assert.equal(await page.locator('.mb-colors li').count(), 2);
    assert.match(await page.locator('.mb-vector figcaption').innerText(), /256 dimensions, norm/);
    assert.match(await page.locator('.mb-text').first().innerText(), /<b>markup<\/b>/);
    assert.deepEqual(problems, []);
  });

  it('keeps the markup of a model from running, and leaves its links to VS Code alone', async () => {
    const { page } = result;
    assert.equal(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked), undefined);
    assert.match(await page.locator('.mb-markdown').innerText(), /<script>/);
    assert.equal(await page.locator('.mb-markdown img').count(), 0);
    // VS Code opens the link of each click that reaches the window.
    await page.evaluate(() => {
      window.addEventListener('click', (event) => {
        Object.assign(window, { opened: (event.target as HTMLAnchorElement).href });
        event.preventDefault();
      });
    });
    const askedBefore = (await result.asked()).length;
    await page.locator('.mb-markdown a', { hasText: 'a link' }).click();
    assert.equal(await page.evaluate(() => Reflect.get(window, 'opened')), 'https://models.test/x');
    assert.equal((await result.asked()).length, askedBefore);
  });

  it('shows a text as text that takes too long as Markdown, and holds up nothing', async () => {
    const { page } = result;
    const steps = () => page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    for (const shape of ['* - ', '_*', '- > ', '*a', '>', '[a]']) {
      const text = `# Title\n\n${shape.repeat(40_000 / shape.length)}`;
      await result.show({ text, after: `# ${shape.length}\n\n- shown` });
      await steps();
      assert.ok((await page.locator('.mb-markdown').first().innerText()).includes('Title'));
      await page.locator('.mb-markdown li').first().waitFor();
    }
    await result.show(everything);
    await page.locator('.mb-markdown li').first().waitFor();
    assert.deepEqual(problems, []);
  });

  it('fetches remote media only on request', async () => {
    const { page } = result;
    const fetched = async () =>
      (await result.asked()).filter(([name, pointer]) => name === 'media' && pointer === '/far/url');
    assert.equal((await fetched()).length, 0);
    await page.getByRole('button', { name: 'Load from models.test' }).click();
    assert.equal((await fetched()).length, 1);
  });

  it('draws an SVG only on request: a few of its lines can take any time', async () => {
    const { page } = result;
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
    await result.show({ drawing: `data:image/svg+xml,${encodeURIComponent(svg)}` });
    const fetched = async () => (await result.asked()).filter(([name]) => name === 'media').length;
    const before = await fetched();
    const show = page.locator('.mb-media').getByRole('button', { name: 'Show', exact: true });
    await show.waitFor();
    assert.equal(await fetched(), before);
    await show.click();
    await page.locator('.mb-media img').waitFor();
    await result.show(everything);
  });

  it('sorts a table by a click on its header and holds only the rows in sight', async () => {
    const { page } = result;
    const table = page.getByRole('table', { name: 'table' });
    await table.getByRole('button', { name: 'count' }).click();
    const first = table.locator('.mb-sizer [role=row]').first().getByRole('cell').nth(1);
    await page.waitForFunction((cell) => cell?.textContent === '2999', await first.elementHandle());
    assert.equal(await table.getByRole('columnheader').nth(1).getAttribute('aria-sort'), 'descending');
    assert.ok((await table.locator('.mb-sizer [role=row]').count()) < 60);
    const edges = (cells: Locator) =>
      cells.evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().left)));
    const row = table.locator('.mb-sizer [role=row]').first();
    assert.deepEqual(await edges(table.getByRole('columnheader')), await edges(row.getByRole('cell')));
    await table.evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await table.getByText('item 0', { exact: true }).waitFor();
  });

  it('walks the tree by keyboard, searches it and copies a path', async () => {
    const { page } = result;
    const tree = page.getByRole('tree');
    await tree.focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight'])
      await page.keyboard.press(key);
    await tree.getByText('{2}').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search in the JSON' }).fill('item 2731');
    await page.locator('.mb-found').waitFor();
    await page.getByRole('button', { name: 'Copy JSON Path' }).click();
    assert.deepEqual((await result.asked()).at(-1), ['copyText', 'table[2731].name']);
  });

  it('leaves nothing for axe to find, and is legible in each theme', async () => {
    assert.deepEqual(await violationsInEachTheme(result.page, 'main'), []);
  });

  it('shows 10 MB of JSON, and holds only its visible part', async () => {
    const { page } = result;
    // Made in the page: the way into it is the driver's, not the panel's.
    const characters = await page.evaluate(() => {
      const rows = Array.from({ length: 60_000 }, (_, id) => ({
        id,
        nested: { text: 'x'.repeat(100), list: [1, 2, 3] },
      }));
      const output = { rows, text: 'y'.repeat(2_000_000) };
      (window as unknown as { show(output: unknown): void }).show(output);
      return JSON.stringify(output).length;
    });
    assert.ok(characters > 9e6);
    await page.getByRole('row').or(page.getByRole('treeitem')).first().waitFor();
    const held = await page.evaluate(() => document.body.outerHTML.length);
    assert.ok(held < 1_000_000, `${held} characters in the page`);
  });

  it('says so when a result has no view of its own, and shows all of it', async () => {
    const { page } = result;
    await result.show({ odd: { deeper: { still: {} } } });
    await page.getByText('No preview for this result; showing JSON.').waitFor();
    await page.getByRole('treeitem').nth(1).waitFor();
  });

  it('shows labels and their scores whole where two results share a narrow panel', async () => {
    const { page } = result;
    await page.setViewportSize({ width: 180, height: 900 });
    await result.show({
      labels: [
        { label: 'indistinguishable', score: 0.5 },
        { label: 'negative', score: 0.25 },
      ],
    });
    await page.locator('.mb-labels li').nth(1).waitFor();
    const cut = await page
      .locator('.mb-labels .mb-label, .mb-labels .mb-score')
      .evaluateAll((texts) =>
        texts
          .filter(
            (text) => text.scrollWidth > text.clientWidth || text.getBoundingClientRect().right > innerWidth,
          )
          .map((text) => text.textContent),
      );
    assert.deepEqual(cut, []);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('cuts the beginning of a long path, and keeps the name in sight', async () => {
    const { page } = result;
    const names = ['a', 'acanthus', 'nagasaki-boats'];
    const results = names.map((name, at) => ({ id: `photographs/of/places/${name}.jpg`, score: 1 - at / 9 }));
    await result.show({ results }, {}, `data:image/png;base64,${longPng}`);
    await page.locator('mb-hits .path').nth(2).waitFor();
    const cut = await page.locator('mb-hits .path').evaluateAll((all) =>
      all.map((line) => {
        const text = line.querySelector('bdi')!;
        const box = line.getBoundingClientRect();
        const { left, right } = text.getBoundingClientRect();
        return { beginning: left < box.left - 1, end: right > box.right + 1 };
      }),
    );
    assert.ok(cut.every(({ end }) => !end) && cut.some(({ beginning }) => beginning), JSON.stringify(cut));
  });

  it('stays readable from 300 px to wide, in three themes', async () => {
    const { page } = result;
    const folder = path.join(outFolder, 'screenshots');
    mkdirSync(folder, { recursive: true });
    await result.show(everything);
    for (const theme of ['dark', 'light', 'contrast'])
      for (const width of [300, 1400]) {
        await page.evaluate((name) => {
          document.documentElement.className = name;
        }, theme);
        await page.setViewportSize({ width, height: 900 });
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `scrolls sideways at ${width}`,
        );
        await page.screenshot({ path: path.join(folder, `result-${theme}-${width}.png`), fullPage: true });
      }
  });

  it('offers to save a picture of more pixels than a page can hold', async () => {
    const image = `data:image/png;base64,${oneBit(16_384, 16_384).toString('base64')}`;
    await result.show({ image });
    await result.page.getByText('This cannot be shown here. Use Save As…').waitFor();
    await result.show({ results: [{ id: 'a/b.png', score: 1 }] }, {}, image);
    await result.page.getByText('Cannot be shown', { exact: true }).waitFor();
    await result.page.locator('mb-thumbnail').click();
    await result.page.locator('.lightbox img:not([src])').waitFor();
    await result.page.keyboard.press('Escape');
    await result.show({ image: longPng });
    await result.page.getByRole('img').first().waitFor();
  });
});
