import assert from 'node:assert/strict';
import { startFaultProxy } from '../../support/faultProxy';
import { testClient } from '../../support/serviceClient';

describe('a name below localhost', () => {
  it('means this computer, without a look-up of the name', async () => {
    const service = await startFaultProxy({ behind: () => ({ body: { balance: 3 } }) });
    const client = testClient(service.url.replace('127.0.0.1', 'models.localhost'));
    assert.equal((await client.wallet()).wallet?.balance.amount, '3');
    assert.match(String(service.seen[0]?.headers.host), /^models\.localhost:/);
    client.close();
    await service.close();
  });
});
