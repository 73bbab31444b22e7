import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../support/eventually';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { jobFor, type Setup, type SetupOptions, setUp } from '../../support/indexingJobs';
import { makePictures } from '../../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';

const IMAGES = 6;

describe('The response to a batch that does not come', () => {
  let sandbox: ChildSandbox;
  let proxy: FaultProxy;
  let folder: string;
  let setup: Setup;

  before(async () => {
    sandbox = await sandboxInChild();
    // Executed, and its response held back for longer than a test waits.
    proxy = await startFaultProxy({
      behind: sandbox.baseUrl,
      fault: ({ path }) => (path === '/api/runs' ? { kind: 'delay', ms: 600_000 } : undefined),
    });
  });
  after(async () => {
    await proxy.close();
    await sandbox.stop();
  });
  beforeEach(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'stop-waiting-'));
    await makePictures(join(folder, 'pictures'), IMAGES);
  });
  afterEach(async () => {
    await setup.close();
    await fs.rm(folder, { recursive: true });
  });

  async function job(scope: string, options: SetupOptions) {
    const service = { baseUrl: proxy.url, apiKey: sandbox.apiKey };
    setup = await setUp(service, join(folder, 'storage'), scope, { batchSize: 3, ...options });
    const made = await jobFor(setup, join(folder, 'pictures'));
    made.start();
    return made;
  }
  const sentOnce = async (scope: string) => {
    const { indexed } = await sandbox.ledger();
    const times = Object.entries(indexed).filter(([key]) => key.split(' ')[1] === scope);
    assert.equal(times.length, IMAGES);
    assert.ok(times.every(([, often]) => often === 1));
  };

  it('stops at the time limit: its files are unconfirmed, and are not sent again', async () => {
    const made = await job('limited', { timeoutMs: 2000 });
    await made.done;
    const { unknown, remaining } = made.progress;
    assert.deepEqual([unknown, remaining], [IMAGES, 0]);
    assert.match(made.items[0]?.reason ?? '', /time limit/i);
    // A busy sandbox executes them later than that.
    await eventually(() => sentOnce('limited'));
  });

  it('continues after a cancel, until the user stops waiting', async () => {
    const runsBefore = proxy.executedRuns;
    const made = await job('cancelled', {});
    const sent = () => made.items.filter(({ state }) => state === 'inFlight').length;
    while (proxy.executedRuns < runsBefore + 2) await wait(20);
    made.stopWaiting();
    assert.equal(sent(), IMAGES, 'a job that goes on waits');
    made.cancel();
    await wait(300);
    assert.deepEqual([made.progress.state, sent()], ['stopping', IMAGES]);
    made.stopWaiting();
    await made.done;
    assert.deepEqual([made.progress.state, made.progress.unknown], ['ended', IMAGES]);
    await sentOnce('cancelled');
  });
});
