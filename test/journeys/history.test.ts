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
    await vscode.pick(/Sentiment/);
    await vscode.pick(/Sentiment/);
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
