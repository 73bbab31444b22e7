import assert from 'node:assert/strict';
import { useVSCode } from '../support/journey';

describe('A fresh install', () => {
  const journey = useVSCode();

  it('shows its side bar, with a way to begin', async () => {
    const { vscode } = journey;
    await vscode.showModelBench();
    await vscode.screenshot('journeys/fresh-install');
    assert.ok(await vscode.view('Catalog').isVisible());
  });

  it('lists its commands in the palette', async () => {
    const { vscode } = journey;
    await vscode.page.keyboard.press('F1');
    await vscode.quickInputBox.fill('>Model Bench: Try the Built-in Sandbox');
    await vscode.quickPickRow('Model Bench: Try the Built-in Sandbox').first().waitFor();
    await vscode.page.keyboard.press('Escape');
  });

  it('follows the theme', async () => {
    const { vscode } = journey;
    for (const theme of ['light', 'high contrast', 'dark'] as const) {
      await vscode.setTheme(theme);
      await vscode.screenshot(`journeys/fresh-install-${theme}`);
    }
  });
});
