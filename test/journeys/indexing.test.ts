import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { useVSCode } from '../support/journey';
import { corrupt, makePictures } from '../unit/indexing/pictures';

describe('Indexing a folder by right-click, and finding similar images', () => {
  const journey = useVSCode({
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), 40);
      await corrupt(path.join(workspace, 'images/set-0/picture-0.png'));
    },
  });

  it('starts the sandbox', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /Image/).waitFor({ timeout: 30_000 });
  });

  it('asks once, with what will happen, and indexes the folder', async () => {
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
    const over = await vscode.notificationText(/Indexing into playground is over/);
    assert.match(over, /39 of 40/);
    assert.match(over, /1 failed/);
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
      rows.some((row) => /^picture-0\.png\s*.*refused/.test(row)),
      rows.join('\n'),
    );
    await vscode.screenshot('journeys/scopes');
  });

  it('finds similar images, the image itself first, as tiles of the own files', async () => {
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

  it('takes a picture that is pasted or dropped from the system', async () => {
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

  it('has its hits again after a reload, and sends nothing for that', async () => {
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
    await page.locator('mb-thumbnail canvas').first().waitFor();
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
    assert.match(text, /1 refused before/);
    await vscode.page.keyboard.press('Escape');
  });
});
