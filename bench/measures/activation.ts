import type { VSCode } from '../../test/support/vscode';
import type { Measure } from '../measure';
import { openBenchWindow } from '../support/window';

const OURS = 'model-bench.model-bench';
const EMPTY = 'model-bench.bench-empty';
const GIT = 'vscode.git';

/** From VS Code's own table of activation times ("Developer: Startup Performance"), after a reload of the window. */
export const activation: Measure = {
  name: 'activation',
  what: 'loading and activating ours in a reloaded window / an empty extension’s, / the built-in Git extension’s',
  goals: [
    { figure: 'over', label: 'over an empty extension', unit: 'ms', atMost: 5 },
    { figure: 'git', label: '/ Git', unit: '', atMost: 0.1 },
    { figure: 'call', label: 'activate() alone, over an empty extension’s', unit: 'ms' },
    { figure: 'load', label: 'loading its code, over an empty extension’s', unit: 'ms' },
    { figure: 'gitMs', label: 'Git', unit: 'ms' },
  ],
  pairs: 15,
  async prepare() {
    const vscode = await openBenchWindow();
    return {
      async pair() {
        await vscode.reload();
        const table = await activationTimes(vscode);
        const [ours, empty, git] = [OURS, EMPTY, GIT].map((id) => {
          const found = table.get(id);
          if (!found)
            throw new Error(`VS Code lists no activation of ${id}: ${[...table.keys()].join(', ')}`);
          return found;
        });
        const sum = (one: Activation) => one.load + one.call + one.finish;
        return {
          over: sum(ours!) - sum(empty!),
          git: sum(ours!) / sum(git!),
          call: ours!.call + ours!.finish - empty!.call - empty!.finish,
          load: ours!.load - empty!.load,
          gitMs: sum(git!),
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
    if ([OURS, EMPTY, GIT].every((id) => table.has(id))) return table;
    if (Date.now() > ends) throw new Error(`The table has no row of ours:\n${text.slice(0, 6_000)}`);
    await page.waitForTimeout(500);
  }
}
