import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '../support/connect';
import { type FaultProxy, startFaultProxy } from '../support/faultProxy';
import { useVSCode } from '../support/journey';
import { makePictures } from '../support/pictures';
import { RunPanel } from '../support/runPanel';
import { sandboxInProcess, type TestSandbox } from '../support/sandbox';

const WALLET = 'modelBench.wallet';
const SENTIMENT = 'Sentiment (English)';

describe('What one sees of money before a run', () => {
  const journey = useVSCode({ prepare: (workspace) => makePictures(path.join(workspace, 'images'), 40) });
  let sandbox: TestSandbox;
  let service: FaultProxy;
  const readings = () => service.seen.filter(({ path: route }) => route === '/api/billing/wallet').length;

  before(async () => {
    sandbox = await sandboxInProcess();
    service = await startFaultProxy({
      behind: sandbox.baseUrl,
      fault: ({ body }) => (body.includes('slowly') ? { kind: 'delay', ms: 3000 } : undefined),
    });
  });
  after(async () => {
    await service?.close();
    await sandbox?.stop();
  });

  const hoverWallet = async () => {
    const { vscode } = journey;
    await vscode.page.mouse.move(600, 300);
    await vscode.statusBarItem(WALLET).hover();
    const tooltip = vscode.page.locator('.monaco-hover').filter({ hasText: 'Model Bench wallet' }).first();
    await tooltip.waitFor();
    return (await tooltip.innerText()).replaceAll(/\s+/g, ' ');
  };

  it('is the wallet, with environment, status and when it was read', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Staging', baseUrl: service.url, apiKey: sandbox.apiKey });
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Staging: $10.00' }).waitFor();
    const told = await hoverWallet();
    for (const words of [
      `Environment: Staging, ${service.url} `,
      'Balance: $10.00',
      'Status: active',
      /Read at \d/,
      'Spent from this window: $0.00 · no budget',
    ])
      assert.ok(typeof words === 'string' ? told.includes(words) : words.test(told), `${words} in ${told}`);
    await vscode.screenshot('looks/wallet-tooltip');
  });

  it('is the published price where there is no run yet, called that, and an estimate after a run', async () => {
    const { vscode } = journey;
    const row = vscode.treeRow('Catalog', SENTIMENT);
    await row.click();
    const panel = await RunPanel.in(vscode, SENTIMENT);
    await panel.frame.getByText('$0.001 per run').first().waitFor();
    await panel.frame
      .getByText(/Published price|published price/)
      .first()
      .waitFor();
    await panel.fill('Text', 'A fine day.');
    await panel.button('Run').click();
    await panel.frame
      .getByText(/^Estimate: about \$0\.001 · .* from your last run$/)
      .first()
      .waitFor();
    await row.filter({ hasText: '1 run, about $0.001 each' }).waitFor();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Staging: $9.999' }).waitFor();
    assert.match(await hoverWallet(), /Last change: −\$0\.001, between/);
    await vscode.screenshot('looks/estimate');
  });

  it('costs no request while nobody looks, and is made up for when somebody does', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, SENTIMENT);
    await panel.fill('Text', 'This comes slowly.');
    await panel.button('Run').click();
    await panel.frame
      .getByText(/Running…/)
      .first()
      .waitFor();
    // As when another program's window is in front.
    const look = (looked: boolean) =>
      vscode.page.evaluate((isLooked) => {
        document.hasFocus = () => isLooked;
        document.dispatchEvent(new Event('visibilitychange'));
      }, looked);
    await look(false);
    const before = readings();
    await panel.result
      .getByText(/Finished in 3/)
      .last()
      .waitFor();
    // Longer than from a run's end to a reading, and than between two readings.
    await wait(7000);
    assert.equal(readings(), before);
    await look(true);
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Staging: $9.998' }).waitFor();
    assert.equal(readings(), before + 1);
  });

  it('is one question before a job, with what it costs and what it leaves', async () => {
    const { vscode } = journey;
    await vscode.changeSettings({
      'modelBench.budget.confirmRuns': 2,
      'modelBench.indexing.batchSize': 4,
    });
    await vscode.statusBarItem(WALLET).filter({ hasText: '$9.998' }).waitFor();
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.pick('playground', /Into which scope/);
    const said = await vscode.dialogText();
    assert.match(said, /10 runs, about \$0\.02.*; leaves \$9\.9\d/);
    await vscode.screenshot('looks/money-leaves');
    await vscode.page.keyboard.press('Escape');
    const { runs } = await sandbox.ledger();
    assert.equal(runs['image-similarity index'], undefined);
  });
});
