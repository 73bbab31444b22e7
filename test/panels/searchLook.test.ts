import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityViolations, violationsInEachTheme } from '../support/axe';
import { check } from '../support/check';
import { chooseInMenu } from '../support/pageMenu';
import { makePictures } from '../support/pictures';
import { showInTheme } from '../support/themes';
import { usePanels } from './usePanels';

describe('The look of the search page', () => {
  const suite = usePanels({
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), 12);
      await fs.mkdir(path.join(workspace, 'notes'));
      await fs.writeFile(path.join(workspace, 'notes/bike.txt'), 'Repair the bicycle before the weekend.');
      await fs.writeFile(path.join(workspace, 'notes/train.txt'), 'The train leaves at noon.');
    },
  });
  const index = async (folder: string, model: RegExp, scope: string, count: number) => {
    const { panels } = suite;
    await panels.index(folder, scope, model);
    (await panels.dialog()).pick(`Index ${count} Files`);
    await panels.indexedInto(scope);
  };
  let page: Page;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  const hits = () => page.getByRole('button', { name: /^Hit \d+: / });

  before('indexes pictures and texts', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    await index('images', /image similarity/i, 'photos', 12);
    await index('notes', /text similarity/i, 'notes', 2);
    await panels.explorerMenu('Find Similar', 'images/set-0/picture-3.png');
    page = await panels.page('Search photos');
    await hits().first().waitFor();
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  it('shows the whole query in one line of 56 px', async () => {
    assert.equal((await page.locator('.controls').boundingBox())!.height, 56);
    const controls = page.locator('.controls :is(input, select, .primary, .icon-button)');
    for (const control of await controls.all())
      assert.equal((await control.boundingBox())!.height, 26, await control.innerHTML());
    assert.equal((await page.locator('header').boundingBox())!.height, 26);
  });

  it('leaves the query out of its hits, until it is wanted, and keeps that over a reload', async () => {
    await page.getByText(/^9 hits · /).waitFor();
    assert.equal(await page.getByRole('button', { name: /the query itself/ }).count(), 0);
    const toggle = () => page.getByRole('checkbox', { name: 'Show the query itself' });
    await check(toggle());
    await page.getByRole('button', { name: /^Hit 1: .*picture-3\.png.*the query itself/ }).waitFor();
    await suite.panels.reload();
    page = await suite.panels.page('Search photos');
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.getByRole('button', { name: /the query itself/ }).waitFor();
    await check(toggle(), false);
    await page.getByText(/^9 hits · /).waitFor();
  });

  it('shows names alone under the pictures, and actions on the picture under the pointer', async () => {
    const tile = page.locator('.tile').first();
    assert.match((await tile.locator('.path').innerText()).trim(), /^picture-\d+\.png$/);
    assert.match(
      (await tile.locator('.path').getAttribute('title')) ?? '',
      /^images\/set-\d\/picture-\d+\.png$/,
    );
    const actions = tile.locator('.tile-actions');
    const opacity = () => actions.evaluate((at) => getComputedStyle(at).opacity);
    await page.mouse.move(0, 0);
    assert.equal(await opacity(), '0');
    const before = (await tile.boundingBox())!;
    await tile.hover();
    assert.equal(await opacity(), '1');
    assert.deepEqual(await tile.boundingBox(), before, 'nothing moves');
    const picture = (await tile.locator('.open').boundingBox())!;
    const over = (await actions.boundingBox())!;
    assert.ok(over.y >= picture.y && over.y + over.height <= picture.y + picture.height);
    assert.ok(before.height - picture.height <= 22, 'a name is one line');
  });

  it('pins and unpins its search from its menu', async () => {
    const { panels } = suite;
    const pinned = page.getByRole('navigation', { name: 'Pinned searches' });
    await chooseInMenu(page, 'More Actions', 'Pin Search');
    await pinned.getByRole('button', { name: 'picture-3.png' }).waitFor();
    await chooseInMenu(page, 'More Actions', 'Pin Search');
    await pinned.waitFor({ state: 'detached' });
    assert.equal(panels.window.contexts.get('modelBench.searchCanGoBack'), false);
  });

  it('enlarges tiles by a slider, by keyboard too, and keeps their size', async () => {
    const slider = page.getByRole('slider', { name: 'Size' });
    const width = async () => (await page.locator('.tile').first().boundingBox())!.width;
    const small = await width();
    await slider.focus();
    await page.keyboard.press('End');
    assert.ok((await width()) > small * 1.5, `${small} → ${await width()}`);
    await suite.panels.until(
      () => JSON.stringify([...suite.panels.kept.global.entries()]).includes('"tileSize":384'),
      'The kept size',
    );
    await page.keyboard.press('Home');
    assert.ok((await width()) <= small);
    await slider.fill('168');
  });

  it('shows a hit beside the query, goes on by arrow keys, and gives the focus back', async () => {
    await hits().first().focus();
    const opener = await focused();
    await page.keyboard.press('Enter');
    const box = page.getByRole('dialog', { name: 'Query and hit' });
    await box.getByText(/1 of 9\)$/).waitFor();
    await box.getByText('Query: picture-3.png').waitFor();
    assert.equal(await box.locator('img').count(), 2);
    assert.deepEqual(await accessibilityViolations(page), []);
    await page.screenshot({ path: 'out/looks/search-lightbox.png' });
    await page.keyboard.press('ArrowRight');
    await box.getByText(/2 of 9\)$/).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await box.getByText(/9 of 9\)$/).waitFor();
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    assert.equal(await focused(), opener);
  });

  it('shows hits without pictures as a ranked list with score, ID and text', async () => {
    const { panels } = suite;
    await panels.rowMenu(await panels.row('Scopes', 'notes'), 'Search Scope');
    const photos = page;
    page = await panels.page('Search notes');
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.getByLabel('Text to search with').fill('bicycle');
    await page.getByLabel('Text to search with').press('Enter');
    const row = page.locator('.gallery.ranked .tile').first();
    await row.getByText('notes/bike.txt').waitFor();
    await row.getByText('Repair the bicycle before the weekend.').waitFor();
    assert.match((await row.locator('.score').innerText()).trim(), /^0\.\d+$/);
    assert.equal(await page.locator('.no-picture').count(), 0);
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.screenshot({ path: 'out/looks/search-texts.png' });
    page = photos;
  });

  for (const width of [1400, 700, 400])
    it(`fits into ${width} px, with the borders of high contrast`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await page.locator('.tile').nth(1).hover();
      await page.screenshot({ path: `out/looks/search-${width}.png` });
      if (width === 700) assert.deepEqual(await violationsInEachTheme(page), []);
      await showInTheme(page, 'high contrast');
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${over} px`);
    });
});
