import assert from 'node:assert/strict';
import { type FaultProxy, startFaultProxy } from '../support/faultProxy';
import { smallService } from '../support/smallService';
import { usePanels } from './usePanels';

const WALLET = 'modelBench.wallet';

const service = (name: string): Promise<FaultProxy> =>
  startFaultProxy({ behind: smallService(`Model of ${name}`) });

/** The address is asked once without a key. */
const keysSeen = ({ seen }: FaultProxy) => [
  ...new Set(seen.flatMap(({ headers }) => headers['x-api-key'] ?? [])),
];

describe('Environments side by side', () => {
  const suite = usePanels();
  let [staging, production, moved]: FaultProxy[] = [];
  before(async () => {
    [staging, production, moved] = await Promise.all(['staging', 'production', 'moved'].map(service));
  });
  after(() => Promise.all([staging?.close(), production?.close(), moved?.close()]));

  it('keep a key each, and switch by name', async () => {
    const { panels } = suite;
    for (const [name, { url }, apiKey] of [
      ['Staging', staging!, 'key-staging'],
      ['Production', production!, 'key-production'],
    ] as const) {
      await panels.connect({ name, baseUrl: url, apiKey });
      await panels.statusItem(WALLET, `${name}: $5.00`);
    }
    for (const [name, model] of [
      ['Staging', 'Model of staging'],
      ['Production', 'Model of production'],
      ['Staging', 'Model of staging'],
    ] as const) {
      await panels.switchTo(name);
      await panels.statusItem(WALLET, `${name}: $5.00`);
      await panels.row('Catalog', model);
    }
    assert.deepEqual(keysSeen(staging!), ['key-staging']);
    assert.deepEqual(keysSeen(production!), ['key-production']);
  });

  it('ask for a key again after a change of their base URL, and send the old one nowhere', async () => {
    const { panels } = suite;
    panels.changeSettings({
      'modelBench.environments': { Staging: moved!.url, Production: production!.url },
    });
    await panels.statusItem(WALLET, 'Connect');
    const words = /The API key of “Staging” was entered for another address, and is not sent to/;
    await panels.press(words, 'Set API Key…');
    (await panels.question(/API Key for “Staging”/)).cancel();
    panels.clickStatusItem(WALLET);
    await panels.question(/API Key for “Staging”/);
    assert.equal(moved!.seen.length, 0);
    await panels.enter(/API Key for “Staging”/, 'key-moved');
    await panels.row('Catalog', 'Model of moved');
    assert.deepEqual(keysSeen(moved!), ['key-moved']);
    await panels.switchTo('Production');
    await panels.row('Catalog', 'Model of production');
    assert.deepEqual(keysSeen(production!), ['key-production']);
  });
});
