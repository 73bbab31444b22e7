import assert from 'node:assert/strict';
import { connect } from '../support/connect';
import { useServices } from '../support/services';
import type { Workbench } from '../support/workbench';
import { useVSCode } from './journey';

describe('The budget of a workspace that two windows of a server have open', () => {
  const services = useServices();
  const journey = useVSCode({ settings: { 'modelBench.budget.workspace': '0.0015 USD' } });

  /** The text of the result of a run of $0.001. */
  async function run(window: Workbench, shown: RegExp): Promise<void> {
    await window.runCommandThatAsks('Model Bench: Run Model…', 'Choose a model to run', () =>
      window.pick(/Sentiment/),
    );
    const panel = await window.webview(/Sentiment/);
    await panel.getByRole('textbox', { name: /text/i }).first().fill('What a lovely day.');
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.getByRole('region', { name: 'Result' }).getByText(shown).first().waitFor();
  }

  async function balance(): Promise<number> {
    const { baseUrl, apiKey } = services.sandbox;
    const response = await fetch(`${baseUrl}/api/billing/wallet`, { headers: { 'X-API-Key': apiKey } });
    return Number(((await response.json()) as { balance: string }).balance);
  }

  it('counts the spending of either window in both, by the wallet of the service', async () => {
    const { vscode } = journey;
    const { sandbox, sent } = services;
    const before = await balance();
    await connect(vscode, { name: 'Staging', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    await vscode.statusBarItem('modelBench.wallet').filter({ hasText: 'Staging' }).waitFor();
    await vscode.treeRow('Catalog', /Sentiment/).waitFor();
    const other = await vscode.anotherWindow();
    await other.statusBarItem('modelBench.wallet').filter({ hasText: 'Staging' }).waitFor();
    await run(other, /positive/);
    await vscode.page.bringToFront();
    await run(vscode, /budget of this workspace \(\$0\.0015\).*\$0\.001 is spent or in flight/);
    for (const window of [vscode, other]) {
      await window.page.bringToFront();
      await window.runCommand('Model Bench: Show Usage and Billing');
      const usage = await window.webview('Usage and Billing');
      await usage.getByText('Spent from this workspace: $0.001 of $0.0015').waitFor();
    }
    await vscode.screenshot('journeys/budget-of-two-windows');
    assert.equal(await sent(), 1);
    assert.equal(((before - (await balance())) * 1_000).toFixed(6), '1.000000');
    await other.page.close();
  });
});
