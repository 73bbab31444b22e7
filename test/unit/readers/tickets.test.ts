import assert from 'node:assert/strict';
import { readMediaRef, readUploadTicket } from '../../../src/readers/upload';

const ticket = (more: object) => readUploadTicket({ upload_url: 'u', upload_id: 'i', ...more });
const headers = (value: unknown) => ticket({ headers: value })?.headers;

describe('The address and the reference of an upload', () => {
  const upload = { upload_id: 'i', upload_url: 'u' };

  it('come from the body, or one envelope', () => {
    for (const body of [{ data: upload }, { payload: upload }, { response: { id: 'row', ...upload } }])
      assert.deepEqual(
        [readUploadTicket(body)?.uploadUrl, readUploadTicket(body)?.uploadId],
        ['u', 'i'],
        JSON.stringify(body),
      );
    for (const name of ['file_id', 'mediaId'])
      assert.equal(readUploadTicket({ [name]: 'i', upload_url: 'u' })?.uploadId, 'i', name);
    assert.equal(readUploadTicket({ ...upload, method: 'post' })?.method, 'POST');
    assert.equal(readUploadTicket({ id: 'i', links: { self: { url: 'u' } } }), undefined);
    for (const body of [{ payload: { media_ref: 'm' } }, { data: { mediaRef: 'm' } }])
      assert.equal(readMediaRef(body), 'm', JSON.stringify(body));
    assert.equal(readMediaRef({ issue: { ref: 'm' } }), undefined);
  });

  it('do not count beside an error', () => {
    assert.equal(readUploadTicket({ ...upload, success: false }), undefined);
    assert.equal(readUploadTicket({ data: { ...upload, error: 'Type not allowed' } }), undefined);
    assert.equal(readMediaRef({ data: { media_ref: 'm', status: 'failed' } }), undefined);
    assert.equal(readMediaRef({ media_ref: 'm', error: 'virus' }), undefined);
  });
});

describe('The headers of an upload', () => {
  it('come from the response, as names with values', () => {
    assert.deepEqual(headers({ 'X-Size': 5, 'X-Many': ['a', 'b'], 'X-No': null, 'X-Flag': true }), {
      'x-size': '5',
      'x-many': 'a, b',
    });
    for (const none of [undefined, null, 'x: y', 5, [{ name: 'A', value: '1' }]])
      assert.deepEqual(headers(none), {});
  });

  it('exclude those that contain our key or a session, lead elsewhere or frame the bytes', () => {
    const forbidden = [
      ...'Host Content-Length Transfer-Encoding Connection Keep-Alive TE Trailer Upgrade'.split(' '),
      ...'Expect X-API-Key Cookie Cookie2 Proxy-Authorization Proxy-Connection Sec-Fetch-Mode'.split(' '),
      ':authority',
    ];
    for (const name of forbidden) {
      assert.deepEqual(headers({ [name]: 'x' }), {}, name);
    }
    const allowed = 'authorization x-host host-id x-cookie x-api-key-id content-type te-x x-proxy-a'.split(
      ' ',
    );
    for (const name of allowed) assert.deepEqual(headers({ [name]: 'x' }), { [name]: 'x' });
  });

  it('include only names and values that a request can carry', () => {
    for (const name of ['', 'two words', 'a:b', 'a\r\nb', 'ä', 'a/b'])
      assert.deepEqual(headers({ [name]: 'x' }), {}, name);
    for (const name of ["!#$%&'*+.^_`|~-", 'x-1'])
      assert.deepEqual(headers({ [name]: 'x' }), { [name]: 'x' });
    for (const value of ['a\r\nX-API-Key: k', 'a\nb', 'a\u0000', 'a\u007f', '€'])
      assert.deepEqual(headers({ a: value }), {});
    for (const value of ['', 'a\tb ~', 'caf\u00e9']) assert.deepEqual(headers({ a: value }), { a: value });
  });
});
