import assert from 'node:assert/strict';
import { messageOf } from '../../../src/wording/errors';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { tellFigures } from '../../support/figures';
import { failureOf, REQUEST, testClient } from '../../support/serviceClient';
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
});
