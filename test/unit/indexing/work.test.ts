import assert from 'node:assert/strict';
import type { RunResponse } from '../../../src/domain/response';
import { type IndexPorts, indexWork } from '../../../src/indexing/indexWork';
import type { PayloadShape } from '../../../src/indexing/payload';
import { JOB as HEAD, fileOfJob as itemOf } from '../../support/folderInMemory';
import { rawOf } from '../../support/rawOf';

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
      const { outcome: all, failed = new Map(), unconfirmed = new Map(), kept } = result;
      // To be read again by a response mapping.
      assert.equal(kept !== undefined, all === 'unknown' && more.state !== 'accepted');
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
    assert.deepEqual(await outcome({ phase: 'x' }, { state: 'unclear' }), ['unknown', [], [1, 2]]);
    assert.deepEqual(await outcome({ status: 'failed' }, { state: 'failed' }), [
      'failed',
      [1, 2].map((n) => [n, 'The run failed; the service gave no reason.']),
      [],
    ]);
  });
});
