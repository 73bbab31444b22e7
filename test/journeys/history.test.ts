import assert from 'node:assert/strict';
import { accessibilityViolations } from '../support/axe';
import { useVSCode } from '../support/journey';
import { RunPanel } from '../support/runPanel';

describe('The history', () => {
  const journey = useVSCode();

  it('keeps a run with its result, as bars in the panel and as a row in the view', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    for (const text of ['What a lovely day.', 'What an awful day.']) {
      await vscode.runCommand('Model Bench: Run Model…');
      await vscode.pick(/Sentiment/);
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
      .getByRole('treeitem', { name: /^Sentiment/ })
      .nth(1)
      .waitFor();
    await vscode.screenshot('journeys/history-view');
  });

  it('compares two runs in the diff editor', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Compare Runs');
    await vscode.pick(/Sentiment/, 'Compare Runs');
    await vscode.pick(/Sentiment/, /with…/);
    await vscode.page.locator('.monaco-diff-editor').getByText('lovely').first().waitFor();
    await vscode.screenshot('journeys/history-compare');
  });

  it('opens a kept run with its result', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommand('Model Bench: Open Run');
    await vscode.pick(/Sentiment/);
    const panel = await vscode.webview(/Sentiment/);
    await panel.locator('.mb-labels li').first().waitFor();
    assert.match(await panel.getByRole('textbox', { name: /text/i }).first().inputValue(), /awful|lovely/);
  });

  it('has the earlier runs in the panel too: shows one, leaves the form as it is, and compares the two', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, /Sentiment/);
    await panel.fill('Text', 'Typed and not run yet.');
    await panel.frame.getByText('Earlier runs (2)').click();
    const rows = panel.frame.locator('.earlier li');
    for (const text of ['lovely', 'awful', 'lovely']) {
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
    await vscode.page.locator('.monaco-diff-editor').getByText('awful').first().waitFor();
    await vscode.runCommand('View: Close Editor');
    const again = await RunPanel.in(vscode, /Sentiment/);
    await again.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
  });

  it('deletes a run after asking', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(vscode.treeRow('History', /Sentiment/), 'Delete Runs');
    assert.match(await vscode.dialogText(), /Delete this run and its result/);
    await vscode.clickDialogButton('Delete');
    await vscode
      .view('History')
      .getByRole('treeitem', { name: /^Sentiment/ })
      .nth(1)
      .waitFor({ state: 'detached' });
    assert.equal((await vscode.treeRows('History')).filter((row) => row.startsWith('Sentiment')).length, 1);
  });
});
