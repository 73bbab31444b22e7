import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { accessibilityViolations } from '../support/axe';
import { useVSCode } from '../support/journey';
import { corrupt, makePictures } from '../support/pictures';

describe('Indexing a folder by right-click, and finding similar images', () => {
  const journey = useVSCode({
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), 40);
      await corrupt(path.join(workspace, 'images/set-0/picture-0.png'));
      await makePictures(path.join(workspace, 'ignored'), 2);
      await fs.writeFile(path.join(workspace, '.gitignore'), 'ignored/\n');
      const mixed = path.join(workspace, 'mixed');
      await fs.mkdir(mixed);
      for (const n of [3, 4])
        await fs.copyFile(
          path.join(workspace, `images/set-0/picture-${n}.png`),
          path.join(mixed, `${n}.png`),
        );
      await fs.writeFile(path.join(mixed, 'empty.png'), '');
      await fs.writeFile(path.join(mixed, 'note.txt'), 'no picture');
    },
  });

  it('starts the sandbox', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /Image/).waitFor();
  });

  it('asks once, with the coming work, and indexes the folder', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.pick('playground', /Into which scope/);
    await vscode.dialog.waitFor();
    const text = (await vscode.dialog.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(text, /40 new/);
    assert.match(text, /3 runs/);
    await vscode.screenshot('journeys/index-question');
    await vscode.clickDialogButton('Index 40 Files');
    const ended = await vscode.notificationText(/Indexed \d+ of \d+ files? into playground/);
    assert.match(ended, /39 of 40/);
    assert.match(ended, /1 failed/);
  });

  it('shows the scope with its counts, and the failed file with its reason', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    for (const row of ['Image Similarity', 'images', 'set-0']) await vscode.expandTreeRow('Scopes', row);
    await vscode.treeRow('Scopes', 'picture-0.png').waitFor();
    const rows = await vscode.treeRows('Scopes');
    assert.ok(
      rows.some((row) => /^Image Similarity\s*1 failed, 39 items/.test(row)),
      rows.join('\n'),
    );
    assert.ok(
      rows.some((row) => /^picture-0\.png\s*.*rejected/.test(row)),
      rows.join('\n'),
    );
    await vscode.screenshot('journeys/scopes');
  });

  it('opens a search with the files of its scope', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(vscode.treeRow('Scopes', 'playground'), 'Search Scope');
    const page = await vscode.webview('Search playground');
    const files = page.getByRole('list', { name: 'Files in this scope' });
    await files
      .getByRole('button', { name: /picture-7\.png/ })
      .first()
      .waitFor();
    await page.locator('mb-thumbnail canvas').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^Hit / }).count(), 0);
    assert.deepEqual(await accessibilityViolations(page), []);
    await vscode.screenshot('journeys/search-begins');
  });

  it('finds similar images, the image itself first, as tiles of the user’s own files', async () => {
    const { vscode } = journey;
    const item = await vscode.revealInExplorer('images', 'set-0', 'picture-7.png');
    await vscode.contextMenu(item, 'Find Similar Images');
    const page = await vscode.webview('Search playground');
    const first = page.getByRole('button', { name: /^Hit 1: / });
    await first.waitFor();
    assert.match((await first.getAttribute('aria-label')) ?? '', /picture-7\.png/);
    await page.locator('mb-thumbnail canvas').first().waitFor();
    await first.focus();
    await vscode.page.keyboard.press('ArrowRight');
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(focused, /^Hit 2: /);
    for (const theme of ['light', 'high contrast', 'dark'] as const) {
      await vscode.setTheme(theme);
      await vscode.screenshot(`journeys/search-${theme}`);
    }
  });

  it('changes the maximum number of results, compares a hit with the query, and opens it', async () => {
    const { vscode } = journey;
    const page = await vscode.webview('Search playground');
    await page.getByLabel('Results').fill('4');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^4 hits · /).waitFor();
    const second = page.getByRole('listitem').nth(1);
    const id = /^Hit 2: (.*?),/.exec(
      (await second.getByRole('button', { name: /^Hit 2/ }).getAttribute('aria-label')) ?? '',
    )?.[1];
    assert.ok(id);
    await second.hover();
    await second.getByRole('button', { name: /^Compare with Query/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Query and hit' });
    await dialog.waitFor();
    await dialog.getByText(id).waitFor();
    const loaded = await dialog
      .locator('img')
      .evaluateAll(async (images) =>
        Promise.all(
          images.map((image) => (image as HTMLImageElement).decode().then(() => image.clientWidth)),
        ),
      );
    assert.ok(loaded.length === 2 && loaded.every((width) => width > 0), String(loaded));
    await vscode.screenshot('journeys/search-compare');
    await vscode.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await second.hover();
    await second.getByRole('button', { name: /^Copy ID/ }).click();
    await vscode.page.waitForFunction(
      async (wanted) => (await navigator.clipboard.readText()) === wanted,
      id,
    );
    await second.getByRole('button', { name: /^Hit 2/ }).click();
    await vscode.activeEditorTab(path.basename(id)).waitFor();
    await vscode.runCommand('View: Close Editor');
  });

  it('searches with a hit by the keyboard alone', async () => {
    const { vscode } = journey;
    const page = await vscode.webview('Search playground');
    await page.getByRole('button', { name: /^Hit 1: / }).focus();
    await vscode.page.keyboard.press('ArrowRight');
    const name = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    const id = /^Hit 2: (.*?),/.exec(await name())?.[1];
    assert.ok(id);
    for (let tabs = 0; !(await name()).startsWith('Find Similar'); tabs++) {
      assert.ok(tabs < 6, await name());
      await vscode.page.keyboard.press('Tab');
    }
    assert.equal(await name(), `Find Similar: ${id}`);
    await vscode.page.keyboard.press('Enter');
    await page.getByRole('button', { name: path.basename(id), exact: true }).waitFor();
    await page.getByRole('button', { name: `Hit 1: ${id}` }).waitFor();
  });

  it('marks the query among its hits, goes back to the search before, and copies a picture', async () => {
    const { vscode } = journey;
    const page = await vscode.webview('Search playground');
    const own = page.getByRole('listitem').filter({ hasText: 'The query itself' });
    assert.equal(await own.count(), 1);
    assert.match(
      (await own.getByRole('button').first().getAttribute('aria-label')) ?? '',
      /the query itself/,
    );
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: /^Hit 1: .*picture-7\.png/ }).waitFor();
    await vscode.contextMenu(own, 'Copy Image');
    await vscode.page.waitForFunction(async () => {
      const [item] = await navigator.clipboard.read();
      return item?.types.includes('image/png');
    });
  });

  it('marks a hit without a local file, and exports the hits', async () => {
    const { vscode } = journey;
    await fs.rename(
      path.join(vscode.workspace, 'images/set-0/picture-5.png'),
      path.join(vscode.workspace, 'images/moved.png'),
    );
    let page = await vscode.webview('Search playground');
    await page.getByLabel('Results').fill('');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^10 hits · /).waitFor();
    await page.getByLabel('Results').fill('39');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText(/^39 hits · /).waitFor();
    const gone = page.getByRole('listitem').filter({ hasText: 'picture-5.png' });
    await gone.getByText('No local file').waitFor();
    assert.equal(await gone.getByRole('button', { name: /^Open/ }).count(), 0);
    for (const theme of ['light', 'high contrast', 'dark'] as const) {
      await vscode.setTheme(theme);
      assert.deepEqual(await accessibilityViolations(page), [], theme);
    }
    for (const [format, first] of [
      ['CSV', /^\ufeffrank,id,score,path,about\n1,images\/set-0\/picture-/],
      ['JSON', /^\[\n {2}\{\n {4}"rank": 1,\n {4}"id": "images\/set-0\/picture-/],
    ] as const) {
      const name = `search-playground.${format.toLowerCase()}`;
      await page.getByRole('button', { name: `Export as ${format}` }).click();
      await vscode.answerFileDialog();
      await vscode.editorTab(name).waitFor();
      const written = await fs.readFile(path.join(vscode.workspace, name), 'utf8');
      assert.match(written, first);
      assert.equal(
        written.match(/picture-\d+\.png["',]/g)?.length,
        39 * 2 - 1,
        'ids, and paths but of the one',
      );
      await vscode.runCommand('View: Close Editor');
      // Behind the other editor its page was released.
      page = await vscode.webview('Search playground');
    }
    await page.getByLabel('Results').fill('');
    await page.getByLabel('Results').press('Tab');
    await fs.rename(
      path.join(vscode.workspace, 'images/moved.png'),
      path.join(vscode.workspace, 'images/set-0/picture-5.png'),
    );
  });

  it('searches with an image that is pasted or dropped from outside VS Code', async () => {
    const { vscode } = journey;
    const bytes = await fs.readFile(path.join(vscode.workspace, 'images/set-0/picture-9.png'));
    const page = await vscode.webview('Search playground');
    const file = { name: 'from the system.png', mimeType: 'image/png', bytes };
    await vscode.drop(page.locator('button.drop'), [file]);
    const first = page.getByRole('button', { name: /^Hit 1: .*picture-9\.png/ });
    await first.waitFor();
    await page.getByRole('button', { name: 'from the system.png', exact: true }).waitFor();
    await vscode.paste(page.locator('button.drop'), [{ ...file, name: 'pasted.png' }]);
    await page.getByRole('button', { name: 'pasted.png', exact: true }).waitFor();
    await first.waitFor();
  });

  it('restores its hits after a reload without a request', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    // The command, not the browser's reload: VS Code then keeps its open editors first.
    const loaded = vscode.page.waitForEvent('load');
    await vscode.runCommand('Developer: Reload Window');
    await loaded;
    await vscode.ready();
    const page = await vscode.webview('Search playground');
    await page.getByRole('button', { name: /^Hit 1: .*picture-9\.png/ }).waitFor();
    await page.getByText(/10 hits · .* · searched /).waitFor();
    // A canvas without a drawing is 300 wide; these pictures are 16.
    await page.waitForFunction(() => document.querySelector('canvas')?.width === 16);
    await vscode.resize(760, 700);
    await vscode.screenshot('journeys/search-reloaded-narrow');
    await vscode.resize(1280, 860);
  });

  it('sends nothing for a second pass', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    const dataset = vscode.treeRow('Scopes', 'Image Similarity');
    await dataset.hover();
    await dataset.getByRole('button', { name: 'Index Changes' }).click();
    await vscode.dialog.waitFor();
    const text = (await vscode.dialog.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(text, /39 unchanged/);
    assert.match(text, /1 failed before/);
    await vscode.page.keyboard.press('Escape');
  });

  it('lists selected files that cannot be indexed, before anything is sent', async () => {
    const { vscode } = journey;
    const first = await vscode.revealInExplorer('mixed', '3.png');
    const others = ['4.png', 'empty.png', 'note.txt'].map((name) => vscode.explorerItem(name));
    await vscode.selectInExplorer(first, ...others);
    await vscode.contextMenu(first, 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.pick('playground', /Into which scope/);
    const text = await vscode.dialogText();
    assert.match(text, /2 new, 2 cannot be indexed\./);
    assert.match(text, /mixed\/empty\.png: The file is empty\./);
    assert.match(text, /mixed\/note\.txt: The model does not accept files of this type \(text\/plain\)\./);
    await vscode.screenshot('journeys/index-question-mixed');
    await vscode.page.keyboard.press('Escape');
  });

  it('skips a folder that .gitignore excludes, and indexes it when asked', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('ignored'), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.pick('playground', /Into which scope/);
    await vscode.clickNotificationAction(/skipped because of \.gitignore/, 'Index Anyway');
    assert.match(await vscode.dialogText(), /2 new\./);
    await vscode.page.keyboard.press('Escape');
    await vscode.clearNotifications();
  });
});
