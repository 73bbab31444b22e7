import assert from 'node:assert/strict';
import jpeg from 'jpeg-js';
import { decodeImage } from '../../../src/sandbox/imaging/decode';
import {
  asVector,
  describe as describeImage,
  distance,
  scoreOf,
} from '../../../src/sandbox/imaging/descriptor';
import { sandboxInProcess } from '../../support/sandbox';
import { call, run, upload } from '../../support/sandboxCalls';
import { disc, png } from '../../support/sandboxPictures';

/** The smallest lossy WebP there is: one pixel. */
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const GIF = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

describe('image descriptors', () => {
  it('nearly match for one picture as PNG and as JPEG, and at twice the size', async () => {
    const small = await decodeImage(disc(30, 120, 60, 100));
    const large = await decodeImage(disc(30, 120, 60, 200));
    const asJpeg = await decodeImage(jpeg.encode({ ...small, data: Buffer.from(small.data) }, 92).data);
    const other = await decodeImage(png(100, 100, (x, y) => (x > y ? [200, 40, 90] : [20, 20, 20])));
    const to = (image: typeof small) =>
      scoreOf(distance(asVector(describeImage(small)), asVector(describeImage(image))));
    assert.equal(to(small), 1);
    assert.ok(to(asJpeg) > 0.8);
    assert.ok(to(large) > 0.8);
    assert.ok(to(other) < 0.5);
  });
});

describe('an index run with bad images', () => {
  it('indexes nothing, charges nothing, and names each bad image by place and id', async () => {
    const sandbox = await sandboxInProcess();
    const good = await upload(sandbox, disc(200, 0, 0));
    const whole = disc(0, 0, 200);
    const bad = [
      await upload(sandbox, whole.subarray(0, whole.length >> 1)),
      await upload(sandbox, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      await upload(sandbox, Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(64)])),
      await upload(sandbox, WEBP.subarray(0, 20)),
      await upload(sandbox, GIF.subarray(0, 12)),
    ];
    const index = (refs: string[], ids: string[]) =>
      run(sandbox, {
        model: 'image-similarity',
        mode: 'index',
        scope: 's',
        input: { images: refs.map((ref) => ({ media_ref: ref })), image_ids: ids },
        params: {},
      });
    const refused = await index([good, ...bad], ['good', 'a', 'b', 'c', 'd', 'e']);
    assert.equal(refused.status, 400);
    assert.deepEqual(
      refused.body.error.details.map(({ path, image_id: id }: Record<string, string>) => [path, id]),
      ['a', 'b', 'c', 'd', 'e'].map((id, i) => [`/input/images/${i + 1}`, id]),
    );
    assert.match(refused.body.error.message, /Nothing was indexed: 5 of 6/);
    assert.deepEqual((await sandbox.ledger()).indexed, {});
    assert.equal((await call(sandbox, 'GET', '/api/billing/wallet')).body.balance, '10.0000');

    assert.equal((await index([good, good], ['same', 'same'])).body.error.code, 'repeated_id');
    assert.equal((await index([good, good], ['one'])).status, 400);
    assert.equal(
      (
        await index(
          Array(33).fill(good),
          Array.from({ length: 33 }, (_, i) => `${i}`),
        )
      ).status,
      400,
    );
    const again = await index([good], ['good']);
    assert.deepEqual([again.body.output.added, again.body.output.replaced], [1, 0]);
    const replaced = await index([good], ['good']);
    assert.deepEqual([replaced.body.output.added, replaced.body.output.replaced], [0, 1]);
    assert.equal(replaced.body.output.total_in_scope, 1);
    assert.equal((await sandbox.ledger()).indexed['image-similarity s good'], 2);
    await sandbox.stop();
  });
});
