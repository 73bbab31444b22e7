import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RunResponse } from '../../../src/domain/response';
import { type IndexHost, indexPorts } from '../../../src/indexing/indexPorts';
import { type IndexPorts, indexWork } from '../../../src/indexing/indexWork';
import type { PayloadShape } from '../../../src/indexing/payload';
import { ServiceError } from '../../../src/service/errors';
import { JOB as HEAD, fileOfJob as itemOf } from '../../support/folderInMemory';
import { rawOf } from '../../support/rawOf';
import { sourceOf } from '../../support/uploadSource';

const SHAPE: PayloadShape = {
  ...{ property: 'images', list: true, carries: 'media', ids: 'image_ids', maxItems: 8, accept: [] },
};
const going = new AbortController().signal;
const may = () => true;
const responseOf = (body: object, more: Partial<RunResponse> = {}): RunResponse => ({
  ...{ state: 'finished', output: body, recognised: true, raw: rawOf(body) },
  ...more,
});

describe('The work of an indexing job', () => {
  const portsOf = (more: Partial<IndexPorts> = {}): IndexPorts => ({
    take: async () => ({ sha256: 'h', sizeBytes: 1, modifiedMs: 2, mediaRef: 'r' }),
    forget: async () => undefined,
    run: async () => responseOf({}),
    concurrency: () => 3,
    batchSize: () => 16,
    ...more,
  });

  it('takes a file in its present state, and reports whether its upload was reused', async () => {
    const plain = indexWork(HEAD, SHAPE, portsOf());
    const fields = { sha256: 'h', sizeBytes: 1, modifiedMs: 2, mediaRef: 'r' };
    assert.deepEqual(await plain.prepare?.(itemOf(1), going), { fields });
    const take = async () => ({ ...fields, reused: true });
    assert.deepEqual(await indexWork(HEAD, SHAPE, portsOf({ take })).prepare?.(itemOf(1), going), {
      fields,
      reused: true,
    });
    assert.equal(plain.isReady?.(itemOf(1)), false, 'the file may have changed since');
  });

  it('names the reason for an unreadable file, and passes on errors of the service or the user', async () => {
    const error = (what: unknown) =>
      indexWork(HEAD, SHAPE, portsOf({ take: () => Promise.reject(what) }))
        .prepare?.(itemOf(1), going)
        .catch((one: unknown) => one);
    const own = new ServiceError('badKey');
    assert.equal(await error(own), own);
    const abort = new DOMException('stopped', 'AbortError');
    assert.equal(await error(abort), abort);
    const gone = (await error(new Error('ENOENT'))) as Error;
    assert.deepEqual(
      [gone.message, (gone.cause as Error).message],
      ['The file cannot be read: ENOENT', 'ENOENT'],
    );
  });

  it('sends a batch in the model’s form, with the wanted parameters and abort signals', async () => {
    const seen: unknown[] = [];
    const [turn, abandon] = [new AbortController().signal, new AbortController().signal];
    const run: IndexPorts['run'] = async (...of) => {
      seen.push(...of);
      return responseOf({}, { runId: 'r', cost: { amount: '1', currency: 'USD' } });
    };
    const work = indexWork(HEAD, SHAPE, portsOf({ run }));
    const outcome = await work.run([itemOf(1), itemOf(2)], turn, abandon, 1, may);
    const input = {
      images: [
        { media_ref: 'ref-1', filename: '1.png' },
        { media_ref: 'ref-2', filename: '2.png' },
      ],
      image_ids: ['1.png', '2.png'],
    };
    const { model, mode, scope, params } = HEAD;
    assert.deepEqual(seen.slice(0, 2), [{ model, mode, scope, input, params }, 2]);
    assert.ok(seen[2] === turn && seen[3] === abandon);
    assert.deepEqual(
      [outcome.outcome, outcome.runId, outcome.cost],
      ['done', 'r', { amount: '1', currency: 'USD' }],
    );
    assert.deepEqual(Object.keys(await work.run([], turn, abandon, 1, may)).includes('cost'), true);
  });

  it('counts a file as indexed only after a positive sign, or when a finished run has no other content', async () => {
    const batch = [itemOf(1), itemOf(2)];
    const outcome = async (body: object, more: Partial<RunResponse> = {}) => {
      const run = async () => responseOf(body, more);
      const result = await indexWork(HEAD, SHAPE, portsOf({ run })).run(batch, going, going, 1, may);
      const { outcome: all, failed = new Map(), unconfirmed = new Map() } = result;
      return [
        all,
        [...failed].map(([{ index }, reason]) => [index, reason]),
        [...unconfirmed].map(([{ index }]) => index),
      ];
    };
    assert.deepEqual(await outcome({ status: 'succeeded' }), ['done', [], []]);
    const rows = (...states: string[]) => ({
      items: states.map((status, n) => ({
        image_id: `${n + 1}.png`,
        status,
        ...(status === 'failed' && { error: 'dark' }),
      })),
    });
    assert.deepEqual(await outcome(rows('indexed', 'failed')), ['done', [[2, 'dark']], []]);
    assert.deepEqual(await outcome(rows('failed', 'failed')), [
      'failed',
      [
        [1, 'dark'],
        [2, 'dark'],
      ],
      [],
    ]);
    assert.deepEqual(await outcome({ status: 'queued' }, { state: 'accepted' }), ['unknown', [], [1, 2]]);
    assert.deepEqual(await outcome({ status: 'failed' }, { state: 'failed' }), [
      'failed',
      [1, 2].map((n) => [n, 'The run failed; the service gave no reason.']),
      [],
    ]);
  });

  it('says why a file is unconfirmed', async () => {
    const reason = async (more: Partial<RunResponse>, body: object = { status: 'partial' }) => {
      const work = indexWork(HEAD, SHAPE, portsOf({ run: async () => responseOf(body, more) }));
      const { unconfirmed } = await work.run([itemOf(1)], going, going, 1, may);
      return [...(unconfirmed ?? new Map()).values()].join();
    };
    assert.match(
      await reason({ state: 'accepted' }),
      /accepted the run but has not reported that it finished/,
    );
    assert.match(await reason({}), /does not say for certain whether this file was indexed/);
  });

  it('limits a batch by the user’s and the model’s limit, and to one file where the model takes one', () => {
    const size = (shape: Partial<PayloadShape>, wanted: number) =>
      indexWork(HEAD, { ...SHAPE, ...shape }, portsOf({ batchSize: () => wanted })).batchSize();
    assert.deepEqual([size({}, 16), size({}, 5), size({ list: false }, 16)], [8, 5, 1]);
    const work = indexWork(HEAD, SHAPE, portsOf());
    assert.deepEqual([work.concurrency(), work.throttle?.()], [3, undefined]);
  });

  it('forgets a rejected upload; a text has none', async () => {
    const forgotten: string[] = [];
    const forget = async ({ uri }: { uri: string }) => void forgotten.push(uri);
    await indexWork(HEAD, SHAPE, portsOf({ forget })).renew?.(itemOf(1));
    assert.deepEqual(forgotten, ['file:///1.png']);
    assert.equal(indexWork(HEAD, { ...SHAPE, carries: 'text' }, portsOf()).renew, undefined);
  });

  it('drops settled texts, and compares rejections without the parts that differ from file to file', () => {
    const work = indexWork(HEAD, SHAPE, portsOf());
    const item = itemOf(1, { text: 'long' });
    work.settled?.([item]);
    assert.equal(item.text, undefined);
    assert.equal(work.commonReason?.('1.png (ref-1) is bad: 1.png', itemOf(1)), ' () is bad: ');
    assert.equal(work.commonReason?.('bad', itemOf(1, { mediaRef: undefined })), 'bad');
    const error = new ServiceError('invalidRequest', { status: 400, serviceMessage: 'ref-2 is broken' });
    const parts = work.splitRejected?.([itemOf(1), itemOf(2), itemOf(3)], error) ?? [];
    assert.deepEqual(
      parts.map((part) => part.map(({ index }) => index)),
      [[1, 3], [2]],
    );
  });
});

describe('The ports of an indexing job', () => {
  const BYTES = Buffer.from('héllo');
  function hostOf(more: Partial<IndexHost> = {}) {
    const seen: unknown[] = [];
    const bulk = { limit: () => 1, pause: undefined, onDidChange: () => () => undefined };
    const host: IndexHost = {
      environment: { name: 'Test', baseUrl: 'https://a.test' },
      carries: 'media',
      price: { amount: '1', unit: 'image' } as never,
      files: {
        facts: async () => ({ sizeBytes: BYTES.length, modifiedMs: 9 }),
        open: () => sourceOf('a', 'text/plain', BYTES, 2).open(),
        uploadSource: async () => sourceOf('a.png', 'image/png', BYTES),
      },
      runs: {
        upload: async (environment, file, options) => {
          seen.push(['upload', environment.baseUrl, file.uri, options]);
          const key = { baseUrl: environment.baseUrl, sha256: 'h', mediaType: 'image' };
          return { mediaRef: 'ref', key, reused: true };
        },
        forgetUpload: async (key) => void seen.push(['forget', key]),
        performForJob: async (order) => {
          seen.push(['run', order]);
          return responseOf({});
        },
      },
      client: async () => {
        seen.push(['client']);
        return { bulk } as never;
      },
      concurrency: () => 4,
      batchSize: () => 5,
      timeoutMs: () => 6,
      ...more,
    };
    return { ports: indexPorts(host), seen, bulk };
  }
  const file = itemOf(1);

  it('upload the file in its present state, through a client that has a key', async () => {
    const { ports, seen, bulk } = hostOf();
    assert.equal(ports.throttle?.(), undefined, 'there is no client yet');
    const taken = await ports.take(file, going);
    assert.deepEqual(taken, {
      mediaRef: 'ref',
      sha256: 'h',
      reused: true,
      sizeBytes: BYTES.length,
      modifiedMs: 9,
    });
    assert.deepEqual(seen, [
      ['client'],
      ['upload', 'https://a.test', file.uri, { signal: going, bulk: true }],
    ]);
    assert.equal(ports.throttle?.(), bulk);
    assert.deepEqual([ports.concurrency(), ports.batchSize()], [4, 5]);
  });

  it('reject a file that is gone, and a missing client', async () => {
    const facts = async () => undefined;
    const { ports, seen } = hostOf();
    const gone = hostOf({ files: { facts } as never });
    await assert.rejects(gone.ports.take(file, going), /The file no longer exists\./);
    const error = new ServiceError('notConnected');
    const closed = hostOf({ client: () => Promise.reject(error) });
    await assert.rejects(closed.ports.take(file, going), error);
    await assert.rejects(
      closed.ports.run({ model: 'm', input: {}, params: {} } as never, 1, going, going, 'id', may),
      error,
    );
    assert.deepEqual(closed.seen, []);
    await ports.forget({ ...file, sha256: undefined });
    assert.deepEqual(seen, []);
  });

  it('read the text itself where the request carries it, without an upload', async () => {
    const { ports, seen } = hostOf({ carries: 'text' });
    const taken = await ports.take(file, going);
    const sha256 = createHash('sha256').update(BYTES).digest('hex');
    assert.deepEqual(taken, { sha256, sizeBytes: BYTES.length, modifiedMs: 9, text: 'héllo' });
    assert.deepEqual(seen, []);
    await assert.rejects(ports.take(file, AbortSignal.abort(new Error('stopped'))), /stopped/);
    const large = async (sizeBytes: number) => {
      const open = () => sourceOf('a', 'text/plain', Buffer.from('x')).open();
      const files = { facts: async () => ({ sizeBytes, modifiedMs: 1 }), open };
      return hostOf({ carries: 'text', files: files as never }).ports.take(file, going);
    };
    await large(4 * 2 ** 20);
    await assert.rejects(large(4 * 2 ** 20 + 1), /larger than 4 MB, the limit for text/);
  });

  it('send a paid run with the job’s environment, price and time limit, and forget a reference', async () => {
    const { ports, seen } = hostOf();
    const request = { model: 'm', mode: 'index', input: {}, params: {} };
    const [turn, abandon] = [new AbortController().signal, new AbortController().signal];
    await ports.run(request, 3, turn, abandon, 'id', may);
    const [, [, order]] = seen as [unknown, [string, Record<string, unknown>]];
    assert.ok(order.turn === turn && order.abandon === abandon && order.mayLeave === may);
    assert.deepEqual(
      [
        order.request,
        order.items,
        order.timeoutMs,
        (order.environment as { baseUrl: string }).baseUrl,
        order.price,
      ],
      [request, 3, 6, 'https://a.test', { amount: '1', unit: 'image' }],
    );
    await ports.forget({ ...file, sha256: 'h' });
    assert.deepEqual(seen.at(-1), ['forget', { baseUrl: 'https://a.test', sha256: 'h', mediaType: 'image' }]);
  });
});
