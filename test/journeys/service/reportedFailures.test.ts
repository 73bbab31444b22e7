import assert from 'node:assert/strict';
import path from 'node:path';
import { type ChangedResponses, changedResponses } from '../../support/changedResponses';
import { connect } from '../../support/connect';
import { useVSCode } from '../../support/journey';
import { makePictures } from '../../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';

const IMAGES = 3;

describe('A service that reports failures and units in its bodies', () => {
  let sandbox: ChildSandbox;
  let service: ChangedResponses;
  let wallet: object = { balance: { amount: 1250, currency: 'USD', unit: 'widgets' } };
  before(async () => {
    sandbox = await sandboxInChild({ flags: ['--wallet', '100'] });
    service = await changedResponses(sandbox.baseUrl);
    service.change('/api/runs', () => ({
      body: { code: 1001, message: 'insufficient balance', data: null },
    }));
    service.change('/api/billing/wallet', () => ({ body: wallet }));
  });
  after(async () => {
    await service?.stop();
    await sandbox?.stop();
  });
  const journey = useVSCode({
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), IMAGES),
  });

  it('shows a balance of an unknown unit in the words of the service', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Test', baseUrl: service.baseUrl, apiKey: sandbox.apiKey });
    await vscode.treeRow('Catalog', /Image/).waitFor();
    const item = vscode.statusBarItem('modelBench.wallet');
    await item.filter({ hasText: 'amount 1250, currency USD, unit widgets' }).waitFor();
    await vscode.screenshot('journeys/service/unknown-unit');
  });

  it('books no file as indexed when the service reports a failure with status 200', async () => {
    const { vscode } = journey;
    wallet = { balance: { amount: 1250, currency: 'USD', exponent: 2 } };
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.expectQuickInput(/Into which scope/);
    await vscode.quickInputBox.fill('photos');
    await vscode.quickPickRow('photos').first().click();
    await vscode.dialog.waitFor();
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    const ended = await vscode.notificationText(/Indexed \d of 3 files into photos/);
    await vscode.screenshot('journeys/service/index-failed');
    assert.match(ended, /Indexed 0 of 3 files into photos\. 3 failed/);
    await vscode.showModelBench();
    await vscode.treeRow('Scopes', /Image Similarity/).waitFor();
    const rows = await vscode.treeRows('Scopes');
    assert.ok(
      rows.some((row) => /3 failed/.test(row)),
      rows.join('\n'),
    );
    assert.ok(!rows.some((row) => /[1-9]\d* items?/.test(row)), rows.join('\n'));
  });

  it('moves the point of a balance by its exponent', async () => {
    await journey.vscode.statusBarItem('modelBench.wallet').filter({ hasText: '$12.50' }).waitFor();
  });
});
