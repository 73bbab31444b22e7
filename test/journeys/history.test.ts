import assert from 'node:assert/strict';
import path from 'node:path';
import { accessibilityViolations } from '../support/axe';
import { eventually } from '../support/eventually';
import { useVSCode } from '../support/journey';
import { makePictures } from '../support/pictures';
import { RunPanel } from '../support/runPanel';
import { themesOfPages } from '../support/themes';

describe('The history', () => {
  const journey = useVSCode({
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), 3),
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

  it('compares two runs side by side, and their JSON in the diff editor', async () => {
    const { vscode } = journey;
    await vscode.runCommandThatAsks('Model Bench: Compare Runs', 'Compare Runs', () =>
      vscode.pick(/Sentiment/, 'Compare Runs'),
    );
    await vscode.pick(/Sentiment/, /with…/);
    const page = await vscode.webview(/↔/);
    await page.getByText('1 value differs.').waitFor();
    assert.deepEqual(await page.locator('.places mark').allInnerTexts(), ['a lovely', 'an awful']);
    await page.locator('.mb-labels li').nth(3).waitFor();
    await page.getByRole('checkbox', { name: /Show \d equal values/ }).check();
    await page.getByRole('rowheader', { name: 'model' }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await vscode.screenshot('journeys/history-compare');
    // The visible part at 200 % in a window of 1280 × 800 pixels.
    await vscode.resize(640, 400);
    await vscode.setTheme('light');
    assert.deepEqual(await accessibilityViolations(page), []);
    const over = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    assert.equal(await page.evaluate(over), 0);
    await vscode.screenshot('journeys/history-compare-200');
    await vscode.setTheme('dark');
    await vscode.resize(1280, 860);
    await page.getByRole('button', { name: 'Show Differences as JSON' }).click();
    const diff = vscode.page.locator('.monaco-diff-editor');
    await diff.getByText('lovely').first().waitFor();
    await vscode.screenshot('journeys/history-compare-json');
    assert.equal(await diff.getByText(/run_id|created_at|finished_at/).count(), 0);
  });

  it('opens a kept run with its result', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommandThatAsks('Model Bench: Find Run…', /history/, () => vscode.pick(/Sentiment/));
    const panel = await vscode.webview(/Sentiment/);
    await panel.locator('.mb-labels li').first().waitFor();
    assert.match(await panel.getByRole('textbox', { name: /text/i }).first().inputValue(), /awful|lovely/);
  });

  it('finds a run by words of its input', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommandThatAsks('Model Bench: Find Run…', /history/, () =>
      vscode.quickInputBox.fill('day lovel'),
    );
    const found = vscode.quickPickRow(/Sentiment/);
    await found.nth(1).waitFor({ state: 'detached' });
    await found.first().waitFor();
    await vscode.screenshot('journeys/history-find');
    await found.click();
    const panel = await RunPanel.in(vscode, /Sentiment/);
    await panel.frame.locator('.mb-labels li').first().waitFor();
    assert.match(await panel.field('Text').inputValue(), /lovely/);
  });

  it('runs a run again without a question, and shows the input in its row and its tab', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.showModelBench();
    const rows = vscode.view('History').getByRole('treeitem', { name: /lovely.*Sentiment/ });
    await rows.first().click();
    await vscode.activeEditorTab(/Sentiment.*: What a lovely/).waitFor();
    await vscode.contextMenu(rows.first(), 'Run Again');
    await rows.nth(1).waitFor();
    await vscode.screenshot('journeys/history-run-again');
    await vscode.runCommand('View: Close All Editors');
    await vscode.contextMenu(rows.first(), 'Delete Runs');
    await vscode.clickDialogButton('Delete');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.first().click();
  });

  it('lists the earlier runs in the panel too: shows one, leaves the form unchanged, and compares the two', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, /Sentiment/);
    await panel.fill('Text', 'Typed and not run yet.');
    await panel.frame.getByText('Earlier runs (2)').click();
    const rows = panel.frame.locator('.earlier li');
    for (const text of ['awful', 'lovely']) {
      const row = rows.filter({ hasText: text });
      await row.getByRole('button').first().click();
      await row.and(panel.frame.locator('[aria-current=true]')).waitFor();
      await panel.result.getByRole('tab', { name: 'Request' }).click();
      await panel.result.getByRole('tabpanel', { name: 'Request' }).getByText(text).waitFor();
      await panel.result.getByRole('tab', { name: 'Preview' }).click();
    }
    assert.equal(await panel.field('Text').inputValue(), 'Typed and not run yet.');
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
    await vscode.screenshot('journeys/history-in-panel');
    await rows
      .filter({ hasText: 'awful' })
      .getByRole('button', { name: 'Compare with the Run Shown' })
      .click();
    await (await vscode.webview(/↔/)).locator('.places').getByText('awful').waitFor();
    await vscode.runCommand('View: Close Editor');
    const again = await RunPanel.in(vscode, /Sentiment/);
    await again.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
  });

  for (const theme of [
    'light',
    'high contrast',
    'high contrast light',
    'monokai',
    'solarized light',
    'solarized dark',
    'dark',
  ] as const)
    it(`passes axe in the theme “${theme}” in a panel with a result`, async () => {
      const { vscode } = journey;
      await vscode.setTheme(theme);
      const panel = await RunPanel.in(vscode, /Sentiment/);
      // The page follows its window a moment later.
      const shown = () =>
        panel.frame.evaluate(() =>
          getComputedStyle(document.body).getPropertyValue('--vscode-editor-background'),
        );
      const wanted = await vscode.page.evaluate(() =>
        getComputedStyle(document.querySelector('.monaco-workbench')!).getPropertyValue(
          '--vscode-editor-background',
        ),
      );
      await eventually(async () => assert.equal((await shown()).trim(), wanted.trim()));
      assert.deepEqual(await accessibilityViolations(panel.frame), []);
      await vscode.screenshot(`journeys/legible-${theme}`);
      // The pages' colours of other tests equal VS Code's.
      const { id, className, colors } = themesOfPages[theme];
      const given = await panel.frame.evaluate((names) => {
        const { style } = document.documentElement;
        const colorOf = (name: string) => style.getPropertyValue(`--vscode-${name}`).trim();
        return {
          id: document.body.dataset.vscodeThemeId,
          classes: [...document.body.classList],
          colors: Object.fromEntries(names.map((name) => [name, colorOf(name)])),
        };
      }, Object.keys(colors));
      assert.deepEqual([given.id, given.colors], [id, colors]);
      for (const name of className.split(' ')) assert.ok(given.classes.includes(name), name);
    });

  it('gives a run a name and a pin, and keeps both in the view', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    const rows = vscode.view('History').getByRole('treeitem', { name: /Sentiment/ });
    await vscode.contextMenu(rows.first(), 'Rename Run…');
    await vscode.answerQuickInput('Best [so](command:x) far', 'Rename Run');
    const named = vscode.view('History').getByRole('treeitem', { name: /Best \[so\]/ });
    await named.waitFor();
    await vscode.contextMenu(named, 'Pin Runs');
    await vscode.treeRow('History', 'Pinned').waitFor();
    assert.equal(await named.count(), 1);
    await vscode.screenshot('journeys/history-pinned');
    await vscode.contextMenu(named.first(), 'Unpin Runs');
    await vscode.treeRow('History', 'Pinned').waitFor({ state: 'detached' });
    await vscode.contextMenu(named, 'Rename Run…');
    await vscode.answerQuickInput('', 'Rename Run');
    await named.waitFor({ state: 'detached' });
  });

  it('filters by words, says so, and offers to clear a filter without matches', async () => {
    const { vscode } = journey;
    const rows = vscode.view('History').getByRole('treeitem', { name: /Sentiment/ });
    const all = await rows.count();
    await vscode.runCommandThatAsks('Model Bench: Filter History…', /Filter the History/, () =>
      vscode.quickInputBox.fill('lovel'),
    );
    await rows.filter({ hasText: 'awful' }).waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'lovely' }).first().waitFor();
    await vscode.screenshot('journeys/history-filtered');
    await vscode.quickInputBox.fill('nothing of the kind');
    await vscode.quickInputBox.press('Enter');
    await vscode.welcome('History').getByRole('button', { name: 'Clear Filter' }).click();
    await rows.nth(all - 1).waitFor();
  });

  it('shows a job as one row that opens its runs', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.pick('playground', /Into which scope/);
    await vscode.clickDialogButton('Index 3 Files');
    await vscode.notificationText(/Indexed 3 of 3 files/);
    await vscode.closeNotification(/Indexed/);
    await vscode.showModelBench();
    await vscode.expandTreeRow('History', /Image Similarity/);
    await vscode.treeRow('History', /^Run no\. 1/).waitFor();
    await vscode.screenshot('journeys/history-job');
    const rows = await vscode.treeRows('History');
    assert.ok(
      rows.some((row) => /Image Similarity.*playground · 1 runs? · \$/.test(row)),
      rows.join('\n'),
    );
    assert.ok(
      rows.some((row) => /^Run no\. 1.*picture-\d\.png and 2 more · \$/.test(row)),
      rows.join('\n'),
    );
  });

  it('shows the image of an input when its row is hovered', async () => {
    const { vscode } = journey;
    const image = await vscode.revealInExplorer('images', 'set-0', 'picture-1.png');
    await vscode.contextMenu(image, 'Run This File with Model…');
    await vscode.pick(/Colour Palette/);
    const panel = await RunPanel.in(vscode, /Colour Palette/);
    await panel.run();
    await vscode.showModelBench();
    await vscode.treeRow('History', /picture-1\.png/).hover();
    const picture = vscode.page.locator('.monaco-hover img');
    await picture.waitFor();
    await vscode.page.waitForFunction(
      () => (document.querySelector<HTMLImageElement>('.monaco-hover img')?.naturalWidth ?? 0) > 0,
    );
    assert.ok(((await picture.boundingBox())?.height ?? 999) <= 120);
    await vscode.screenshot('journeys/history-hover');
  });

  it('compares runs of images: pictures and results side by side, even after a reload', async () => {
    const { vscode } = journey;
    await vscode.showExplorer();
    await vscode.contextMenu(vscode.explorerItem('picture-2.png'), 'Run This File with Model…');
    await vscode.pick(/Colour Palette/);
    // The panel of the first picture has the same title, and is on screen for a moment longer.
    const panel = await RunPanel.in(vscode, /Colour Palette/, 'picture-2.png');
    await panel.run();
    await vscode.runCommandThatAsks('Model Bench: Compare Runs', 'Compare Runs', () =>
      vscode.pick(/Colour Palette/, 'Compare Runs'),
    );
    await vscode.pick(/Colour Palette/, /with…/);
    await (await vscode.webview(/↔/)).locator('.places mb-thumbnail canvas').nth(1).waitFor();
    // By the command, not the browser's reload: VS Code then keeps its open editors first.
    const loaded = vscode.page.waitForEvent('load');
    await vscode.runCommand('Developer: Reload Window');
    await loaded;
    await vscode.ready();
    const page = await vscode.webview(/↔/);
    await page.locator('.places mb-thumbnail canvas').nth(1).waitFor();
    await page
      .locator('.pair section')
      .nth(1)
      .getByText(/#[0-9a-f]{6}/i)
      .first()
      .waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
    await vscode.screenshot('journeys/history-compare-images');
  });

  it('deletes a run after asking', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    await vscode.contextMenu(vscode.treeRow('History', /What a/), 'Delete Runs');
    assert.match(await vscode.dialogText(), /Delete this run and its result/);
    await vscode.clickDialogButton('Delete');
    await vscode
      .view('History')
      .getByRole('treeitem', { name: /Sentiment/ })
      .nth(1)
      .waitFor({ state: 'detached' });
    assert.equal((await vscode.treeRows('History')).filter((row) => row.includes('Sentiment')).length, 1);
  });
});
