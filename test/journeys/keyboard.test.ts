import assert from 'node:assert/strict';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { accessibilityViolations } from '../support/axe';
import { makePictures } from '../support/pictures';
import { RunPanel } from '../support/runPanel';
import { useVSCode } from './journey';
import { Keyboard } from './keyboard';

describe('The main job by keyboard alone', () => {
  const journey = useVSCode({
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), 12),
  });
  let keyboard: Keyboard;

  /** Chooses from the context menu of a row of the Explorer. */
  const inExplorer = async (file: string, entry: string) => {
    const tree = journey.vscode.page.locator('.explorer-folders-view');
    await keyboard.menuOfRow('File: Focus on Files Explorer', tree, file, entry);
  };
  const searchPage = () => journey.vscode.webview('Search playground');
  const shownHitsOf = async (page: Frame, searchedWith: string) => {
    await page.locator('.query').getByRole('button', { name: searchedWith, exact: true }).waitFor();
    await page
      .locator('section[aria-busy=false]')
      .getByRole('button', { name: /^Hit 1: / })
      .waitFor();
  };
  /** Goes into it once it shows the last query: a page that is there already has earlier hits. */
  const inSearchPage = async (searchedWith: string) => {
    await shownHitsOf(await searchPage(), searchedWith);
    await keyboard.command('View: Focus Active Editor Group');
    return searchPage();
  };

  /** From the menu of the search page, of which it is the first entry. */
  const pressPin = async (page: Frame) => {
    await keyboard.tabTo(page, 'More Actions');
    await keyboard.press('Enter');
    await keyboard.pressUntil(
      'Home',
      'Pin Search',
      async () => (await keyboard.focusedIn(page)) === 'Pin Search',
    );
    await keyboard.press('Enter');
  };

  before(async () => {
    keyboard = await Keyboard.of(journey.vscode);
  });

  it('connects, and opens a model from the catalog', async () => {
    const { vscode } = journey;
    await keyboard.command('Model Bench: Try the Built-in Sandbox');
    await vscode.statusBarItem('modelBench.wallet').filter({ hasText: /\$/ }).waitFor();
    await vscode.treeRow('Catalog', /Sentiment/).waitFor();
    const catalog = vscode.view('Catalog');
    await keyboard.toRow('Model Bench: Focus on Catalog View', catalog, 'Sentiment (English)');
    await keyboard.press('Enter');
    await RunPanel.in(vscode, /Sentiment/);
  });

  it('fills in the form, runs, and reads the result', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, /Sentiment/);
    await keyboard.command('View: Focus Active Editor Group');
    const isThere = () =>
      panel.frame
        .getByRole('textbox', { name: 'Text', exact: true })
        .first()
        .evaluate((field) => field.matches(':focus'));
    await keyboard.pressUntil('Tab', 'the field', isThere);
    // Not Ctrl+A: VS Code selects all of a page once more, later, and that takes the focus back to the field.
    await keyboard.press('End');
    await keyboard.press('Shift+Home');
    await keyboard.type('What a lovely day.');
    await keyboard.tabTo(panel.frame, 'Run');
    await keyboard.press('Enter');
    await panel.result.getByText('positive').first().waitFor();
    await keyboard.focuses(panel.frame, /^Run$/);
    await keyboard.tabTo(panel.frame, 'Preview');
    await keyboard.press('ArrowRight');
    await keyboard.focuses(panel.frame, /^JSON$/);
    await panel.result.getByRole('tabpanel', { name: 'JSON' }).waitFor();
  });

  it('indexes a folder from the Explorer', async () => {
    const { vscode } = journey;
    await inExplorer('images', 'Index Image with Model…');
    await keyboard.choose('playground', /Into which scope/);
    await vscode.dialog.waitFor();
    await keyboard.press('Enter');
    await vscode.notificationText(/Indexed 12 of 12 files into playground/);
  });

  it('searches with an image, pins the search, and opens a hit', async () => {
    const { vscode } = journey;
    await inExplorer('picture-3.png', 'Find Similar…');
    const page = await inSearchPage('picture-3.png');
    await pressPin(page);
    const pinned = page.getByRole('navigation', { name: 'Pinned searches' });
    await pinned.getByRole('button', { name: 'picture-3.png' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await vscode.screenshot('journeys/keyboard-pinned');
    await keyboard.tabTo(page, /^Hit 1: /);
    await keyboard.press('ArrowRight');
    await keyboard.focuses(page, /^Hit 2: /);
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Query and hit' }).waitFor();
    await keyboard.press('Escape');
    await keyboard.tabTo(page, /^Open: /);
    await keyboard.press('Enter');
    await vscode.activeEditorTab(/picture-\d+\.png/).waitFor();
  });

  it('restores the pinned search with its hits after a restart without a request, and unpins it', async () => {
    const { vscode } = journey;
    await inExplorer('picture-5.png', 'Find Similar…');
    await inSearchPage('picture-5.png');
    const loaded = vscode.page.waitForEvent('load');
    await keyboard.command('Developer: Reload Window');
    await loaded;
    await vscode.ready();
    const page = await inSearchPage('picture-5.png');
    await keyboard.tabTo(page, 'picture-3.png');
    await keyboard.press('Enter');
    await shownHitsOf(page, 'picture-3.png');
    await page.getByText(/ · searched /).waitFor();
    await page.locator('nav [aria-current=true]', { hasText: 'picture-3.png' }).waitFor();
    await keyboard.command('Model Bench: Back to the Previous Search');
    await shownHitsOf(page, 'picture-5.png');
    await keyboard.tabTo(page, 'picture-3.png');
    await keyboard.press('Enter');
    await shownHitsOf(page, 'picture-3.png');
    await pressPin(page);
    await page.getByRole('navigation', { name: 'Pinned searches' }).waitFor({ state: 'detached' });
  });

  it('opens a run of the history, and reads the total cost', async () => {
    const { vscode } = journey;
    await keyboard.command('View: Close All Editors');
    await keyboard.toRow('Model Bench: Focus on History View', vscode.view('History'), 'Sentiment');
    await keyboard.press('Enter');
    await RunPanel.in(vscode, /Sentiment/);
    await keyboard.command('Model Bench: Show Usage and Billing');
    const page = await vscode.webview(/usage/i);
    await page.getByRole('heading', { name: 'By model' }).waitFor();
    await page.getByText('Image Similarity').first().waitFor();
    await vscode.screenshot('journeys/keyboard-usage');
  });

  it('needed no mouse, and met no error', async () => {
    assert.deepEqual(keyboard.pointed, []);
    assert.deepEqual(
      (await journey.vscode.notifications()).filter((text) => /not found|error|failed/i.test(text)),
      [],
    );
  });
});
