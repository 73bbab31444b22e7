import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { LARGEST_PACKAGE, packageFile } from '../support/paths';
import { RunPanel } from '../support/runPanel';
import { useVSCode } from './journey';

for (const age of ['oldest', 'newest'] as const)
  describe(`A fresh install in the ${age} VS Code`, () => {
    const journey = useVSCode({ host: 'own', age });

    it('comes as a package of at most 2 MB', async () => {
      const { size } = await stat(packageFile);
      assert.ok(size <= LARGEST_PACKAGE, `${size} bytes`);
    });

    it('shows its side bar, with a way to begin', async () => {
      const { vscode } = journey;
      await vscode.showModelBench();
      await vscode.screenshot(`journeys/fresh-install-${age}`);
      assert.ok(await vscode.view('Catalog').isVisible());
    });

    it('lists its commands in the palette', async () => {
      const { vscode } = journey;
      const shows = (title: string) => vscode.quickPickRow(`Model Bench: ${title}`);
      await vscode.inPalette(async () => {
        await vscode.quickInputBox.fill('>Model Bench: Try the Built-in Sandbox');
        await shows('Try the Built-in Sandbox').first().waitFor();
        // Those that need a service are there when there is one.
        for (const [typed, there, ...absent] of [
          ['C', 'Connect to a Service…', 'Compare Runs…', 'Clear History…'],
          ['S', 'Show Log', 'Set API Key…', 'Switch Environment…', 'Show Usage and Billing'],
        ]) {
          await vscode.quickInputBox.fill(`>Model Bench: ${typed}`);
          await shows(there!).waitFor();
          for (const title of absent) assert.equal(await shows(title).count(), 0, title);
        }
      });
      await vscode.page.keyboard.press('Escape');
    });

    it('follows the theme', async () => {
      const { vscode } = journey;
      for (const theme of ['light', 'high contrast', 'dark'] as const) {
        await vscode.setTheme(theme);
        await vscode.screenshot(`journeys/fresh-install-${age}-${theme}`);
      }
    });
  });

describe('The first minute', () => {
  const journey = useVSCode({ host: 'own', settings: { 'modelBench.openModelAfterConnecting': true } });

  it('starts one sandbox for two clicks, and opens a model with a picture in it', async () => {
    const { vscode } = journey;
    await vscode.openWalkthrough(/Model Bench/);
    await vscode.page.locator('.getting-started-step').first().waitFor();
    await vscode.showModelBench();
    const start = vscode.welcome('Catalog').getByRole('button', { name: 'Try the Built-in Sandbox' });
    await start.dblclick();
    const panel = await RunPanel.in(vscode, 'Color Palette');
    await panel.frame.locator('.medium img').waitFor();
    assert.deepEqual(await vscode.notifications(), []);
    const catalog = await vscode.view('Catalog').boundingBox();
    const history = await vscode.view('History').boundingBox();
    assert.ok((catalog?.height ?? 0) > (history?.height ?? 0), 'the catalog has more room than the history');
    await vscode.screenshot('journeys/first-model');
  });

  it('gives a first result with the third click', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, 'Color Palette');
    await panel.button('Run').click();
    await panel.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
    await vscode.screenshot('journeys/first-result');
  });

  it('refills the play money', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Refill Play Money');
    await vscode.notificationText('The play money of the sandbox was refilled.');
    await vscode.statusBarItem('modelBench.wallet').filter({ hasText: '$10' }).waitFor();
  });

  it('ticks the steps that were done, and no other', async () => {
    const { vscode } = journey;
    await vscode.editorTab(/Welcome|Walkthrough/).click();
    const step = (name: string) =>
      vscode.page
        .locator('.getting-started-step')
        .filter({ hasText: name })
        .locator('.codicon-getting-started-step-checked');
    for (const done of ['Connect to a service', 'Run a model']) await step(done).first().waitFor();
    assert.equal(await step('Index a folder of images').count(), 0);
    await vscode.screenshot('journeys/walkthrough');
  });
});
