import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { appendFile, mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileBytes } from '../../../src/service/fileBytes';
import { FileChangedError } from '../../../src/service/upload';

const MB = 2 ** 20;

describe('The bytes of a file', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-bench-pieces-'));
  });
  after(() => rm(folder, { recursive: true }));
  beforeEach(() => {
    file = join(folder, `${readdirSync(folder).length}.bin`);
  });
  afterEach(() => {
    if (!existsSync('/proc/self/fd')) return;
    const open = readdirSync('/proc/self/fd').filter((at) => {
      try {
        return readlinkSync(`/proc/self/fd/${at}`).startsWith(folder);
      } catch {
        return false;
      }
    });
    assert.deepEqual(open, [], 'it is still open');
  });

  /** All of it; with something that happens once it has begun. */
  const read = async (meanwhile?: () => Promise<unknown>) => {
    const pieces: Buffer[] = [];
    for await (const piece of fileBytes(file)) {
      pieces.push(Buffer.from(piece));
      if (pieces.length === 1) await meanwhile?.();
    }
    return Buffer.concat(pieces);
  };

  it('fail when the file grows, is written, replaced or removed meanwhile', async () => {
    const bytes = randomBytes(3 * MB);
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      growing: () => appendFile(file, randomBytes(2 * MB)),
      cut: () => truncate(file, 2 * MB),
      written: () => writeFile(file, randomBytes(bytes.length)),
      replaced: async () => {
        await writeFile(`${file}.new`, bytes);
        await rename(`${file}.new`, file);
      },
      removed: () => rm(file),
      touched: () => utimes(file, 2, 2),
    };
    for (const [change, make] of Object.entries(changes)) {
      await writeFile(file, bytes);
      // Times of files can be some milliseconds apart at least.
      await utimes(file, 1, 1);
      await assert.rejects(read(make), (error) => {
        assert.ok(error instanceof FileChangedError, change);
        assert.equal(error.message, change === 'growing' ? 'it grew' : 'it was written or replaced', change);
        return true;
      });
    }
  });

  it('fail for a folder, for a pipe without waiting, and for a missing file', async () => {
    file = folder;
    await assert.rejects(read(), { name: 'FileChangedError', message: 'it is no longer a regular file' });
    file = join(folder, 'missing');
    await assert.rejects(read(), { code: 'ENOENT' });
    if (process.platform === 'win32') return;
    file = join(folder, 'pipe');
    execFileSync('mkfifo', [file]);
    await assert.rejects(read(), FileChangedError);
  });
});
