import type { VSCode } from '../../test/support/vscode';
import { type Measure, timed } from '../measure';
import { openBenchWindow } from '../support/window';

/** From a keybinding's command to a button that can be pressed, in the window of a user. */
export const panelOpen: Measure = {
  name: 'panel-open',
  what: 'a run panel, from its command to its interactive form / a webview panel that shows a button after one message each way',
  goals: [
    { figure: 'ratio', label: 'time', unit: '', atMost: 1.5 },
    { figure: 'ms', label: 'ours', unit: 'ms' },
    { figure: 'bare', label: 'the empty panel', unit: 'ms' },
  ],
  pairs: 15,
  async prepare() {
    const vscode = await openBenchWindow();
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /./).waitFor();
    const opened = async (keys: string, title: RegExp) => {
      const took = await timed(async () => {
        await vscode.page.keyboard.press(keys);
        await buttonIn(vscode, title);
      });
      await vscode.page.keyboard.press('Control+Alt+6');
      await vscode.page.locator('iframe.webview').first().waitFor({ state: 'detached' });
      return took;
    };
    return {
      warmUp: 3,
      async pair() {
        const bare = await opened('Control+Alt+1', /Empty/);
        const ours = await opened('Control+Alt+2', /Sentiment/);
        return { ratio: ours / bare, ms: ours, bare };
      },
      close: () => vscode[Symbol.asyncDispose](),
    };
  },
};

async function buttonIn(vscode: VSCode, title: RegExp): Promise<void> {
  const frame = await vscode.webview(title);
  await frame.getByRole('button', { name: 'Run', exact: true }).waitFor();
}
