import type { VSCode } from '../../test/support/vscode';
import type { Measure } from '../measure';
import { openBenchWindow } from '../support/window';

/** From a keybinding's command to a button that can be pressed, in the window of a user. */
export const panelOpen: Measure = {
  name: 'panel-open',
  what: 'a run panel, from its command to its interactive form / a webview panel that shows a button after one message each way',
  goals: [
    { figure: 'ratio', label: 'time', unit: '', atMost: 2.2 },
    { figure: 'ms', label: 'ours', unit: 'ms' },
    { figure: 'bare', label: 'the empty panel', unit: 'ms' },
  ],
  pairs: 15,
  async prepare() {
    const vscode = await openBenchWindow();
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.page.addInitScript(noteButton);
    await vscode.reload();
    await vscode.treeRow('Catalog', /./).waitFor();
    const opened = async (keys: string, title: RegExp) => {
      const pressedAt = Date.now();
      await vscode.page.keyboard.press(keys);
      const took = (await buttonSeenAt(vscode, title)) - pressedAt;
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

/**
 * Notes in each frame when it first shows a Run button that can be pressed, in milliseconds since the epoch. The page
 * itself looks, all the time: asked from outside, both panels would count as open only at the next of a
 * few looks that are up to 100 ms apart.
 */
function noteButton(): void {
  if (window === window.top) return;
  const look = () => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('button, vscode-button')];
    const isThere = buttons.some(
      (button) =>
        // Without its other face, which is hidden.
        button.innerText.trim() === 'Run' && !button.disabled && button.getClientRects().length > 0,
    );
    if (!isThere) return;
    clearInterval(looking);
    Object.assign(window, { buttonSeenAt: performance.timeOrigin + performance.now() });
  };
  // Not by animation frames: VS Code writes a webview's document again, and they end with the old one.
  const looking = setInterval(look, 2);
}

async function buttonSeenAt(vscode: VSCode, title: RegExp): Promise<number> {
  const frame = await vscode.webview(title);
  const seen = await frame.waitForFunction(
    () => (window as unknown as { buttonSeenAt?: number }).buttonSeenAt,
  );
  return (await seen.jsonValue()) as number;
}
