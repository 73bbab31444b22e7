import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunStep } from '../../../src/domain/run';
import { type UploadCache, uploadAll, uploadOnce } from '../../../src/runs/uploads/uploadFiles';
import type { ServiceClient, UploadOptions, UploadSource } from '../../../src/service/client';
import { ServiceError } from '../../../src/service/errors';
import { FileChangedError } from '../../../src/service/upload';
import type { UploadKey } from '../../../src/store/uploads';
import { sourceOf } from '../../support/uploadSource';

/** A service that accepts uploads, and a cache of them. */
function bench() {
  const cached = new Map<string, string>();
  const keyOf = ({ baseUrl, sha256, mediaType }: UploadKey) => [baseUrl, sha256, mediaType].join(' ');
  const cache: UploadCache = {
    find: (key) => cached.get(keyOf(key)),
    remember: async (key, mediaRef) => void cached.set(keyOf(key), mediaRef),
    forget: async (key) => void cached.delete(keyOf(key)),
  };
  const uploaded: string[] = [];
  const client = (baseUrl = 'https://a.test'): Pick<ServiceClient, 'baseUrl' | 'upload'> => ({
    baseUrl,
    upload: async (source: UploadSource) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of source.open()) pieces.push(piece);
      uploaded.push(Buffer.concat(pieces).toString());
      return { mediaRef: `${baseUrl} ${uploaded.length}`, raw: {} as never };
    },
  });
  return { cache, cached, uploaded, client };
}

const text = (content: string, mediaType = 'text/plain') =>
  sourceOf('a.txt', mediaType, Buffer.from(content), 4);

describe('The content of a file', () => {
  it('goes once to one service, and again to another, or as another kind of media', async () => {
    const { cache, client, uploaded } = bench();
    const first = await uploadOnce(client(), cache, text('0123456789'));
    const again = await uploadOnce(client(), cache, text('0123456789'));
    assert.deepEqual([first.reused, again.reused, again.mediaRef], [false, true, first.mediaRef]);
    assert.equal(uploaded.length, 1);
    const elsewhere = await uploadOnce(client('https://b.test'), cache, text('0123456789'));
    assert.deepEqual([elsewhere.reused, elsewhere.mediaRef], [false, 'https://b.test 2']);
    const asImage = await uploadOnce(client(), cache, text('0123456789', 'image/png'));
    assert.deepEqual([asImage.reused, uploaded.length], [false, 3]);
    assert.equal((await uploadOnce(client(), cache, text('0123456780'))).reused, false);
    await cache.forget(first.key);
    assert.equal((await uploadOnce(client(), cache, text('0123456789'))).reused, false);
  });

  it('fails when it changes between its hash and its upload', async () => {
    const { cache, cached, client, uploaded } = bench();
    const contents = ['0123456789', '9876543210'];
    const changing = { ...text(''), open: () => text(contents.shift()!).open() };
    await assert.rejects(uploadOnce(client(), cache, changing), FileChangedError);
    assert.deepEqual([uploaded, cached.size], [[], 0]);
    const gone: UploadSource = {
      ...text(''),
      open: () => {
        throw new FileChangedError('its time changed');
      },
    };
    await assert.rejects(uploadOnce(client(), cache, gone), FileChangedError);
    const goneLater: UploadSource = {
      ...text(''),
      // biome-ignore lint/correctness/useYield: it fails before its first byte
      async *open(): AsyncGenerator<Uint8Array> {
        throw new FileChangedError('its time changed');
      },
    };
    await assert.rejects(
      uploadOnce(client(), cache, goneLater),
      (error) =>
        error instanceof ServiceError &&
        error.kind === 'invalidRequest' &&
        error.details.why?.reason === 'fileChanged',
    );
  });

  it('reaches the run even if its reference cannot be remembered', async () => {
    const { cache, client } = bench();
    cache.remember = () => Promise.reject(new Error('no room'));
    assert.equal((await uploadOnce(client(), cache, text('x'))).reused, false);
    await nextTurn();
  });
});

describe('The files of a run', () => {
  /** Uploads that wait for the test to end them. */
  function held() {
    const started: { name: string; options: UploadOptions; end(error?: unknown): Promise<void> }[] = [];
    const client: Pick<ServiceClient, 'baseUrl' | 'upload'> = {
      baseUrl: 'https://a.test',
      upload: ({ filename }, options = {}) =>
        new Promise((resolve, reject) => {
          const end = async (error?: unknown) => {
            if (error === undefined) resolve({ mediaRef: `ref ${filename}` });
            else reject(error);
            for (let n = 0; n < 3; n++) await nextTurn();
          };
          started.push({ name: filename, options, end });
        }),
    };
    const files = Array.from({ length: 5 }, (_, n) => ({
      uri: `file:///${n}`,
      source: sourceOf(`${n}`, 'text/plain', Buffer.from(`${n}`.repeat(10))),
    }));
    return { started, client, files };
  }
  const settle = async () => {
    for (let n = 0; n < 20; n++) await nextTurn();
  };

  it('go three at a time, and show how far they are', async () => {
    const { started, client, files } = held();
    const steps: RunStep[] = [];
    const done = uploadAll(client, bench().cache, files, { onStep: (step) => steps.push(step) });
    await settle();
    assert.deepEqual(
      started.map(({ name }) => name),
      ['0', '1', '2'],
    );
    started[1]!.options.onProgress?.(4);
    assert.deepEqual(steps.at(-1), { step: 'uploading', file: 1, files: 5, sentBytes: 4, totalBytes: 50 });
    await started[0]!.end();
    await settle();
    assert.deepEqual(steps.at(-1), { step: 'uploading', file: 2, files: 5, sentBytes: 14, totalBytes: 50 });
    assert.equal(started.length, 4);
    for (let n = 1; n < 5; n++) {
      await started[n]!.end();
      await settle();
    }
    assert.deepEqual(steps.at(-1), { step: 'uploading', file: 5, files: 5, sentBytes: 50, totalBytes: 50 });
    assert.deepEqual(
      [...(await done)].map(([uri, { mediaRef }]) => [uri, mediaRef]),
      files.map(({ uri }, n) => [uri, `ref ${n}`]),
    );
  });

  it('stop with the first that fails, or with their user', async () => {
    for (const ends of ['a failure', 'the user'] as const) {
      const { started, client, files } = held();
      const stop = new AbortController();
      const done = uploadAll(client, bench().cache, files, { signal: stop.signal });
      const rejected = assert.rejects(done, ends === 'a failure' ? /too large/ : /abort/);
      await settle();
      if (ends === 'the user') stop.abort();
      else await started[0]!.end(new Error('too large'));
      await settle();
      assert.ok(started[1]!.options.signal?.aborted, ends);
      for (const one of started) await one.end(new Error('aborted'));
      await rejected;
      await settle();
      assert.equal(started.length, 3, 'nothing more begins');
    }
  });
});
