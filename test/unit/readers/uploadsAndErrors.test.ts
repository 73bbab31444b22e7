import assert from 'node:assert/strict';
import { readError } from '../../../src/readers/error';
import { readMediaRef, readUploadTicket } from '../../../src/readers/upload';
import { rawOf } from '../../support/rawOf';

describe('reading uploads and errors', () => {
  it('takes identifiers and references in the usual spellings', () => {
    for (const body of [
      { upload_url: 'u', upload_id: 'i' },
      { uploadUrl: 'u', uploadId: 'i' },
      { data: { upload_url: 'u', id: 'i' } },
      { upload: { url: 'u' }, id: 'i' },
    ]) {
      const ticket = readUploadTicket(body);
      assert.deepEqual(
        [ticket?.uploadUrl, ticket?.uploadId, ticket?.method],
        ['u', 'i', 'PUT'],
        JSON.stringify(body),
      );
    }
    assert.equal(readUploadTicket({ upload_url: 'u' }), undefined);
    for (const body of [
      { media_ref: 'r' },
      { mediaRef: 'r' },
      { data: { media_ref: 'r' } },
      { media: { ref: 'r' } },
    ])
      assert.equal(readMediaRef(body), 'r');
  });

  it('finds the sentence in JSON of the common shapes, text and HTML', () => {
    const said = (body: unknown, type = 'application/json') =>
      readError(rawOf(body, 400, { 'content-type': type })).serviceMessage;
    assert.equal(said({ error: 'a' }), 'a');
    assert.equal(said({ error: { message: 'a', code: 'b' } }), 'a');
    assert.equal(
      said({ detail: [{ loc: ['body', 'scope'], msg: 'is too long' }] }),
      'body.scope: is too long',
    );
    assert.equal(said({ errors: { scope: ['is bad'] } }), 'scope: is bad');
    assert.equal(said({ title: 'Bad', detail: 'very bad' }), 'very bad');
    assert.equal(said('just\ntext', 'text/plain'), 'just text');
    assert.equal(
      said(
        '<html><head><title>502 Bad Gateway</title><style>x{}</style></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>',
        'text/html',
      ),
      '502 Bad Gateway nginx',
    );
    assert.equal(said('', 'text/plain'), undefined);
  });
});
