import assert from 'node:assert/strict';
import { useVSCode } from '../support/journey';

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
    await vscode
      .treeRow('History', /Sentiment/)
      .first()
      .waitFor();
    assert.equal(await vscode.treeRow('History', /Sentiment/).count(), 2);
    await vscode.screenshot('journeys/history-view');
  });

  it('compares two runs in the diff editor', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Compare Runs');
    await vscode.pick(/Sentiment/);
    await vscode.pick(/Sentiment/);
    await vscode.page.locator('.monaco-diff-editor').getByText('lovely').first().waitFor();
    await vscode.screenshot('journeys/history-compare');
  });

  it('opens a kept run with its result, also after a restart of the window', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommand('Model Bench: Open Run');
    await vscode.pick(/Sentiment/);
    const panel = await vscode.webview(/Sentiment/);
    await panel.locator('.mb-labels li').first().waitFor();
    assert.match(await panel.getByRole('textbox', { name: /text/i }).first().inputValue(), /awful|lovely/);
  });

  it('deletes a run after asking', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Focus on History View');
    await vscode
      .treeRow('History', /Sentiment/)
      .first()
      .click();
    await vscode.page.keyboard.press('Delete');
    await vscode.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await vscode.page.waitForFunction(
      () => document.querySelectorAll('[role=treeitem][aria-label^="Sentiment"]').length <= 1,
    );
  });
});
