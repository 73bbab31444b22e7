import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useVSCode } from '../../support/journey';
import { outFolder } from '../../support/paths';

describe('The run panel', () => {
  const journey = useVSCode();

  it('opens for a model of the sandbox', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.runCommand('Model Bench: Run Model…');
    await vscode.pick(/Sentiment/);
    const panel = await vscode.webview(/Sentiment/);
    await panel.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await panel.getByRole('tab', { name: 'Form' }).waitFor();
    for (const theme of ['dark', 'light', 'high contrast'] as const) {
      await vscode.setTheme(theme);
      const variables = await (await vscode.webview(/Sentiment/)).evaluate(
        () => document.documentElement.style.cssText,
      );
      await mkdir(outFolder, { recursive: true });
      await writeFile(path.join(outFolder, `theme-${theme}.css`), variables);
    }
    await vscode.setTheme('dark');
  });

  it('shows what came back', async () => {
    const { vscode } = journey;
    const panel = await vscode.webview(/Sentiment/);
    await panel.getByRole('textbox', { name: /text/i }).first().fill('What a lovely day.');
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    const result = panel.getByRole('region', { name: 'Result' });
    await result
      .getByText(/Finished in/)
      .last()
      .waitFor();
    await vscode.screenshot('journeys/run-panel-first');
    assert.ok(await result.getByRole('tab', { name: 'Preview' }).isVisible());
  });
});
