import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readModel } from '../../../src/contracts/model';
import { responseMappingsSchema } from '../../../src/domain/responseMapping';
import { readBatchOutcomes } from '../../../src/readers/batch';
import { readSummary } from '../../../src/readers/catalog';
import { readError } from '../../../src/readers/error';
import { readList } from '../../../src/readers/list';
import { readRunResponse } from '../../../src/readers/run';
import { readMediaRef, readUploadTicket } from '../../../src/readers/upload';
import { readWallet } from '../../../src/readers/wallet';
import { hitIdsIn } from '../../../src/results/classify';
import { readActivity, readUsage } from '../../support/atOnce';
import { root } from '../../support/paths';
import { rawOf } from '../../support/rawOf';

const page = readFileSync(path.join(root, 'docs/service.md'), 'utf8');

/** The first example in the page after a text. */
function exampleAfter(text: string, number = 0): unknown {
  const from = page.indexOf(text);
  assert.ok(from >= 0, `the page has “${text}”`);
  const blocks = [...page.slice(from).matchAll(/```json\n([^`]+)```/g)];
  return JSON.parse(blocks[number]![1]!);
}

const asked = new URL('https://models.test/api/runs');
const run = (json: unknown, status = 200) => readRunResponse(rawOf(json, status), asked);
const USD = { amount: '0.0025', currency: 'USD' };

describe('The examples in docs/service.md', () => {
  it('read as the page promises: catalog and model', () => {
    const list = readList(exampleAfter('`GET /api/marketplace/models`'));
    assert.deepEqual([list?.next, list?.total], ['/api/marketplace/models?page=2', 60]);
    const row = readSummary(list?.items[0]);
    assert.deepEqual([row?.slug, row?.modeNames, row?.price?.per], ['tone-reader', ['execute'], 'run']);
    const model = readModel(exampleAfter('`GET /api/marketplace/models/{slug}`'), 'tone-reader');
    assert.equal(model?.modes[0]?.input.origin, 'declared');
  });

  it('read as the page promises: runs', () => {
    const done = run(exampleAfter('`POST /api/runs`'), 201);
    assert.deepEqual(
      [done.state, done.runId, done.output, done.cost],
      ['finished', 'r1', { label: 'pos' }, USD],
    );
    const queued = run(exampleAfter('A long run'), 202);
    assert.deepEqual([queued.state, queued.followUrl], ['accepted', 'https://models.test/api/runs/r1']);
    const batch = ['a.png', 'b.png'].map((imageId) => ({ imageId, mediaRef: '' }));
    assert.deepEqual(readBatchOutcomes(run(exampleAfter('A run of mode `index`')), batch), [
      { outcome: 'done' },
      { outcome: 'failed', reason: 'too dark' },
    ]);
    assert.deepEqual(hitIdsIn(run(exampleAfter('A run of mode `search`')).output as never), ['a.png']);
    assert.equal(readError(rawOf(exampleAfter('Errors:'), 422)).serviceMessage, 'The image is too dark.');
  });

  it('read as the page promises: uploads and billing', () => {
    const init = readUploadTicket(exampleAfter('`POST /api/media/upload/init`'));
    assert.deepEqual([init?.uploadId, init?.method], ['u1', 'PUT']);
    assert.equal(readMediaRef(exampleAfter('`POST /api/media/upload/init`', 1)), 'm1');
    const { wallet } = readWallet(rawOf(exampleAfter('`GET /api/billing/wallet`')));
    assert.deepEqual(wallet, { balance: { amount: '12.50', currency: 'USD' }, status: 'active' });
    const [series] = readUsage(exampleAfter('`GET /api/billing/usage/timeseries`')).series;
    assert.deepEqual(
      series?.measures.map(({ name }) => name),
      ['runs', 'cost'],
    );
    const [entry] = readActivity(exampleAfter('`GET /api/billing/activity`'))?.entries ?? [];
    assert.deepEqual([entry?.ids, entry?.money], [['r1'], USD]);
  });

  it('contain a valid response mapping', () => {
    assert.ok(responseMappingsSchema.safeParse(exampleAfter('## Response mapping')).success);
  });

  it('name every word of a state', () => {
    for (const [from, to, state] of [
      ['**Finished**:', '; `success` or', 'finished'],
      ['**Accepted**:', '; `202`', 'accepted'],
      ['**Failed**:', '; a false flag', 'failed'],
    ] as const) {
      const start = page.indexOf(from);
      const names = [...page.slice(start, page.indexOf(to, start)).matchAll(/`(\w+)`/g)].map(
        ([, name]) => name!,
      );
      assert.ok(names.length > 5);
      for (const status of names) assert.equal(run({ status }).state, state, status);
    }
  });
});
