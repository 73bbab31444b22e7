import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import { decodeImage } from '../../../src/sandbox/imaging/decode';
import {
  asVector,
  describe as describeImage,
  distance,
  scoreOf,
} from '../../../src/sandbox/imaging/descriptor';
import { resizeOverWhite } from '../../../src/sandbox/imaging/resize';
import { VectorIndex } from '../../../src/sandbox/vectors/vectorIndex';
import { cacheFolder } from '../../support/paths';
import { sandboxInProcess } from '../../support/sandbox';
import { call, run, upload } from '../../support/sandboxCalls';
import { disc, png } from '../../support/sandboxPictures';

/** The smallest lossy WebP there is: one pixel. */
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const GIF = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

describe('image descriptors', () => {
  const sizes = fc.record({
    width: fc.integer({ min: 1, max: 300 }),
    height: fc.integer({ min: 1, max: 300 }),
  });

  it('return finite and bounded values for an image of any size', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 255 }), ({ width, height }, seed) => {
        const data = new Uint8Array(width * height * 4).map((_, i) => (i * 31 + seed * (i >> 2)) & 255);
        const { colourLayout, edgeHistogram } = describeImage({ width, height, data });
        assert.ok(colourLayout.every((value) => Math.abs(value) <= 1024));
        assert.ok(edgeHistogram.every((value) => value >= 0 && value <= 1.0001));
        for (let cell = 0; cell < 16; cell++) {
          const sum = edgeHistogram.slice(cell * 5, cell * 5 + 5).reduce((a, b) => a + b, 0);
          assert.ok(sum <= 1.0001);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('resizing keeps a flat colour flat, larger or smaller', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 255 }), ({ width, height }, grey) => {
        const data = new Uint8Array(width * height * 4).map((_, i) => (i % 4 === 3 ? 255 : grey));
        const { data: resized } = resizeOverWhite({ width, height, data }, 37, 53);
        assert.ok(resized.every((value) => Math.abs(value - grey) < 0.01));
      }),
      { numRuns: 40 },
    );
  });

  it('contain edges of enlarged small images, and differ', async () => {
    const vectors = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const small = png(24, 24, (x, y) =>
          Math.hypot(x - 0.2 - i * 0.05, y - 0.5) < 0.15 + i * 0.02 ? [20 * i, 90, 200] : [240, 240, 240],
        );
        return describeImage(await decodeImage(small));
      }),
    );
    for (const [i, { edgeHistogram }] of vectors.entries()) {
      const filled = edgeHistogram.filter((value) => value > 0).length;
      assert.ok(filled >= 8, `image ${i} has ${filled} filled edge bins`);
      for (const [j, other] of vectors.entries()) {
        if (j !== i) assert.ok(distance(asVector(vectors[i]!), asVector(other)) > 0.05, `${i} equals ${j}`);
      }
    }
  });

  it('tell a vertical edge from a horizontal one', async () => {
    const stripes = async (along: 'x' | 'y') => {
      const image = png(64, 64, (x, y) =>
        Math.floor((along === 'x' ? x : y) * 8) % 2 ? [0, 0, 0] : [255, 255, 255],
      );
      const { edgeHistogram } = describeImage(await decodeImage(image));
      return [0, 1].map((kind) => edgeHistogram.filter((_, i) => i % 5 === kind).reduce((a, b) => a + b, 0));
    };
    const [vertical, horizontal] = await stripes('x');
    assert.ok(vertical! > 10 * horizontal!);
    const [otherVertical, otherHorizontal] = await stripes('y');
    assert.ok(otherHorizontal! > 10 * otherVertical!);
  });

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

  it('treat a transparent background as white', async () => {
    const clear = png(32, 32, (x, y) => (Math.hypot(x - 0.5, y - 0.5) < 0.33 ? [200, 20, 20] : [0, 0, 0, 0]));
    const white = png(32, 32, (x, y) =>
      Math.hypot(x - 0.5, y - 0.5) < 0.33 ? [200, 20, 20] : [255, 255, 255],
    );
    const [a, b] = [describeImage(await decodeImage(clear)), describeImage(await decodeImage(white))];
    assert.ok(distance(asVector(a), asVector(b)) < 1e-3);
  });

  it('come from PNG, JPEG, WebP and GIF alike', async () => {
    assert.equal((await decodeImage(WEBP)).format, 'webp');
    const gif = await decodeImage(GIF);
    assert.deepEqual([gif.format, gif.width, ...gif.data.slice(0, 3)], ['gif', 1, 255, 0, 0]);
  });
});

describe('the vector index', () => {
  it('finds the same as sorting all distances', () => {
    const vectors = fc.array(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 6, maxLength: 6 }), {
      minLength: 1,
      maxLength: 150,
    });
    fc.assert(
      fc.property(vectors, fc.integer({ min: 1, max: 20 }), (rows, topK) => {
        const index = new VectorIndex(6);
        for (const [i, row] of rows.entries()) index.set(i, Float32Array.from(row));
        const query = Float32Array.from(rows[0]!);
        const expected = rows
          .map((row, i) => ({ row: i, distance: distance(Float32Array.from(row), query) }))
          .sort((a, b) => a.distance - b.distance || a.row - b.row)
          .slice(0, topK);
        assert.deepEqual(index.nearest(query, topK), expected);
      }),
    );
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

describe('similar emoji of another vendor', () => {
  it('rank first for 4 of 10, and among the first ten for 7 of 10', async function () {
    const folders = emojiFolders();
    if (folders === undefined) this.skip(); // the packages are fetched only where the long suites run
    const names = [
      '1f600',
      '1f34e',
      '1f68c',
      '2764-fe0f',
      '1f436',
      '1f3e0',
      '1f319',
      '1f4d7',
      '26bd',
      '1f334',
    ]
      .concat(['1f41f', '1f511', '1f382', '2b50', '1f980', '1f6b2', '1f525', '1f338', '1f697', '1f43b'])
      .concat(['1f4a7', '1f354', '1f3b8', '1f98b', '23f0', '1f4f7', '1f33b', '1f353', '1f680', '1f9e2'])
      .map((name) => `${name}.png`)
      .filter((name) => folders.every((folder) => existsSync(join(folder, name))));
    assert.ok(names.length >= 24);
    const [theirs, ours] = await Promise.all(
      folders.map((folder) =>
        Promise.all(
          names.map(async (name) =>
            asVector(describeImage(await decodeImage(await readFile(join(folder, name))))),
          ),
        ),
      ),
    );
    const index = new VectorIndex(theirs![0]!.length);
    for (const [i, vector] of theirs!.entries()) index.set(i, vector);
    const places = ours!.map((vector, i) => index.nearest(vector, 10).findIndex(({ row }) => row === i));
    const share = (most: number) =>
      places.filter((place) => place >= 0 && place < most).length / names.length;
    assert.ok(share(1) >= 0.4, `first: ${share(1)}`);
    assert.ok(share(10) >= 0.7, `among ten: ${share(10)}`);
  });
});

/** Where the demo and the long suites keep the two vendors' pictures once they have fetched them. */
function emojiFolders(): string[] | undefined {
  const fetched = existsSync(cacheFolder)
    ? readdirSync(cacheFolder).find((name) => name.startsWith('emoji-'))
    : undefined;
  if (fetched === undefined) return undefined;
  const folders = ['google', 'twitter'].map((vendor) =>
    join(cacheFolder, fetched, `node_modules/emoji-datasource-${vendor}/img/${vendor}/64`),
  );
  return folders.every((folder) => existsSync(folder)) ? folders : undefined;
}
