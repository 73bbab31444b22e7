import assert from 'node:assert/strict';
import path from 'node:path';
import { makePictures } from '../../support/pictures';
import { useService } from '../useService';

const IMAGES = 3;

describe('A service that reports failures and units in its bodies', () => {
  let wallet: object = { balance: { amount: 1250, currency: 'USD', unit: 'widgets' } };
  const suite = useService({
    changes: (service) => {
      service.change('/api/runs', () => ({
        body: { code: 1001, message: 'insufficient balance', data: null },
      }));
      service.change('/api/billing/wallet', () => ({ body: wallet }));
    },
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), IMAGES),
  });

  it('shows a balance of an unknown unit in the words of the service', async () => {
    await suite.panels.statusItem('modelBench.wallet', 'amount 1250, currency USD, unit widgets');
  });

  it('books no file as indexed when a response with status 200 does not say success', async () => {
    const { panels } = suite;
    wallet = { balance: { amount: 1250, currency: 'USD', exponent: 2 } };
    await panels.index('images', 'photos');
    (await panels.dialog()).pick(`Index ${IMAGES} Files`);
    assert.match(await panels.indexedInto('photos'), /Indexed 0 of 3 files into photos\. 3 unconfirmed/);
    await panels.row('Scopes', /Image Similarity/);
    const rows = (await panels.allRows('Scopes')).map(({ text }) => text);
    assert.ok(
      rows.some((row) => /3 unconfirmed/.test(row)),
      rows.join('\n'),
    );
    assert.ok(!rows.some((row) => /[1-9]\d* items?/.test(row)), rows.join('\n'));
  });

  it('shows a balance with an exponent in the words of the service', async () => {
    await suite.panels.statusItem('modelBench.wallet', 'amount 1250, currency USD, exponent 2');
  });
});
