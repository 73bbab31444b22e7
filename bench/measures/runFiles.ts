import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '../../test/support/connect';
import { startFaultProxy } from '../../test/support/faultProxy';
import { goTo } from '../../test/support/textEditor';
import type { Measure } from '../measure';
import { timeUntil } from '../support/page';
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
    await vscode.openFile('typed.run.json');
    await vscode.runCommand('Testing: Focus on Test Explorer View');
    await page.locator('.test-explorer .monaco-list-row', { hasText: lastFolder(0) }).waitFor();
    const typed = page.locator('.editor-group-container.active .monaco-editor').first();
    const cursorAt = async (line: number, column: number) => {
      await goTo(vscode, `${line}:${column}`);
      const shown = vscode.statusBarItem('status.editor.selection');
      await shown.filter({ hasText: `Ln ${line}, Col ${column}` }).waitFor();
    };
    const suggested = async (line: number, column: number) => {
      await typed.click();
      await cursorAt(line, column);
      const step = {
        ...{ name: `the suggestions at ${line}:${column}`, from: ['keydown'], seconds: 20 },
        until: [`document.querySelector('.suggest-widget.visible .monaco-list-row')`],
      } as const;
      const press = () => timeUntil(page, step, () => page.keyboard.press('Control+Space'));
      // An editor that gets its focus back just now forgets the key, about once in a hundred times.
      const took = await press().catch(press);
      await page.keyboard.press('Escape');
      await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' });
      return took;
    };
    let lists = 0;
    return {
      warmUp: 2,
      async pair() {
        // VS Code draws only rows that differ: without a new one, the list would not change.
        const folder = lastFolder(++lists);
        await rename(path.join(vscode.workspace, lastFolder(lists - 1)), path.join(vscode.workspace, folder));
        const listed = await timeUntil(
          page,
          { name: 'the list of run files', from: ['keydown'], until: [isListed(folder)] },
          () => page.keyboard.press('Control+Alt+9'),
        );

        const completion = await suggested(2, 22);
        // Names of the file's own members, of which this extension offers none.
        const bare = await suggested(1, 16);

        await cursorAt(3, 25);
        const squiggle = await timeUntil(
          page,
          { name: 'the squiggle', from: ['keydown'], until: [`document.querySelector('.squiggly-error')`] },
          () => page.keyboard.press('x'),
        );
        await page.keyboard.press('Backspace');
        await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
        return { listed, completion, bare, squiggle };
      },
      async close() {
        await vscode[Symbol.asyncDispose]();
        await service.close();
      },
    };
  },
};

/** Files are listed in the order of their paths, so that this folder comes with the last one. */
const lastFolder = (lists: number) => `last-${lists}`;
const isListed = (folder: string) =>
  `[...document.querySelectorAll('.test-explorer .monaco-list-row')].some((row) => row.textContent.trim() === '${folder}')`;

async function writeRunFiles(workspace: string): Promise<void> {
  for (let at = 1; at <= FILES; at++) {
    const home = path.join(workspace, at === FILES ? lastFolder(0) : `folder-${at % FOLDERS}`);
    await mkdir(home, { recursive: true });
    await writeFile(path.join(home, `${at}.run.json`), JSON.stringify(tested, null, 2));
  }
  const typed = ['{ "version": 1,', '  "model": "filler-00000",', '  "input": { "text": "abc" } }'];
  await writeFile(path.join(workspace, 'typed.run.json'), typed.join('\n'));
  // Only a refresh shows the other name of the last folder.
  const settings = { 'files.watcherExclude': { '**/last-*': true, '**/last-*/**': true } };
  await mkdir(path.join(workspace, '.vscode'));
  await writeFile(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings));
}
