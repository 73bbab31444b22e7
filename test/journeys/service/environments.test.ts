import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '../../support/connect';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { gate } from '../../support/gate';
import type { Workbench } from '../../support/workbench';
import { useVSCode } from '../journey';

const WALLET = 'modelBench.wallet';

/** @param listed when its models are listed, but for the address check and that of the key */
function service(name: string, listed?: Promise<void>): Promise<FaultProxy> {
  let times = 0;
  return startFaultProxy({
    behind: async ({ path: route, headers }) => {
      if (!route.startsWith('/api/marketplace')) return { body: { balance: '5.00', currency: 'USD' } };
      if (headers['x-api-key'] !== undefined && times++ > 0) await listed;
      return { body: [{ slug: name, name: `Model of ${name}` }] };
    },
  });
}

const keysSeen = ({ seen }: FaultProxy, from = 0) => [
  // The address is asked once without a key.
  ...new Set(seen.slice(from).flatMap(({ headers }) => headers['x-api-key'] ?? [])),
];

async function connectTo(window: Workbench, name: string, { url }: FaultProxy, key: string): Promise<void> {
  await connect(window, { name, baseUrl: url, apiKey: key });
  await window
    .statusBarItem(WALLET)
    .filter({ hasText: `${name}: $5.00` })
    .waitFor();
}

/** Refreshes, and resolves to the keys that were sent for it; rejects nothing when none was. */
async function keysOfRefresh(window: Workbench, services: readonly FaultProxy[]): Promise<unknown[]> {
  const before = services.map(({ seen }) => seen.length);
  await window.runCommand('Model Bench: Refresh');
  await window.runCommand('Model Bench: Show Log');
  return services.flatMap((one, at) => keysSeen(one, before[at]));
}

describe('Environments', () => {
  const journey = useVSCode();
  let staging: FaultProxy;
  let production: FaultProxy;
  const { opened: listed, open: list } = gate();
  before(async () => {
    staging = await service('staging', listed);
    production = await service('production');
  });
  after(() => Promise.all([staging?.close(), production?.close()]));

  it('close nothing that was opened while their models were on their way', async () => {
    const { vscode } = journey;
    await connectTo(vscode, 'Staging', staging, 'key-staging');
    const catalog = vscode.view('Catalog');
    await catalog.getByText('Loading the models of Staging…').waitFor();
    await vscode.runCommand('Model Bench: Switch Environment…');
    await vscode.quickPickRow('Staging').waitFor();
    list();
    await vscode.treeRow('Catalog', 'Model of staging').waitFor();
    await catalog.getByText('Loading the models of Staging…').waitFor({ state: 'hidden' });
    await vscode.screenshot('journeys/service/asked-while-listed');
    await vscode.pick('Staging', /its own key/);
  });

  it('send no old key from this window after a change in another one', async () => {
    const { vscode } = journey;
    await connectTo(vscode, 'Production', production, 'key-production');
    const other = await vscode.anotherWindow();
    await other.statusBarItem(WALLET).filter({ hasText: 'Production: $5.00' }).waitFor();
    await other.runCommand('Model Bench: Set API Key…');
    await other.answerQuickInput('key-new', /API Key for “Production”/);
    await other.quickInput.waitFor({ state: 'hidden' });
    await vscode.page.bringToFront();
    // A VS Code in a browser never gives this window the new key: the next best is to say so and send none.
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    const meanwhile = await keysOfRefresh(vscode, [production]);
    await vscode.notificationText(/changed or forgotten in another window/);
    await vscode.screenshot('journeys/service/key-changed-elsewhere');
    // The other window may have asked in the meantime, with the new key.
    assert.ok(!meanwhile.includes('key-production'));
    await vscode.reload();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Production: $5.00' }).waitFor();
    const sent = await keysOfRefresh(vscode, [production]);
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', 'Model of production').waitFor();
    assert.ok(sent.every((key) => key === 'key-new'));
    await other.page.close();
  });

  it('send no key from this window after another one forgot it', async () => {
    const { vscode } = journey;
    const other = await vscode.anotherWindow();
    await other.statusBarItem(WALLET).filter({ hasText: 'Production: $5.00' }).waitFor();
    await other.runCommand('Model Bench: Forget API Key…');
    await other.clickDialogButton('Forget Key');
    await other.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    await vscode.page.bringToFront();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    await vscode.welcome('Catalog').waitFor();
    assert.deepEqual(await keysOfRefresh(vscode, [staging, production]), []);
    await vscode.reload();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    assert.deepEqual(await keysOfRefresh(vscode, [staging, production]), []);
    await other.page.close();
  });
});

describe('An untrusted workspace', () => {
  let evil: FaultProxy;
  let good: FaultProxy;
  const journey = useVSCode({
    restricted: true,
    prepare: async (workspace) => {
      evil = await service('evil');
      await mkdir(path.join(workspace, '.vscode'));
      const named = { Evil: evil.url, Staging: evil.url };
      const settings = { 'modelBench.environments': named, 'http.proxy': evil.url };
      await writeFile(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings));
    },
  });
  before(async () => {
    good = await service('good');
  });
  after(() => Promise.all([evil?.close(), good?.close()]));

  it('sets and changes no environment, and one can work in it', async () => {
    const { vscode } = journey;
    await vscode.page.locator('.part.statusbar').getByText('Restricted Mode').waitFor();
    await vscode.statusBarItem(WALLET).filter({ hasText: 'Connect' }).waitFor();
    await connectTo(vscode, 'Staging', good, 'key-good');
    await vscode.treeRow('Catalog', 'Model of good').waitFor();
    await vscode.runCommandThatAsks('Model Bench: Switch Environment…', /its own key/, () =>
      vscode.quickPickRow('Staging').waitFor(),
    );
    assert.equal(await vscode.quickPickRow('Evil').count(), 0);
    await vscode.screenshot('journeys/service/restricted');
    await vscode.page.keyboard.press('Escape');
    assert.equal(evil.seen.length, 0);
    assert.deepEqual(keysSeen(good), ['key-good']);
  });
});
