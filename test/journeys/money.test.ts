import assert from 'node:assert/strict';
import path from 'node:path';
import { parseAmount } from '../../src/sandbox/billing/money';
import { accessibilityViolations } from '../support/axe';
import { type ChangedResponses, changedResponses } from '../support/changedResponses';
import { connect } from '../support/connect';
import { useVSCode } from '../support/journey';
import { makePictures } from '../support/pictures';
import { sandboxInProcess } from '../support/sandbox';

const wallet = 'modelBench.wallet';
const themes = ['dark', 'light', 'high contrast'] as const;

describe('Money', () => {
  const journey = useVSCode({
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), 40),
  });
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  let service: ChangedResponses;
  before(async () => {
    sandbox = await sandboxInProcess();
    service = await changedResponses(sandbox.baseUrl);
  });
  after(async () => {
    await service?.stop();
    await sandbox?.stop();
  });

  const panel = () => journey.vscode.webview(/Sentiment/);
  const runSentiment = async (text: string) => {
    const { vscode } = journey;
    await vscode.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', () =>
      vscode.pick(/Sentiment/),
    );
    const page = await panel();
    await page.getByRole('textbox', { name: /text/i }).first().fill(text);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    return page.getByRole('region', { name: 'Result' });
  };

  it('says that a cost is unknown, until the activity tells it', async () => {
    const { vscode } = journey;
    service.change('/api/runs', ({ body }) => {
      const { cost: _cost, billing: _billing, usage: _usage, ...rest } = body as Record<string, unknown>;
      return { body: rest };
    });
    await connect(vscode, { name: 'local', baseUrl: service.baseUrl, apiKey: sandbox.apiKey });
    await vscode.treeRow('Catalog', /./).waitFor();
    const result = await runSentiment('What a lovely day.');
    await result.getByText('cost unknown').waitFor();
    await vscode.runCommand('Model Bench: Focus on History View');
    await vscode
      .view('History')
      .getByRole('treeitem', { name: /^Sentiment.*\$0\.00/ })
      .waitFor();
    await result.getByText(/^cost \$0\.00/).waitFor();
    service.change('/api/runs');
    await vscode.screenshot('looks/money-receipt');
  });

  it('leads from the activity to the run, and exports what is shown', async () => {
    const { vscode } = journey;
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommand('Model Bench: Show Usage and Billing');
    const usage = await vscode.webview('Usage and Billing');
    for (const theme of themes) {
      await vscode.setTheme(theme);
      assert.deepEqual(await accessibilityViolations(usage), [], theme);
    }
    await usage.getByRole('button', { name: 'Activity: Export CSV' }).click();
    await vscode.answerFileDialog();
    await vscode.page
      .locator('.monaco-editor .view-lines')
      .filter({ hasText: /time,type,model,mode,status,amount,currency,id,description/ })
      .waitFor();
    await vscode.runCommand('Model Bench: Show Usage and Billing');
    const again = await vscode.webview('Usage and Billing');
    // Only rows in sight are in the page.
    await again.getByRole('table', { name: 'Activity' }).evaluate((table) => table.scrollIntoView());
    await again.getByRole('button', { name: 'Open Run' }).click();
    const run = await panel();
    await run.getByRole('region', { name: 'Result' }).getByText('positive').first().waitFor();
    assert.equal(
      await run.getByRole('textbox', { name: /text/i }).first().inputValue(),
      'What a lovely day.',
    );
  });

  it('finds the charge of a run whose response was lost, and attaches it', async () => {
    const { vscode } = journey;
    service.change('/api/runs', () => ({ status: 504, body: { message: 'upstream timed out' } }));
    const result = await runSentiment('What became of this?');
    await result
      .getByText(/may have been executed/)
      .first()
      .waitFor();
    service.change('/api/runs');
    await vscode.runCommand('Model Bench: Show Usage and Billing');
    const usage = await vscode.webview('Usage and Billing');
    const runs = usage.getByRole('region', { name: 'Runs of unknown outcome or cost' });
    await runs.getByText(/The activity lists \$0\.00\d* at/).waitFor();
    await vscode.screenshot('looks/money-unresolved');
    await runs.getByRole('button', { name: /^Yes: .*Sentiment/ }).click();
    await runs.waitFor({ state: 'detached' });
    await vscode.runCommand('Model Bench: Focus on History View');
    await vscode
      .view('History')
      .getByRole('treeitem', { name: /^Sentiment.*\$0\.00/ })
      .first()
      .waitFor();
  });

  it('shows a refusal of the wallet with its way on, in the panel', async () => {
    const { vscode } = journey;
    sandbox.sandbox.accounts.setBalance(parseAmount('0'));
    const result = await runSentiment('Nobody pays for this.');
    await result.getByText(/402/).first().waitFor();
    await vscode.statusBarItem(wallet).filter({ hasText: 'insufficient balance' }).waitFor();
    for (const theme of themes) {
      await vscode.setTheme(theme);
      await vscode.screenshot(`looks/money-402-${theme.replace(' ', '-')}`);
    }
    await result.getByText('Show Usage').first().click();
    await (await vscode.webview('Usage and Billing')).getByText('Insufficient balance for a run.').waitFor();
    sandbox.sandbox.accounts.setBalance(parseAmount('100'));
  });

  it('counts from zero again after asking', async () => {
    const { vscode } = journey;
    await vscode.runCommand('Model Bench: Reset Budgets…');
    assert.match(await vscode.dialogText(), /\$0\.00\d* was spent in this session/);
    await vscode.clickDialogButton('Reset');
    const usage = await vscode.webview('Usage and Billing');
    await usage.getByText('Spent from this window: $0.00 · no budget').waitFor();
  });

  it('asks once before a job, with the estimate and what it leaves, and stops at the budget', async () => {
    const { vscode } = journey;
    await vscode.changeSettings({
      'modelBench.budget.session': 0.01,
      'modelBench.budget.confirmRuns': 2,
      'modelBench.indexing.batchSize': 4,
      'modelBench.wallet.lowBalance': 1000,
    });
    await vscode.statusBarItem(wallet).filter({ hasText: '$100.00' }).waitFor();
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.pick('playground', /Into which scope/);
    const said = await vscode.dialogText();
    assert.match(said, /10 runs, about \$0\.02.*; exceeds the session budget by \$0\.01/);
    assert.match(said, /New runs stop when the budget is reached, after about 5 of them/);
    await vscode.screenshot('looks/money-question');
    await vscode.clickDialogButton('Index 40 Files');
    assert.match(await vscode.notificationText(/Indexing into playground paused/), /budget of this session/);
    await vscode.screenshot('looks/money-paused');
    await vscode.clickNotificationAction(/Indexing into playground paused/, 'Change Budget…');
    const setting = vscode.page
      .locator('.settings-editor .setting-item')
      .filter({ hasText: 'Budget: Session' });
    await setting.waitFor();
    await vscode.screenshot('looks/money-budget-settings');
    await vscode.page.keyboard.press('Escape');
    const { runs } = await sandbox.ledger();
    assert.equal(runs['image-similarity index'], 5);
    await vscode.clickNotificationAction(/Indexing into playground paused/, 'Cancel Remaining Files');
    await vscode.notification(/Indexing into playground paused/).waitFor({ state: 'hidden' });
    assert.ok(await vscode.statusBarItem(wallet).locator('.codicon-warning').isVisible());
    await vscode.screenshot('looks/wallet-low');
  });

  it('shows a response that was not understood, a wallet that is closed, and an old balance as what they are', async () => {
    const { vscode } = journey;
    service.change('/api/billing/wallet', () => ({ body: { hello: 'world' } }));
    await vscode.reload();
    await vscode.statusBarItem(wallet).filter({ hasText: 'balance not found' }).waitFor();
    await vscode.screenshot('looks/wallet-not-understood');
    await vscode.statusBarItem(wallet).locator('a').click();
    await vscode.page.locator('.monaco-editor .view-lines').filter({ hasText: 'hello' }).waitFor();
    service.change('/api/billing/wallet', ({ body }) => ({
      body: { ...(body as object), status: 'suspended' },
    }));
    await vscode.reload();
    await vscode.statusBarItem(wallet).filter({ hasText: 'insufficient balance' }).waitFor();
    for (const theme of themes) {
      await vscode.setTheme(theme);
      await vscode.screenshot(`looks/wallet-closed-${theme.replace(' ', '-')}`);
    }
    service.change('/api/billing/wallet', () => ({ status: 503, body: { error: 'later' } }));
    await runSentiment('Is the balance old?');
    await vscode
      .statusBarItem(wallet)
      .filter({ hasText: /\$\d+\.\d+ · at \d/ })
      .waitFor();
    await vscode.screenshot('looks/wallet-old');
  });
});
