import assert from 'node:assert/strict';
import type { RunResponse } from '../../../src/domain/response';
import { type IndexHost, indexPorts } from '../../../src/indexing/indexPorts';
import { type IndexPorts, indexWork } from '../../../src/indexing/indexWork';
import type { PayloadShape } from '../../../src/indexing/payload';
import { JOB as HEAD, fileOfJob as itemOf } from '../../support/folderInMemory';
import { rawOf } from '../../support/rawOf';
import { sourceOf } from '../../support/uploadSource';

const SHAPE: PayloadShape = {
  ...{ property: 'images', list: true, carries: 'media', ids: 'image_ids', maxItems: 8, accept: [] },
};
const going = new AbortController().signal;
const may = () => true;
const noted = async () => undefined;
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

  it('counts a file as indexed only after a positive sign, or when a finished run has no other content', async () => {
    const batch = [itemOf(1), itemOf(2)];
    const outcome = async (body: object, more: Partial<RunResponse> = {}) => {
      const run = async () => responseOf(body, more);
      const result = await indexWork(HEAD, SHAPE, portsOf({ run })).run(batch, going, going, 1, may, noted);
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

  it('send a paid run with the job’s environment, price and time limit, and forget a reference', async () => {
    const { ports, seen } = hostOf();
    const request = { model: 'm', mode: 'index', input: {}, params: {} };
    const [turn, abandon] = [new AbortController().signal, new AbortController().signal];
    await ports.run(request, 3, turn, abandon, 'id', may, noted);
    const [, [, order]] = seen as [unknown, [string, Record<string, unknown>]];
    assert.ok(
      order.turn === turn &&
        order.abandon === abandon &&
        order.mayLeave === may &&
        order.onAccepted === noted,
    );
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
