import assert from 'node:assert/strict';
import path from 'node:path';
import { callHere } from '../../support/commandLine';
import { writeColorFolders } from '../../support/experiments/colorFolders';
import { useVSCode } from '../journey';

describe('A search with the pictures of labelled folders', () => {
  const journey = useVSCode({ prepare: (folder) => writeColorFolders(path.join(folder, 'photos')) });
  const figures: string[] = [];

  it('shows its figures four clicks after the folder is indexed', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.statusBarItem('modelBench.wallet').filter({ hasText: /\$/ }).waitFor();
    const folder = await vscode.revealInExplorer('photos');
    await vscode.contextMenu(folder, 'Index Image with Model…');
    await vscode.pick('photos', /Into which scope/);
    await vscode.clickDialogButton('Index 18 Files');
    await vscode.notificationText(/Indexed 18 of 18 files/);
    await vscode.closeNotification(/Indexed \d+ of/);
    await vscode.contextMenu(folder, 'Experiment with Model…');
    await vscode.pick(/search in photos \(18 of 18 indexed\)/, /Run which model on the files/);
    const table = await vscode.webview(/^/);
    await table.getByRole('button', { name: /^Run 18 \(about \$/ }).click();
    await table.getByText('18 of 18 runs finished.').waitFor({ state: 'attached' });
    const cell = table.getByTitle(/^precision@5 \d.*without the query itself/s).first();
    await cell.waitFor();
    await table.locator('#cell-17-0, #cell-3-0').locator('.hit mb-thumbnail').nth(4).waitFor();
    for (const name of ['hit@1', 'precision@5']) {
      const title = await table
        .getByTitle(new RegExp(`^${name} \\d`))
        .first()
        .getAttribute('title');
      figures.push(`${name}\n  Result  ${/ (\d\.\d+)/.exec(title ?? '')?.[1]}  `);
    }
    await vscode.screenshot('journeys/search-figures');
  });

  it('reaches the same figures in a terminal', async () => {
    const { vscode } = journey;
    const { out, err } = await callHere(['experiment', 'photos.experiment.json', '--figures'], {
      cwd: vscode.workspace,
    });
    for (const figure of figures) assert.ok(out.includes(figure), `${figure}\n${out}${err}`);
  });

  it('lists the oddities of its index from its scope, by the results that are paid', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    await vscode.expandTreeRow('Scopes', 'photos');
    await vscode.contextMenu(vscode.treeRow('Scopes', /image.similarity/i), 'Audit Index…');
    await vscode.clickDialogButton('Use Results');
    await vscode.expectQuickInput(/Audit of the index/);
    await vscode.screenshot('journeys/search-audit');
    await vscode.page.keyboard.press('Escape');
  });
});
