import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { KeyChanges } from '../../../src/connection/keyChanges';

describe('The note about an environment’s key', () => {
  let folder: string;
  let windows: readonly KeyChanges[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'key-changes-'));
    windows = [0, 1].map(() => new KeyChanges(folder, () => undefined));
    mock.timers.enable({ apis: ['Date'], now: 1_000 });
  });
  afterEach(async () => {
    mock.timers.reset();
    for (const window of windows) window.dispose();
    await rm(folder, { recursive: true });
  });

  it('gets a time of its own from each of two windows that write at the same moment', async () => {
    const [one, other] = windows as [KeyChanges, KeyChanges];
    const before = await one.note('Sandbox');
    const writers = Array.from({ length: 8 }, (_, at) => (at % 2 ? one : other));
    const times = await Promise.all(writers.map((window) => window.note('Sandbox')));
    assert.equal(new Set([before, ...times]).size, 9);
    assert.ok(Math.min(...times) > before);
    for (const window of windows) assert.equal(await window.lastOf('Sandbox'), Math.max(...times));
    assert.equal((await readdir(folder)).length, 1);
  });

  it('gets a later time in another window when the clock was set back', async () => {
    const [one, other] = windows as [KeyChanges, KeyChanges];
    const before = await one.note('Sandbox');
    mock.timers.setTime(10);
    assert.ok((await other.note('Sandbox')) > before);
    assert.equal(await one.note('Production'), 10);
  });
});
