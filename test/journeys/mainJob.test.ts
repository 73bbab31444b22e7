import { prepareSamples } from '../demo/samples';
import { steps } from '../demo/steps';
import { useVSCode } from './journey';

/**
 * The demo's steps, so that they keep working: they follow one another in one window. By keyboard the main job is done in
 * the newest VS Code.
 */
describe('The main job, from a fresh install in the oldest VS Code', () => {
  const journey = useVSCode({ host: 'own', age: 'oldest', prepare: prepareSamples });

  for (const [at, { title, run }] of steps.entries())
    it(`${at + 1}. ${title}`, async () => {
      await run(journey.vscode);
    });

  it('ticks its steps in a walkthrough that is opened only afterwards, in a later window', async () => {
    const { vscode } = journey;
    await vscode.reload();
    await vscode.openWalkthrough(/Model Bench/);
    const ticks = vscode.page.locator('.getting-started-step .codicon-getting-started-step-checked');
    await ticks.filter({ visible: true }).nth(5).waitFor();
    await vscode.screenshot('journeys/walkthrough-afterwards');
  });
});
