import assert from 'node:assert/strict';
import { parseAmount } from '../../../src/sandbox/billing/money';
import { eventually } from '../../support/eventually';
import { useService } from '../useService';

const MODEL = 'Sentiment (English)';

describe('A run that must not be sent', () => {
  const suite = useService({ environments: ['Local'] });
  const { sent } = suite;

  /** Opened again: after a change of the settings, a panel may be open or not. */
  const open = async () => {
    const { panels } = suite;
    panels.closePanels();
    const panel = await panels.openRunPanel(MODEL);
    await panel.tab('Form').click();
    await panel.fill('Text', 'A fine day.');
    return panel;
  };

  it('stays unsent with a message, for any managed field in its JSON', async () => {
    const { panels } = suite;
    const panel = await panels.openRunPanel(MODEL);
    await panel.tab('JSON').click();
    const editor = panel.frame.getByRole('textbox', { name: 'Input and parameters as JSON' });
    const type = async (text: string) => {
      await editor.press('Control+a');
      // Typed over a marked text, Chrome would keep the mark's style inline, which the page's policy forbids.
      await editor.press('Delete');
      await (await panels.page(MODEL)).keyboard.insertText(text);
    };
    for (const [more, words] of [
      ['"namespace": "mine"', /Remove namespace: it is managed by the platform/],
      ['"hardware_tier": "large"', /Remove hardware_tier: the published model release/],
    ] as const) {
      await type(`{ "input": { "text": "A fine day." }, "params": {}, ${more} }`);
      await panel.frame.getByText(words).first().waitFor();
      await panel.button('Run').click();
      // Run puts the focus at the problem; text typed before that would go elsewhere.
      await panel.frame.locator('button:focus').waitFor({ state: 'detached' });
      await panel.frame.locator('.cm-content:focus').waitFor();
      await panel.frame.getByText(words).first().waitFor();
    }
    assert.equal(await sent(), 0);
    await type('{ "input": { "text": "A fine day." }, "params": {} }');
    await panel.button('Run').click();
    await panel.result
      .getByText(/Finished in/)
      .last()
      .waitFor();
    assert.equal(await sent(), 1);
  });

  it('stays unsent at the budget, with the way to its setting', async () => {
    const { panels } = suite;
    panels.changeSettings({ 'modelBench.budget.session': 0.0005 });
    await panels.reload();
    const panel = await open();
    await panel.button('Run').click();
    const words =
      /The budget of this window or call \(\$0\.0005\) does not allow another run: \$0\.00 is spent or in flight\. The next one is estimated to cost \$0\.001\. Nothing was sent\./;
    await panel.result.getByText(words).first().waitFor();
    assert.equal(await sent(), 1);
    await panel.result.getByRole('button', { name: 'Change Budget…' }).click();
    const usage = await panels.page('Usage and Billing');
    await usage.locator('#budget-amount:focus').waitFor();
  });

  it('needs one confirmation in a window where a setting demands it', async () => {
    const { panels } = suite;
    panels.changeSettings({
      'modelBench.budget.session': null,
      'modelBench.confirmPaidRuns': ['Local'],
    });
    const panel = await open();
    await panel.button('Run').click();
    assert.match((await panels.dialog()).text, /Allow paid runs in “Local” \(http:\/\/127\.0\.0\.1/);
    (await panels.dialog()).cancel();
    await panel.result
      .getByText(/were not confirmed in this window\. Nothing was sent\./)
      .first()
      .waitFor();
    assert.equal(await sent(), 1);
    for (const count of [2, 3]) {
      await panel.button('Run').click();
      if (count === 2) (await panels.dialog()).pick('Allow in This Window');
      await eventually(async () => (await sent()) === count);
      await panel.button('Run').waitFor();
    }
    await panel.result
      .getByText(/Finished in/)
      .last()
      .waitFor();
    assert.equal(await sent(), 3);
  });

  it('says the same to a 402 after a reload as before, with its way on', async () => {
    const { panels } = suite;
    panels.changeSettings({ 'modelBench.confirmPaidRuns': [] });
    suite.sandbox.sandbox.accounts.setBalance(parseAmount('0'));
    let panel = await open();
    await panel.button('Run').click();
    const words = /The wallet balance of this workspace is insufficient/;
    await panel.result.getByText(words).first().waitFor();
    await panel.result.getByRole('button', { name: 'Show Usage' }).waitFor();
    await panels.reload();
    panel = await panels.runPanel(MODEL);
    await panel.result.getByText(words).first().waitFor();
    await panel.result.getByRole('button', { name: 'Show Usage' }).click();
    await (await panels.page('Usage and Billing')).getByText('Usage and billing').waitFor();
  });
});
