import assert from 'node:assert/strict';
import { contentTypeOf } from '../../../src/intake/contentType';
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
