import type { VSCode } from '../../test/support/vscode';
import type { Measure } from '../measure';
import { openBenchWindow } from '../support/window';

const OURS = 'model-bench.model-bench';
const EMPTY = 'model-bench.bench-empty';

/**
 * From VS Code's own table of activation times ("Developer: Startup Performance"), after a reload of the window.
 *
 * VS Code's time for finishing runs from activate()'s return until its promise settles. Ours returns no promise, like
 * the empty extension: both wait there only for their turn, behind the loading of others.
 */
export const activation: Measure = {
  name: 'activation',
  what: 'our activate() in a reloaded window / an empty extension’s; and the loading of code',
  goals: [
    { figure: 'over', label: 'activate() over an empty extension’s', unit: 'ms', atMost: 5 },
    { figure: 'ours', label: 'activate()', unit: 'ms' },
    { figure: 'loadOver', label: 'loading its code, over an empty extension’s', unit: 'ms' },
  ],
  pairs: 15,
  async prepare() {
    const vscode = await openBenchWindow();
    return {
      async pair() {
        await vscode.reload();
        const table = await activationTimes(vscode);
        const [ours, empty] = [table.get(OURS)!, table.get(EMPTY)!];
        const call = (one: Activation) => one.call + one.finish;
        return {
          over: call(ours) - call(empty),
          ours: ours.call,
          loadOver: ours.load - empty.load,
        };
      },
      close: () => vscode[Symbol.asyncDispose](),
    };
  },
};

interface Activation {
  readonly load: number;
  readonly call: number;
  readonly finish: number;
}

async function activationTimes(vscode: VSCode): Promise<Map<string, Activation>> {
  const { page } = vscode;
  const ends = Date.now() + 60_000;
  for (;;) {
    await vscode.runCommand('Developer: Startup Performance');
    const editor = page.locator('.editor-instance .monaco-editor').filter({ visible: true }).first();
    await editor.locator('.view-line').first().waitFor();
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const rows = [
      ...text.matchAll(/^\|\s*([\w-]+\.[\w.-]+)\s*\|\s*\w+\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|/gm),
    ];
    const table = new Map(
      rows.map(([, id, load, call, finish]) => [
        id!,
        { load: Number(load), call: Number(call), finish: Number(finish) },
      ]),
    );
    await page.keyboard.press('Control+Alt+6');
    if ([OURS, EMPTY].every((id) => table.has(id))) return table;
    if (Date.now() > ends) throw new Error(`The table lacks a row:\n${text}`);
    await page.waitForTimeout(500);
  }
}
