import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { RunPanel } from '../support/runPanel';
import { Start } from '../support/startWait';
import type { VSCode } from '../support/vscode';
import type { DemoStep } from './perform';
import { query, queryFolder, sampleCount, sampleFolder, wanted } from './samples';

const scope = 'playground';
const walletItem = 'modelBench.wallet';

/** Each acts like a user, checks the effect, and resolves to the texts on screen. */
export const steps: readonly DemoStep<VSCode>[] = [
  { title: 'Connect to the built-in sandbox', run: connect },
  { title: 'Browse the catalog', run: browse, needs: 1 },
  { title: 'Run a text model', run: runText, needs: 1 },
  { title: 'Drop an image into a form and run it', run: runImage, needs: 1 },
  { title: 'Index a folder by right-click', run: indexFolder, needs: 1 },
  { title: 'See what was indexed', run: seeScopes, needs: 5 },
  { title: 'Search it with another image', run: search, needs: 5 },
  { title: 'Compare on many files', run: experiment, needs: 1 },
  { title: 'Read the wallet', run: readWallet, needs: 5 },
];

async function connect(vscode: VSCode): Promise<string> {
  await vscode.showModelBench();
  const start = new Start();
  const sandbox = vscode.welcome('Catalog').getByRole('button', { name: 'Try the Built-in Sandbox' });
  await start.waitFor('the welcome of the catalog', (timeout) => sandbox.click({ timeout }));
  const rows = vscode.view('Catalog').getByRole('treeitem');
  await start.waitFor('the first rows of the catalog', (timeout) => rows.first().waitFor({ timeout }));
  const wallet = await textOnce(vscode, /\d/);
  return `Status bar: ${wallet}\nStarted: ${start.parts}`;
}

async function browse(vscode: VSCode): Promise<string> {
  await vscode.expandTreeRow('Catalog', /^Image\b/);
  await vscode.expandTreeRow('Catalog', /^Image Similarity/);
  await vscode.treeRow('Catalog', /^search/i).waitFor();
  return (await vscode.treeRows('Catalog')).join('\n');
}

async function runText(vscode: VSCode): Promise<string> {
  const panel = await RunPanel.open(vscode, 'Language Identification');
  await panel.fill('Text', 'Ceci n’est pas une pipe, mais une phrase en français.');
  const result = await panel.run();
  assert.match(result, /fr/i);
  return result;
}

async function runImage(vscode: VSCode): Promise<string> {
  const bytes = await readFile(path.join(vscode.workspace, queryFolder, query));
  const panel = await RunPanel.open(vscode, 'Color Palette');
  await panel.dropFile('Image', { name: query, mimeType: 'image/jpeg', bytes });
  const result = await panel.run();
  assert.match(result, /#[0-9a-f]{6}/i);
  await panel.result
    .locator('.mb-media img')
    .first()
    .evaluate((image) => (image as HTMLImageElement).decode());
  return result;
}

async function indexFolder(vscode: VSCode): Promise<string> {
  const folder = await vscode.revealInExplorer(sampleFolder);
  await vscode.contextMenu(folder, 'Index Image with Model…');
  await vscode.pick(scope, /Into which scope/);
  const question = await vscode.dialogText();
  await vscode.clickDialogButton(`Index ${sampleCount} Files`);
  const ended = await vscode.notificationText(new RegExp(`Indexed ${sampleCount} of ${sampleCount} files`));
  await vscode.closeNotification(/Indexed \d+ of/);
  return `${question}\n${ended}`;
}

async function seeScopes(vscode: VSCode): Promise<string> {
  await vscode.showModelBench();
  await vscode.expandTreeRow('Scopes', scope);
  await vscode.treeRow('Scopes', /image.similarity/i).waitFor();
  return (await vscode.treeRows('Scopes')).join('\n');
}

async function search(vscode: VSCode): Promise<string> {
  const image = await vscode.revealInExplorer(queryFolder, query);
  await vscode.contextMenu(image, 'Find Similar…');
  const page = await vscode.webview(/similar|search/i);
  await page.locator('.gallery .path').first().waitFor();
  // A canvas has 300 pixels until its thumbnail is drawn.
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('mb-thumbnail canvas')].every(
      ({ width }) => width !== 300,
    ),
  );
  const saw = await textOf(page.locator('body'));
  const best = await page.locator('.gallery .path').first().getAttribute('title');
  assert.equal(best, `${sampleFolder}/${wanted}`);
  return saw;
}

async function experiment(vscode: VSCode): Promise<string> {
  const folder = await vscode.revealInExplorer(sampleFolder);
  await vscode.contextMenu(folder, 'Experiment with Model…');
  await vscode.pick('Color Palette', /Run which model/);
  await vscode.activeEditorTab(/photographs\.experiment\.json/).waitFor();
  // The frame of an editor of a file has no title.
  const table = await vscode.webview(/^/);
  // Its button has the number of runs and their cost, so that no question follows.
  const start = table.getByRole('button', { name: new RegExp(`^Run ${sampleCount} \\(about`) });
  const offer = await start.innerText();
  await start.click();
  await table.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await table.locator('mb-thumbnail canvas').first().waitFor();
  return `${offer}\n${await textOf(table.locator('body'))}`;
}

async function readWallet(vscode: VSCode): Promise<string> {
  await vscode.statusBarItem(walletItem).click();
  const page = await vscode.webview(/usage|billing/i);
  await page.getByRole('heading', { name: 'By model' }).waitFor();
  await page.getByText('Image Similarity').first().waitFor();
  const saw = await textOf(page.locator('body'));
  const spent = /30 days\s+\$([\d.]+)/.exec(saw)?.[1];
  assert.ok(spent, 'the summary tells no cost');
  // The status bar follows the last run after a moment: the initial play money, less the spending, rounded down.
  const cents = Math.floor(Number((100 * (10 - Number(spent))).toFixed(6)));
  await textOnce(vscode, new RegExp(`\\$${(cents / 100).toFixed(2)}`));
  return `${await vscode.statusBarText(walletItem)}\n${saw}`;
}

async function textOnce(vscode: VSCode, shows: RegExp): Promise<string> {
  await vscode.statusBarItem(walletItem).filter({ hasText: shows }).waitFor();
  return vscode.statusBarText(walletItem);
}

/** As it reads on screen. */
async function textOf(element: Locator): Promise<string> {
  return (await element.allInnerTexts()).join('\n').trim();
}
