import assert from 'node:assert/strict';
import path from 'node:path';
import { parseAmount } from '../../src/sandbox/billing/money';
import { violationsInEachTheme } from '../support/axe';
import { chooseInMenu } from '../support/pageMenu';
import { makePictures } from '../support/pictures';
import { useService } from './useService';

const wallet = 'modelBench.wallet';

describe('Money', () => {
  const suite = useService({ prepare: (workspace) => makePictures(path.join(workspace, 'images'), 40) });

  const panel = () => suite.panels.page(/Sentiment/);
  const runSentiment = async (text: string) => {
    const { panels } = suite;
    await panels.runCommand('Model Bench: Run Model…');
    await panels.answer('Choose a model to run', /Sentiment/);
    const page = await panel();
    await page.getByRole('textbox', { name: /text/i }).first().fill(text);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    return page.getByRole('region', { name: 'Result' });
  };

  it('says that a cost is unknown, until the activity tells it', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', ({ body }) => {
      const { cost: _cost, billing: _billing, usage: _usage, ...rest } = body as Record<string, unknown>;
      return { body: rest };
    });
    const result = await runSentiment('What a lovely day.');
    await result.getByText('cost unknown').waitFor();
    await panels.row('History', /\$0\.00.*Sentiment/);
    await result
      .getByText(/\$0\.00/)
      .first()
      .waitFor();
    service.change('/api/runs');
  });

  it('leads from the activity to the run, and exports the shown rows', async () => {
    const { panels } = suite;
    panels.closePanels();
    await panels.runCommand('Model Bench: Show Usage and Billing');
    const usage = await panels.page('Usage and Billing');
    for (const card of ['Balance · local', 'Today (UTC)', '30 days'])
      await usage.locator('.card', { hasText: card }).getByText(/\$\d/).waitFor();
    assert.deepEqual(await violationsInEachTheme(usage), []);
    await chooseInMenu(usage, 'Raw Responses and Exports', 'Activity: Export as CSV');
    await panels.chooseFile();
    await panels.editor(/time,type,model,mode,status,amount,currency,id,description/);
    await usage.getByText(/\d entr(?:y|ies)$/).click();
    await usage.getByRole('button', { name: 'Open Run' }).click();
    const run = await panel();
    await run.getByRole('region', { name: 'Result' }).getByText('positive').first().waitFor();
    assert.equal(
      await run.getByRole('textbox', { name: /text/i }).first().inputValue(),
      'What a lovely day.',
    );
  });

  it('finds the charge of a run whose response was lost, and attaches it', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', () => ({ status: 504, body: { message: 'upstream timed out' } }));
    const result = await runSentiment('What became of this?');
    await result
      .getByText(/may have been executed/)
      .first()
      .waitFor();
    service.change('/api/runs');
    await panels.runCommand('Model Bench: Show Usage and Billing');
    const usage = await panels.page('Usage and Billing');
    const runs = usage.getByRole('region', { name: 'Unknown outcomes and costs' });
    await runs.getByText(/The activity lists \$0\.00\d* at/).waitFor();
    await runs.getByRole('button', { name: /^Yes: .*Sentiment/ }).click();
    await runs.waitFor({ state: 'detached' });
    await panels.row('History', /\$0\.00.*Sentiment/);
  });

  it('shows a refusal of the wallet with its way on, in the panel', async () => {
    const { panels, sandbox } = suite;
    sandbox.sandbox.accounts.setBalance(parseAmount('0'));
    const result = await runSentiment('Nobody pays for this.');
    await result.getByText(/402/).first().waitFor();
    await panels.statusItem(wallet, 'insufficient balance');
    await result.getByText('Show Usage').first().click();
    await (await panels.page('Usage and Billing')).getByText('Insufficient balance for a run.').waitFor();
    sandbox.sandbox.accounts.setBalance(parseAmount('100'));
  });

  it('edits the budget where it is read, for the setting', async () => {
    const { panels } = suite;
    const usage = await panels.page('Usage and Billing');
    await usage.getByRole('button', { name: 'Edit Budget: Spent from this window' }).click();
    await usage.getByRole('spinbutton').fill('2.5');
    await usage.getByRole('button', { name: 'Save' }).click();
    await usage.getByRole('meter', { name: /^Spent from this window: \$0\.00\d* of \$2\.50$/ }).waitFor();
    assert.equal(panels.kept.settings.get('modelBench.budget.session'), '2.5');
    panels.changeSettings({ 'modelBench.budget.session': undefined });
    await usage.getByText(/^Spent from this window: .* no budget$/).waitFor();
  });

  it('counts from zero again after asking', async () => {
    const { panels } = suite;
    await panels.runCommand('Model Bench: Reset Budgets…');
    assert.match((await panels.dialog()).text, /\$0\.00\d* was spent from this window/);
    (await panels.dialog()).pick('Reset');
    const usage = await panels.page('Usage and Billing');
    await usage.getByText('Spent from this window: $0.00 · no budget').waitFor();
  });

  it('asks once before a job, with the estimate and the remaining balance, and stops at the budget', async () => {
    const { panels } = suite;
    panels.changeSettings({
      'modelBench.budget.session': 0.01,
      'modelBench.budget.confirmRuns': 2,
      'modelBench.indexing.batchSize': 4,
      'modelBench.wallet.lowBalance': 1000,
    });
    // The balance grew without a run, so the wallet would be read again only after two minutes.
    await panels.reload();
    await panels.statusItem(wallet, '$100.00');
    await panels.index('images');
    const said = (await panels.dialog()).text;
    assert.match(said, /10 runs, about \$0\.02.*; exceeds the budget of this window by \$0\.01/);
    assert.match(said, /New runs stop when the budget is reached, after about 5 of them/);
    (await panels.dialog()).pick('Index 40 Files');
    assert.match(
      (await panels.notification(/Indexing into playground paused/)).text,
      /budget of this window/,
    );
    await panels.press(/Indexing into playground paused/, 'Change Budget…');
    await (await panels.page('Usage and Billing')).locator('#budget-amount:focus').waitFor();
    const { runs } = await suite.sandbox.ledger();
    assert.equal(runs['image-similarity index'], 5);
    await panels.press(/Indexing into playground paused/, 'Cancel Remaining Files');
    await panels.noNotification(/Indexing into playground paused/);
    await panels.statusItem(wallet, '$(warning)');
  });

  it('shows a response that was not understood, a closed wallet and an old balance in different words', async () => {
    const { panels, service } = suite;
    service.change('/api/billing/wallet', () => ({ body: { hello: 'world' } }));
    await panels.reload();
    await panels.statusItem(wallet, 'balance not found');
    panels.clickStatusItem(wallet);
    await panels.editor('hello');
    service.change('/api/billing/wallet', ({ body }) => ({
      body: { ...(body as object), status: 'suspended' },
    }));
    await panels.reload();
    await panels.statusItem(wallet, 'insufficient balance');
    service.change('/api/billing/wallet', () => ({ status: 503, body: { error: 'later' } }));
    await runSentiment('Is the balance old?');
    await panels.statusItem(wallet, /\$\d+\.\d+ · at \d/);
  });
});
