import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileBytes } from '../../../src/service/fileBytes';
import { FileChangedError } from '../../../src/service/upload';
import { messageOf } from '../../../src/wording/errors';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { failureOf, testClient } from '../../support/serviceClient';

describe('a file on disk, uploaded', () => {
  let folder: string;
  let path: string;
  let service: FaultProxy;
  const bytes = randomBytes(5_000_003);
  const source = (open = () => fileBytes(path)) => ({
    filename: 'f.bin',
    contentType: 'application/octet-stream',
    mediaType: 'file',
    sizeBytes: bytes.length,
    open,
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-bench-file-'));
    path = join(folder, 'f.bin');
    await writeFile(path, bytes);
    service = await startFaultProxy({
      behind: () => ({
        body: { upload_url: `${service.url}/put`, upload_id: 'u', media_ref: 'r' },
      }),
    });
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('arrives byte for byte, although its buffers are used over and over', async () => {
    const client = testClient(service.url);
    await Promise.all([client.upload(source()), client.upload(source()), client.upload(source())]);
    const sums = service.seen.filter(({ method }) => method === 'PUT').map(({ body }) => sha(body));
    assert.deepEqual(sums, [sha(bytes), sha(bytes), sha(bytes)]);
    client.close();
  });

  it('fails when it is written or replaced while it is read', async () => {
    const client = testClient(service.url);
    const meddle = {
      written: () => writeFile(path, randomBytes(bytes.length)),
      appended: () => appendFile(path, 'x'),
      replaced: async () => {
        await writeFile(`${path}.new`, bytes);
        await rename(`${path}.new`, path);
      },
    };
    for (const change of Object.values(meddle)) {
      await writeFile(path, bytes);
      const before = service.seen.length;
      const error = await failureOf(
        client.upload(
          source(async function* () {
            let changed = false;
            for await (const piece of fileBytes(path)) {
              yield piece;
              if (!changed) await change();
              changed = true;
            }
          }),
        ),
        'invalidRequest',
      );
      assert.match(messageOf(error), /changed while it was being uploaded/);
      assert.ok(service.seen.slice(before).every(({ path }) => path !== '/api/media/upload/complete'));
    }
    await assert.rejects(async () => {
      for await (const _ of fileBytes(path)) await appendFile(path, 'x');
    }, FileChangedError);
    client.close();
  });
});

function sha(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
