import { type Measure, STEP_SECONDS, within } from '../measure';
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
  // One pair takes a second and differs from the next by half: the median of 15 is too near the limit by chance.
  pairs: 31,
  async prepare() {
    const vscode = await openBenchWindow();
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /./).waitFor();
    let seen = (_at: number) => {};
    await vscode.page.exposeBinding('buttonSeen', (_source, at: number) => seen(at));
    await vscode.page.addInitScript(noteButton);
    await vscode.reload();
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /./).waitFor();
    const opened = async (keys: string, name: string) => {
      const button = new Promise<number>((resolve) => {
        seen = resolve;
      });
      const pressedAt = Date.now();
      await vscode.page.keyboard.press(keys);
      const took = (await within(STEP_SECONDS, name, button)) - pressedAt;
      await vscode.page.keyboard.press('Control+Alt+6');
      await vscode.page.locator('iframe.webview').first().waitFor({ state: 'detached' });
      return took;
    };
    return {
      warmUp: 3,
      async pair() {
        const bare = await opened('Control+Alt+1', 'The empty panel');
        const ours = await opened('Control+Alt+2', 'The run panel');
        return { ratio: ours / bare, ms: ours, bare };
      },
      close: () => vscode[Symbol.asyncDispose](),
    };
  },
};

/**
 * Tells from each frame when it first shows a Run button that can be pressed, in milliseconds since the epoch. The page
 * itself looks, all the time: looks from outside are up to 100 ms apart, and take the processor from the panel.
 */
function noteButton(): void {
  if (window === window.top) return;
  const { buttonSeen } = globalThis as unknown as { buttonSeen: (at: number) => void };
  const look = () => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('button, vscode-button')];
    const isThere = buttons.some(
      (button) =>
        // Without its other face, which is hidden.
        button.innerText.trim() === 'Run' && !button.disabled && button.getClientRects().length > 0,
    );
    if (!isThere) return;
    clearInterval(looking);
    buttonSeen(performance.timeOrigin + performance.now());
  };
  // Not by animation frames: VS Code writes a webview's document again, and they end with the old one.
  const looking = setInterval(look, 2);
}
