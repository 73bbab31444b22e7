import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KeyChanges } from '../../../src/connection/keyChanges';

describe('The note about an environment’s key', () => {
  it('gets later times from two writers at once', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'key-changes-'));
    const changes = new KeyChanges(folder, () => undefined);
    try {
      const before = await changes.note('Sandbox');
      const times = await Promise.all(Array.from({ length: 8 }, () => changes.note('Sandbox')));
      assert.ok(times.every((time) => time > before));
      assert.ok(times.includes(await changes.lastOf('Sandbox')));
      assert.equal((await readdir(folder)).length, 1);
    } finally {
      changes.dispose();
      await rm(folder, { recursive: true });
    }
  });
});
