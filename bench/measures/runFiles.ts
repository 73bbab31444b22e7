import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { connect } from '../../test/support/connect';
import { startFaultProxy } from '../../test/support/faultProxy';
import { goTo } from '../../test/support/textEditor';
import type { VSCode } from '../../test/support/vscode';
import type { Measure } from '../measure';
import { openBenchWindow } from '../support/window';

const FILES = 2000;
const FOLDERS = 10;
const MODELS = 10_000;
const slug = (at: number) => `filler-${String(at).padStart(5, '0')}`;
const tested = { version: 1, model: slug(0), input: { text: 'a' }, expect: [{ status: 'finished' }] };

/** Run files in a user's window: their list in the Test Explorer, and an editor's response to a key. */
export const runFiles: Measure = {
  name: 'run-files',
  what: `${FILES} run files listed anew in the Test Explorer; in a run file, a key to the suggestions among ${MODELS} models, and a key to its squiggle`,
  goals: [
    { figure: 'listed', label: 'listed', unit: 'ms', atMost: 1000 },
    {
      ...{ figure: 'completion', label: 'completion', unit: 'ms', atMost: 100 },
      missedBecause: 'VS Code’s own JSON takes about as long',
    },
    { figure: 'bare', label: 'a completion of VS Code’s own JSON', unit: 'ms' },
    { figure: 'squiggle', label: 'squiggle', unit: 'ms', atMost: 150 },
  ],
  pairs: 15,
  async prepare() {
    const models = Array.from({ length: MODELS }, (_, at) => ({ slug: slug(at), name: `Filler ${at}` }));
    const input_schema = {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 3 } },
      required: ['text'],
    };
    const service = await startFaultProxy({
      behind: ({ path: asked }) => {
        if (asked.startsWith('/api/marketplace/models/')) return { body: { slug: slug(0), input_schema } };
        if (asked.startsWith('/api/marketplace')) return { body: { models } };
        return { body: { balance: '5', currency: 'USD' } };
      },
    });
    const vscode = await openBenchWindow(writeRunFiles);
    const { page } = vscode;
    await connect(vscode, { name: 'bench', baseUrl: service.url, apiKey: 'mb-bench' });
    await vscode.showModelBench();
    await vscode.view('Catalog').getByRole('treeitem').first().waitFor({ timeout: 120_000 });
    await openTyped(vscode);
    await vscode.runCommand('Testing: Focus on Test Explorer View');
    const last = page.locator('.test-explorer .monaco-list-row', { hasText: folderName(FOLDERS - 1) });
    await last.waitFor({ timeout: 60_000 });
    const suggested = async (place: string) => {
      await vscode.page.locator('.editor-group-container.active .monaco-editor').first().click();
      await goTo(vscode, place);
      const shown = await until(page, 'keydown', '.suggest-widget.visible .monaco-list-row');
      await page.keyboard.press('Control+Space');
      const took = await shown();
      await page.keyboard.press('Escape');
      await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' });
      return took;
    };
    return {
      warmUp: 2,
      async pair() {
        const listed = await until(page, 'click', LISTED);
        await vscode.runCommand('Test: Refresh Tests');
        const listing = await listed();
        await last.waitFor();

        const completion = await suggested('2:22');
        // Names of the file's own members, of which this extension offers none.
        const bare = await suggested('1:16');

        await goTo(vscode, '3:25');
        const marked = await until(page, 'keydown', '.squiggly-error');
        await page.keyboard.press('x');
        const squiggle = await marked();
        await page.keyboard.press('Backspace');
        await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
        return { listed: listing, completion, bare, squiggle };
      },
      async close() {
        await vscode[Symbol.asyncDispose]();
        await service.close();
      },
    };
  },
};

async function openTyped(vscode: VSCode): Promise<void> {
  await vscode.runCommand('Go to File...');
  await vscode.quickInputBox.fill('typed.run.json');
  await vscode.quickPickRow('typed.run.json').first().click();
  await vscode.activeEditorTab('typed.run.json').waitFor();
}

/** Not a selector: the rows of the Test Explorer have not changed for a while. */
const LISTED = 'listed';

/**
 * Milliseconds from the next event of a kind to when an element is there, as the page itself sees it; of the list of
 * tests, to the last change of its rows.
 */
async function until(
  page: Page,
  event: 'click' | 'keydown',
  selector: string,
): Promise<() => Promise<number>> {
  const watching = page.evaluate<number>(`new Promise((resolve) => {
    const selector = ${JSON.stringify(selector)};
    const list = selector === '${LISTED}' ? document.querySelector('.test-explorer .monaco-list') : undefined;
    addEventListener(${JSON.stringify(event)}, () => {
      const start = performance.now();
      let quiet;
      const observer = new MutationObserver(() => {
        const took = performance.now() - start;
        if (!list && !document.querySelector(selector)) return;
        clearTimeout(quiet);
        quiet = setTimeout(() => { observer.disconnect(); resolve(took); }, list ? 1500 : 0);
        if (!list) observer.disconnect();
      });
      observer.observe(list ?? document.body, { childList: true, subtree: true, attributes: !list });
    }, { capture: true, once: true });
  })`);
  // Evaluated once this comes back, since a page does one thing after the other.
  await page.evaluate('0');
  return () => watching;
}

const folderName = (at: number) => `folder-${at}`;

async function writeRunFiles(workspace: string): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const home = path.join(workspace, folderName(folder));
    await mkdir(home);
    for (let at = 0; at < FILES / FOLDERS; at++)
      await writeFile(path.join(home, `${at}.run.json`), JSON.stringify(tested, null, 2));
  }
  const typed = ['{ "version": 1,', '  "model": "filler-00000",', '  "input": { "text": "abc" } }'];
  await writeFile(path.join(workspace, 'typed.run.json'), typed.join('\n'));
}
