import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreProblem } from '../../../src/store/storeProblem';
import {
  answered,
  contract,
  failing,
  fileOf,
  order,
  picture,
  runsInMemory,
} from '../../support/runsInMemory';

const mediaField = {
  type: 'object',
  properties: { media_ref: { type: 'string' }, filename: { type: 'string' } },
  required: ['media_ref'],
};

describe('A run', () => {
  it('goes on record as running before it leaves, and again with its outcome', async () => {
    const { runs, events, requests } = runsInMemory();
    const { record } = await runs.perform(order());
    assert.equal(events.join(), 'admit,upload,put running,confirm,run,settle 0.01,put finished');
    assert.deepEqual(requests[0]?.input, { image: { media_ref: 'ref-2' } });
    assert.deepEqual(record.request, requests[0]);
    assert.equal(record.attachments[0]?.mediaRef, 'ref-2');
    assert.equal(record.draft.input.image !== undefined, true);
  });

  it('uploads the same content once and uses its reference again', async () => {
    const { runs, events } = runsInMemory();
    await runs.perform(order());
    await runs.perform(order({ files: [fileOf(picture, 'meow')] }));
    assert.equal(events.filter((event) => event === 'upload').length, 1);
    await runs.perform(order({ files: [fileOf(picture, 'purr')] }));
    assert.equal(events.filter((event) => event === 'upload').length, 2);
  });

  it('uploads a container as the type that its field takes', async () => {
    for (const [accept, type] of [
      ['audio/*', 'audio/webm'],
      ['video/webm', 'video/webm'],
    ] as const) {
      const { runs, uploads } = runsInMemory();
      const [mode] = contract.modes;
      const schema = { properties: { image: { title: 'File', ...mediaField, accept: [accept] } } };
      const ofField = { ...contract, modes: [{ ...mode!, input: { schema, origin: 'declared' as const } }] };
      const { source } = fileOf(picture, 'voice');
      const file = {
        uri: picture,
        source: { ...source, contentType: 'video/webm', mediaType: 'video' as const },
      };
      const { record } = await runs.perform(order({ contract: ofField, files: [file] }));
      assert.equal(record.state, 'finished', record.message);
      assert.deepEqual(
        uploads.map(({ contentType, mediaType }) => [contentType, mediaType]),
        [[type, type.slice(0, 5)]],
      );
    }
  });

  it('uploads again after a reused reference was rejected, and does not repeat by itself', async () => {
    let refuse = false;
    const { runs, events } = runsInMemory(async () => {
      if (refuse) return failing('invalidRequest', 400)();
      return answered;
    });
    await runs.perform(order());
    refuse = true;
    const { record } = await runs.perform(order());
    assert.equal(record.state, 'failed');
    assert.equal(events.filter((event) => event === 'run').length, 2);
    refuse = false;
    await runs.perform(order());
    assert.equal(events.filter((event) => event === 'upload').length, 2);
  });

  it('never reads a file that the user did not attach', async () => {
    const { runs, events } = runsInMemory();
    const { record } = await runs.perform(order({ files: [] }));
    assert.equal(record.state, 'notSent');
    assert.match(record.message ?? '', /cat\.png/);
    assert.deepEqual(events, ['put notSent']);
  });

  it('stays unsent with a problem, unless the user leaves the decision to the service', async () => {
    const { runs, events } = runsInMemory();
    const draft = { model: 'cats', mode: 'execute', input: {}, params: {} };
    assert.equal((await runs.perform(order({ draft }))).record.state, 'notSent');
    assert.ok(!events.includes('run'));
    await runs.perform(order({ draft, check: { schema: 'skip' } }));
    assert.ok(events.includes('run'));
  });

  it('ends as unknown when its response was lost, and counts as maybe billed', async () => {
    for (const kind of ['outcomeUnknown', 'timedOut', 'unreadableResponse'] as const) {
      const { runs, events } = runsInMemory(failing(kind));
      const { record } = await runs.perform(order());
      assert.equal(record.state, 'unknown');
      assert.equal(events.filter((event) => event === 'run').length, 1);
      assert.ok(events.includes('settle undefined'));
    }
  });

  it('costs nothing when it was refused or never left', async () => {
    for (const [kind, state] of [
      ['unreachable', 'notSent'],
      ['cancelled', 'notSent'],
      ['badKey', 'failed'],
      ['rateLimited', 'failed'],
    ] as const) {
      const { runs, events } = runsInMemory(failing(kind));
      assert.equal((await runs.perform(order())).record.state, state);
      assert.ok(events.includes('release'), kind);
    }
    const { runs, events } = runsInMemory(failing('cannotPay', 402));
    await runs.perform(order());
    assert.ok(events.includes('cannotPay'));
  });

  for (const [title, kind] of [
    ['was rejected and its upload cannot be forgotten', 'notFound'],
    ['was not executed', 'unreachable'],
  ] as const)
    it(`keeps an outcome that cannot be saved until it can: it ${title}`, async () => {
      let refuse = false;
      const { runs, history, cache } = runsInMemory(async () => (refuse ? failing(kind, 404)() : answered));
      await runs.perform(order());
      refuse = true;
      const put = history.put.bind(history);
      let isFull = true;
      const full = new StoreProblem('diskFull', 'The disk is full.');
      history.put = async (record) => {
        if (isFull && record.state !== 'running') throw full;
        return put(record);
      };
      cache.forget = () => Promise.reject(full);
      const { record } = await runs.perform(order());
      assert.deepEqual([record.state === 'running', history.get(record.id)?.state], [false, 'running']);
      isFull = false;
      while (history.get(record.id)?.state === 'running') await delay(10);
      assert.equal(history.get(record.id)?.state, record.state);
    });

  it('stays unsent when it is stopped before it leaves', async () => {
    const { runs, events } = runsInMemory();
    const { record } = await runs.perform(order(), { signal: AbortSignal.abort() });
    assert.equal(record.state, 'notSent');
    assert.ok(!events.includes('run'));
    assert.ok(events.includes('release'));
  });
});
