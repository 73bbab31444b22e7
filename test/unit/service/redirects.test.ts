import assert from 'node:assert/strict';
import { messageOf } from '../../../src/wording/errors';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { tellFigures } from '../../support/figures';
import { failureOf, REQUEST, TEST_KEY, testClient } from '../../support/serviceClient';
import { sourceOf } from '../../support/uploadSource';

describe('a redirect', () => {
  let foreign: FaultProxy;
  let home: FaultProxy;
  beforeEach(async () => {
    foreign = await startFaultProxy({ behind: () => ({ body: { models: [] } }) });
  });
  let tried = 0;
  let leaked = 0;
  afterEach(async () => {
    leaked += foreign.seen.length;
    await foreign.close();
    await home.close();
  });
  after(() => tellFigures({ case: 'a redirect to a foreign origin', tried, lost: 0, doubled: 0, leaked }));

  for (const status of [301, 302, 303, 307, 308])
    it(`${status} to a foreign origin is not followed: neither key nor body gets there`, async () => {
      home = await startFaultProxy({
        behind: () => ({}),
        fault: () => ({ kind: 'redirect', status, to: `${foreign.url}/x` }),
      });
      tried += 4;
      const client = testClient(home.url);
      const isProven = [301, 307, 308].includes(status);
      const error = await failureOf(client.run(REQUEST), isProven ? 'unreachable' : 'outcomeUnknown');
      assert.match(messageOf(error), new RegExp(`${foreign.url}/x`));
      assert.match(
        messageOf(error),
        isProven ? /was not executed and nothing was charged/ : /may have been executed and charged/,
      );
      await failureOf(client.wallet(), 'unreadableResponse');
      await failureOf(client.getModel('m'), 'unreadableResponse');
      await failureOf(
        client.upload(sourceOf('a.png', 'image/png', Buffer.from('abc'))),
        'unreadableResponse',
      );
      assert.equal(foreign.seen.length, 0);
      client.close();
    });

  for (const status of [301, 302, 303, 307, 308])
    it(`${status} of the upload address is not followed with the file`, async () => {
      home = await startFaultProxy({
        behind: ({ path }) =>
          path.endsWith('/init')
            ? { body: { upload_url: `${home.url}/bytes`, upload_id: 'u' } }
            : { status, headers: { location: `${foreign.url}/bytes` } },
      });
      tried += 1;
      const client = testClient(home.url);
      await failureOf(
        client.upload(sourceOf('a.png', 'image/png', Buffer.from('abc'))),
        'unreadableResponse',
      );
      assert.equal(foreign.seen.length, 0);
      client.close();
    });

  it('leads a GET within the origin, a limited number of times', async () => {
    home = await startFaultProxy({
      behind: ({ path }) =>
        path === '/moved'
          ? { body: { balance: 3 } }
          : { status: 302, headers: { location: `${home.prefix}/moved` } },
    });
    const client = testClient(home.url);
    assert.equal((await client.wallet()).wallet?.balance.amount, '3');
    client.close();
    await home.close();
    home = await startFaultProxy({
      behind: () => ({ status: 302, headers: { location: `${home.prefix}/api/billing/wallet` } }),
    });
    const circle = testClient(home.url);
    await failureOf(circle.wallet(), 'unreadableResponse');
    assert.ok(home.seen.length <= 5);
    circle.close();
  });

  it('ends at a foreign next page of a list, which is then reported as incomplete', async () => {
    home = await startFaultProxy({
      behind: () => ({ body: { results: ['a', 'b'], next: `${foreign.url}/api?page=2` } }),
    });
    const client = testClient(home.url);
    const pages = [];
    for await (const page of client.listModels()) pages.push(page);
    assert.deepEqual(
      pages.map((page) => page.models.map(({ slug }) => slug)),
      [['a', 'b']],
    );
    assert.deepEqual(pages[0]?.incomplete, {
      reason: 'refusedAddress',
      refused: { address: `${foreign.url}/api`, why: 'otherOrigin' },
    });
    assert.equal(foreign.seen.length, 0);
    assert.equal(home.seen[0]?.headers['x-api-key'], TEST_KEY);
    client.close();
  });
});
