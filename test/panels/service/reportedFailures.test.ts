import assert from 'node:assert/strict';
import path from 'node:path';
import { type ChangedResponses, changedResponses } from '../../support/changedResponses';
import { usePanels } from '../../support/panels/usePanels';
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
  const suite = usePanels({
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), IMAGES),
  });

  it('shows a balance of an unknown unit in the words of the service', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Test', baseUrl: service.baseUrl, apiKey: sandbox.apiKey });
    await panels.row('Catalog', /Image/);
    await panels.statusItem('modelBench.wallet', 'amount 1250, currency USD, unit widgets');
  });

  it('books no file as indexed when the service reports a failure with status 200', async () => {
    const { panels } = suite;
    wallet = { balance: { amount: 1250, currency: 'USD', exponent: 2 } };
    await panels.explorerMenu('Index Image with Model', 'images');
    await panels.answer(/Index with which model/, /image similarity/i);
    await panels.enter(/Into which scope/, 'photos');
    await panels.answer(/Into which scope/, 'photos');
    (await panels.dialog()).pick(`Index ${IMAGES} Files`);
    const ended = (await panels.notification(/Indexed \d of 3 files into photos/)).text;
    assert.match(ended, /Indexed 0 of 3 files into photos\. 3 failed/);
    await panels.row('Scopes', /Image Similarity/);
    const rows = (await panels.allRows('Scopes')).map(({ text }) => text);
    assert.ok(
      rows.some((row) => /3 failed/.test(row)),
      rows.join('\n'),
    );
    assert.ok(!rows.some((row) => /[1-9]\d* items?/.test(row)), rows.join('\n'));
  });

  it('moves the point of a balance by its exponent', async () => {
    await suite.panels.statusItem('modelBench.wallet', '$12.50');
  });
});
