import assert from 'node:assert/strict';
import path from 'node:path';
import { eventually } from '../support/eventually';
import { makePictures } from '../support/pictures';
import { RunPanel } from '../support/runPanel';
import { themeNames, themesOfPages } from '../support/themes';
import { useVSCode } from './journey';

describe('The history', () => {
  const journey = useVSCode({
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), 1),
  });

  it('keeps a run with its result, as bars in the panel and as a row in the view', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    for (const text of ['What a lovely day.', 'What an awful day.']) {
      await vscode.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', () =>
        vscode.pick(/Sentiment/),
      );
      const panel = await vscode.webview(/Sentiment/);
      await panel.getByRole('textbox', { name: /text/i }).first().fill(text);
      await panel.getByRole('button', { name: 'Run', exact: true }).click();
      await panel.locator('.mb-labels li').first().waitFor();
      if (text.includes('lovely')) await vscode.runCommand('View: Close Editor');
    }
    await vscode.screenshot('journeys/history-result');
    await vscode.runCommand('Model Bench: Focus on History View');
    // The view follows a moment after the run.
    await vscode
      .view('History')
      .getByRole('treeitem', { name: /Sentiment/ })
      .nth(1)
      .waitFor();
    await vscode.screenshot('journeys/history-view');
  });

  it('shows the differences of two runs as JSON in the diff editor', async () => {
    const { vscode } = journey;
    await vscode.runCommandThatAsks('Model Bench: Compare Runs…', /with…/, () => vscode.pick(/Sentiment/));
    const page = await vscode.webview(/↔/);
    await page.getByText('1 value differs.').waitFor();
    assert.deepEqual(await page.locator('.places mark').allInnerTexts(), ['a lovely', 'an awful']);
    await vscode.screenshot('journeys/history-compare');
    await page.getByRole('button', { name: 'Show Differences as JSON' }).click();
    const diff = vscode.page.locator('.monaco-diff-editor');
    await diff.getByText('lovely').first().waitFor();
    await vscode.screenshot('journeys/history-compare-json');
    assert.equal(await diff.getByText(/run_id|created_at|finished_at/).count(), 0);
  });

  it('gives pages the colors of each theme that other tests rely on', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    const panel = await RunPanel.open(vscode, 'Sentiment (English)');
    for (const theme of themeNames) {
      await vscode.setTheme(theme);
      const { id, className, colors } = themesOfPages[theme];
      const given = () =>
        panel.frame.evaluate((names) => {
          const { style } = document.documentElement;
          const colorOf = (name: string) => style.getPropertyValue(`--vscode-${name}`).trim();
          return {
            id: document.body.dataset.vscodeThemeId,
            classes: [...document.body.classList],
            colors: Object.fromEntries(names.map((name) => [name, colorOf(name)])),
          };
        }, Object.keys(colors));
      // The page follows its window a moment later.
      await eventually(async () => assert.deepEqual((await given()).colors, colors, theme));
      const { id: shown, classes } = await given();
      assert.equal(shown, id);
      for (const name of className.split(' ')) assert.ok(classes.includes(name), name);
    }
    await vscode.setTheme('dark');
  });

  it('shows the image of an input when its row is hovered', async () => {
    const { vscode } = journey;
    const image = await vscode.revealInExplorer('images', 'set-0', 'picture-0.png');
    await vscode.contextMenu(image, 'Run with Model…');
    await vscode.pick(/Color Palette/);
    const panel = await RunPanel.in(vscode, /Color Palette/);
    await panel.run();
    await vscode.showModelBench();
    const picture = vscode.page.locator('.monaco-hover img');
    // A row that is drawn again loses it.
    await eventually(async () => {
      await vscode.page.mouse.move(0, 0);
      await vscode.treeRow('History', /picture-0\.png/).hover();
      await picture.waitFor({ timeout: vscode.limit(5000) });
    });
    await vscode.page.waitForFunction(
      () => (document.querySelector<HTMLImageElement>('.monaco-hover img')?.naturalWidth ?? 0) > 0,
    );
    assert.ok(((await picture.boundingBox())?.height ?? 999) <= 120);
    await vscode.screenshot('journeys/history-hover');
  });
});
