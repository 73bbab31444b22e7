import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { accessibilityViolations } from '../support/axe';
import { connect } from '../support/connect';
import { RunPanel } from '../support/runPanel';
import { useServices } from '../support/services';
import { useVSCode } from './journey';

const FILE = 'mine.run.json';
const requestOf = (text: string) => JSON.stringify({ model: 'sentiment', input: { text } }, null, 2);

describe('A run file and the changes around it', () => {
  let file: string;
  const services = useServices();
  const journey = useVSCode({
    prepare: async (workspace) => {
      file = path.join(workspace, FILE);
      await writeFile(file, requestOf('What a lovely day.'));
    },
  });

  const squiggles = () => journey.vscode.page.locator('.squiggly-error, .squiggly-warning');

  it('gets a squiggle as soon as the model renames a field that it uses', async () => {
    const { vscode } = journey;
    const { sandbox, service } = services;
    await connect(vscode, { name: 'Changing', baseUrl: service.url, apiKey: sandbox.apiKey });
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.openFile(FILE);
    await vscode.runCommand('Model Bench: Run File');
    const panel = await RunPanel.in(vscode, /mine\.run\.json/);
    await panel.result
      .getByText(/Finished in/)
      .first()
      .waitFor();
    await vscode.runCommand('View: Close All Editors');
    await vscode.openFile(FILE);
    await vscode.page.locator('.codelens-decoration').getByText('Run', { exact: true }).waitFor();
    assert.equal(await squiggles().count(), 0);

    const renamed = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll('"text"', '"content"'));
    service.change('/api/marketplace/models/sentiment', ({ body }) => ({ body: renamed(body) }));
    await vscode.runCommand('Model Bench: Refresh');
    await squiggles().first().waitFor();
    await vscode.runCommand('Problems: Focus on Problems View');
    const problems = vscode.page.locator('.markers-panel .monaco-list-row');
    await problems
      .filter({ hasText: 'content: This is required. The model has changed since this file last ran.' })
      .waitFor();
    await problems.filter({ hasText: 'it is not accepted here' }).waitFor();
    await vscode.screenshot('journeys/run-file-renamed-field');
    service.change('/api/marketplace/models/sentiment');
    await vscode.runCommand('Model Bench: Refresh');
    await squiggles().first().waitFor({ state: 'detached' });
  });

  it('survives a panel that has missed its change: both versions stay until one is chosen', async () => {
    const { vscode } = journey;
    await vscode.openFile(FILE);
    await vscode.clickCodeLens('Open in Panel');
    const panel = await RunPanel.in(vscode, /mine\.run\.json/);
    const text = panel.frame.getByRole('textbox', { name: 'Text', exact: true }).first();
    const conflict = panel.frame.getByText('The file was changed outside this panel');
    await panel.fill('Text', 'Typed in the panel.');
    await panel.frame.getByText('not saved', { exact: true }).waitFor();
    await writeFile(file, requestOf('Written by somebody else.'));
    await conflict.waitFor();
    await vscode.screenshot('journeys/run-file-conflict');
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
    assert.equal(await text.inputValue(), 'Typed in the panel.');
    assert.match(await readFile(file, 'utf8'), /Written by somebody else/);
    await panel.button('Discard Changes').click();
    await conflict.waitFor({ state: 'detached' });
    assert.equal(await text.inputValue(), 'Written by somebody else.');
  });
});
