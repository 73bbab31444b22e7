import assert from 'node:assert/strict';
import { usePanels } from '../usePanels';

describe('Runs that take long, and runs that fail', () => {
  const suite = usePanels();

  const open = (model: string) => suite.panels.openRunPanel(model);

  before('starts the sandbox', async () => {
    const { panels } = suite;
    await panels.startSandbox();
  });

  it('follows a run that was accepted for later', async () => {
    const panel = await open('Later Echo');
    await panel.fill('Text', 'See you.');
    await panel.frame.getByRole('textbox', { name: 'Seconds' }).fill('1');
    await panel.button('Run').click();
    await panel.result
      .getByText(/^Finished in/)
      .last()
      .waitFor();
    await panel.result.getByText('See you.').first().waitFor();
  });

  it('keeps the input of a run that failed, and says why in words', async () => {
    const panel = await open('Always Fails');
    await panel.fill('Text', 'dear input');
    await panel.button('Run').click();
    // A gateway that responses 502 does not say whether the model was reached.
    await panel.result.getByText('Unconfirmed').last().waitFor();
    await panel.result.getByText('The model could not be reached').first().waitFor();
    assert.equal(await panel.field('Text').inputValue(), 'dear input');
  });

  it('runs two panels at once', async () => {
    const { panels } = suite;
    // The first must still run when the second has taken its place on screen.
    for (const [model, text, seconds] of [
      ['Slow Echo', 'first', '4'],
      ['Later Echo', 'second', '1'],
    ] as const) {
      const panel = await open(model);
      await panel.fill('Text', text);
      await panel.frame.getByRole('textbox', { name: 'Seconds' }).fill(seconds);
      await panel.button('Run').click();
      await panel.button('Stop waiting').waitFor();
    }
    await panels.notification(/Slow Echo: run finished in/);
    const second = await panels.runPanel('Later Echo');
    await second.result.getByText('second').first().waitFor();
    panels.clearNotifications();
  });
});
