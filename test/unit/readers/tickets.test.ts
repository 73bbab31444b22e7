import assert from 'node:assert/strict';
import { readMediaRef, readUploadTicket } from '../../../src/readers/upload';

const ticket = (more: object) => readUploadTicket({ upload_url: 'u', upload_id: 'i', ...more });
const headers = (value: unknown) => ticket({ headers: value })?.headers;

describe('The target of an upload’s bytes', () => {
  it('comes from the names that services use, at the top or in a wrapper', () => {
    for (const name of ['upload_url', 'presignedUrl', 'signed_url', 'putUrl', 'url', 'href'])
      assert.equal(readUploadTicket({ [name]: 'u', upload_id: 'i' })?.uploadUrl, 'u', name);
    for (const name of ['uploadId', 'id', 'media_upload_id', 'mediaId'])
      assert.equal(readUploadTicket({ upload_url: 'u', [name]: 'i' })?.uploadId, 'i', name);
    for (const wrapper of ['data', 'upload', 'result', 'media']) {
      assert.equal(readUploadTicket({ [wrapper]: { upload_url: 'u', id: 'i' } })?.uploadId, 'i', wrapper);
      assert.equal(readUploadTicket({ upload_id: 'i', [wrapper]: { url: 'u' } })?.uploadId, 'i', wrapper);
      assert.equal(readMediaRef({ [wrapper]: { media_ref: 'r' } }), 'r', wrapper);
    }
    for (const name of ['media_ref', 'mediaReference', 'ref', 'reference'])
      assert.equal(readMediaRef({ [name]: 'r' }), 'r', name);
  });

  it('comes from the layers of JSON:API, of a form and of a single part', () => {
    for (const body of [
      { data: { id: 'i', attributes: { upload_url: 'u' } } },
      { upload_id: 'i', presigned_post: { url: 'u', fields: { key: 'k' } } },
      { data: { id: 'i', upload_url: { url: 'u', fields: { key: 'k' } } } },
      { upload_id: 'i', parts: [{ part_number: 1, upload_url: 'u' }] },
    ]) {
      const { uploadUrl, uploadId, form } = readUploadTicket(body) ?? {};
      assert.deepEqual([uploadUrl, uploadId], ['u', 'i'], JSON.stringify(body));
      const hasForm = JSON.stringify(body).includes('fields');
      assert.deepEqual(form, hasForm ? { fields: [['key', 'k']], fileField: 'file' } : undefined);
    }
    const parts = [{ upload_url: 'u' }, { upload_url: 'v' }];
    assert.equal(readUploadTicket({ upload_id: 'i', parts }), undefined);
    assert.equal(ticket({ fields: {} })?.form, undefined);
    assert.equal(ticket({ fields: { key: [] } })?.form, 'unread');
    assert.deepEqual(ticket({ fields: [{ name: 'Key', value: 5 }], file_field: 'blob' })?.form, {
      fields: [['Key', '5']],
      fileField: 'blob',
    });
    assert.equal(ticket({ fields: { key: 'k' } })?.method, 'POST');
  });

  it('stays undefined when a part is missing', () => {
    for (const body of [undefined, null, 'u', [], {}, { upload_url: 'u' }, { upload_id: 'i' }]) {
      assert.equal(readUploadTicket(body), undefined);
      assert.equal(readMediaRef(body), undefined);
    }
  });

  it('uses PUT, or the method that the response names', () => {
    for (const [named, method] of [
      [undefined, 'PUT'],
      ['put', 'PUT'],
      ['post', 'POST'],
      ['PATCH', 'PATCH'],
      ['DELETE', 'PUT'],
      ['GET', 'PUT'],
    ] as const) {
      for (const name of ['method', 'httpMethod', 'upload_method'])
        assert.equal(ticket(named ? { [name]: named } : {})?.method, method, `${name} ${named}`);
    }
  });
});

describe('The headers of an upload', () => {
  it('come from the response, as an object or as a list', () => {
    for (const name of ['headers', 'uploadHeaders', 'required_headers', 'httpHeaders'])
      assert.deepEqual(ticket({ [name]: { 'X-Store': 't' } })?.headers, { 'x-store': 't' }, name);
    assert.deepEqual(headers({ 'X-Size': 5, 'X-Many': ['a', 'b'], 'X-No': null, 'X-Flag': true }), {
      'x-size': '5',
      'x-many': 'a, b',
    });
    const list = [
      { name: 'A', value: '1' },
      { key: 'B', value: '2' },
      { header: 'C', value: '3' },
      'D: 4',
      { value: '5' },
    ];
    assert.deepEqual(headers(list), { a: '1', b: '2', c: '3' });
    for (const none of [undefined, null, 'x: y', 5]) assert.deepEqual(headers(none), {});
  });

  it('exclude those that contain our key or a session, lead elsewhere or frame the bytes', () => {
    const forbidden = [
      ...[
        'Host',
        'Content-Length',
        'Transfer-Encoding',
        'Connection',
        'Keep-Alive',
        'TE',
        'Trailer',
        'Upgrade',
      ],
      ...[
        'Expect',
        'X-API-Key',
        'Cookie',
        'Cookie2',
        'Proxy-Authorization',
        'Proxy-Connection',
        'Sec-Fetch-Mode',
      ],
      ':authority',
    ];
    for (const name of forbidden) {
      assert.deepEqual(headers({ [name]: 'x' }), {}, name);
      assert.deepEqual(headers([{ name, value: 'x' }]), {}, name);
    }
    const allowed = [
      'authorization',
      'x-host',
      'host-id',
      'x-cookie',
      'x-api-key-id',
      'content-type',
      'te-x',
      'x-proxy-a',
    ];
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
