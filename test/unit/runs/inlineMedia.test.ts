import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/domain/runRecord';
import { contentTypeOf } from '../../../src/intake/contentType';
import { keptResponse } from '../../../src/runs/history/keptResponse';
import { inlineMedia } from '../../../src/runs/inlineMedia';

describe('Media in a value', () => {
  const read = (text: string) => {
    const { bytes, contentType: told } = inlineMedia(text);
    return [Buffer.from(bytes).toString(), told];
  };

  it('comes from a data URI, in base64 or percent-encoded, or from base64 alone', () => {
    assert.deepEqual(read('data:image/png;base64,aGFsbG8='), ['hallo', 'image/png']);
    assert.deepEqual(read('data:image/svg+xml;charset=utf-8;base64,aGFsbG8='), ['hallo', 'image/svg+xml']);
    assert.deepEqual(read('data:text/html,a%20b,c'), ['a b,c', 'text/html']);
    assert.deepEqual(read('data:,aGFsbG8='), ['aGFsbG8=', 'text/plain']);
    assert.deepEqual(read('data:;base64,aGFsbG8='), ['hallo', 'text/plain']);
    assert.deepEqual(read('aGFsbG8='), ['hallo', undefined]);
    assert.equal(read('xdata:text/html,a')[1], undefined);
  });
});

describe('The type of a file', () => {
  it('follows from its name, and TypeScript is no video', () => {
    assert.equal(contentTypeOf('a/b.PNG'), 'image/png');
    assert.equal(contentTypeOf('clip.mp4'), 'video/mp4');
    for (const name of ['a.ts', 'a.MTS', 'a.unheard-of', 'README', ''])
      assert.equal(contentTypeOf(name), 'application/octet-stream', name);
    assert.notEqual(contentTypeOf('a.ts.png'), 'application/octet-stream');
  });
});

describe('A response that was kept', () => {
  const record = (more: object): RunRecord => ({
    ...{ id: 'a', environment: 'e', baseUrl: 'https://models.test', modelName: 'M' },
    ...{
      draft: { model: 'm', mode: 'execute', input: {}, params: {} },
      attachments: [],
      startedAt: 1,
      state: 'finished',
    },
    ...more,
  });
  const json = { contentType: 'application/json', sizeBytes: 1, truncated: false };

  it('reads like on arrival', async () => {
    const bytes = Buffer.from('{"status":"queued","status_url":"/r/1"}');
    const read = await keptResponse(record({ result: json, status: 202 }), bytes);
    assert.deepEqual(
      [read.state, read.followUrl, read.raw.status, read.raw.contentType],
      ['accepted', 'https://models.test/r/1', 202, 'application/json'],
    );
    const plain = await keptResponse(record({ baseUrl: 'gone' }), Buffer.from('words'));
    assert.deepEqual([plain.raw.status, plain.raw.contentType, plain.output], [200, '', 'words']);
    assert.deepEqual(plain.raw.headers, {});
    const nowhere = await keptResponse(record({ baseUrl: 'gone', result: json }), bytes);
    assert.equal(nowhere.followUrl, 'http://localhost/r/1');
  });
});
