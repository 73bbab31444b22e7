import assert from 'node:assert/strict';
import { readError } from '../../../src/readers/error';
import { rawOf } from '../../support/rawOf';

const said = (body: unknown, contentType = 'application/json') =>
  readError({ ...rawOf(body, 400), contentType }).serviceMessage;

describe('The error message of a service', () => {
  it('comes from every usual name, the sentence before the code', () => {
    for (const name of ['message', 'error_message', 'errorDescription', 'msg', 'reason', 'description'])
      assert.equal(said({ code: 'x', [name]: 'The words' }), 'The words', name);
    for (const name of ['error', 'detail', 'details', 'title', 'fault', 'failure', 'data'])
      assert.equal(said({ status: 'x', [name]: { message: 'The words' } }), 'The words', name);
    for (const name of ['code', 'error_code', 'status'])
      assert.equal(said({ [name]: 'QUOTA' }), 'QUOTA', name);
    assert.equal(said({ error: { code: 17 } }), '17');
    assert.equal(said('The words'), 'The words');
    assert.equal(said({ error: '  ', message: 'The words' }), 'The words');
    assert.equal(said({ other: 'The words' }), undefined);
    assert.equal(said({ error: ' ' }), undefined);
    assert.equal(said(null), undefined);
  });

  it('comes from the XML of a store', () => {
    const xml = (body: string) => said(`<?xml version="1.0" encoding="utf-8"?>${body}`, 'application/xml');
    assert.equal(
      xml(
        '<Error><Code>EntityTooLarge</Code><Message>Your upload &gt; limit</Message><Size>5</Size></Error>',
      ),
      'EntityTooLarge: Your upload > limit',
    );
    assert.equal(
      said('<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>', 'text/xml'),
      'AccessDenied: Request has expired',
    );
    assert.equal(
      xml('<Error><Code>MissingRequiredHeader</Code><HeaderName>x-ms-blob-type</HeaderName></Error>'),
      'MissingRequiredHeader: x-ms-blob-type',
    );
    assert.equal(xml('<other>a</other>'), 'a');
    assert.equal(said('<html><p>Gone: <code>7</code></p>', 'text/html'), 'Gone: 7');
  });

  it('names the field that each message is about, once', () => {
    for (const name of ['loc', 'field', 'path', 'pointer', 'param'])
      assert.equal(said({ detail: [{ [name]: 'scope', msg: 'is too long' }] }), 'scope: is too long', name);
    assert.equal(said({ field: 'scope', message: 'The scope is too long' }), 'The scope is too long');
    assert.equal(said({ field: '', message: 'too long' }), 'too long');
    assert.equal(said({ loc: ['body', 0, {}, 'k'], msg: 'bad' }), 'body.0..k: bad');
    assert.equal(said({ errors: { a: ['x', 'y'], b: 'z', c: [] } }), 'a: x; y; b: z');
    assert.equal(said({ errors: [{ message: 'x' }, {}, { message: 'y' }] }), 'x; y');
    assert.equal(said({ errors: { code: 'E1', message: 'x' } }), 'x');
    // A field of that name, as its list or its neighbour shows.
    assert.equal(said({ errors: { message: ['too long'] } }), 'message: too long');
    assert.equal(
      said({ errors: { message: 'too long', subject: 'missing' } }),
      'message: too long; subject: missing',
    );
    assert.equal(said({ errors: ['1', '2', '3', '4', '5', '6'] }), '1; 2; 3; 4; 5');
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 'x']));
    assert.equal(said({ errors: many }), 'a: x; b: x; c: x; d: x; e: x');
  });

  it('comes from a limited depth, and is shortened', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 'words' : { error: deep(levels - 1) });
    assert.deepEqual([said(deep(4)), said(deep(5))], ['words', undefined]);
    assert.equal(said('x'.repeat(300)), 'x'.repeat(300));
    assert.equal(said('x'.repeat(301)), `${'x'.repeat(299)}…`);
  });

  it('contains the visible text of a page only', () => {
    const page = (html: string) => said(html, 'text/html');
    assert.equal(
      page('<title>Bad</title><p>Too &lt;many&gt; &amp; so&nbsp;on &quot;x&quot; &apos;y&apos; &copy;</p>'),
      'Bad Too <many> & so on "x" \'y\' &copy;',
    );
    assert.equal(page('<p>a<script>var x = "<p>";</script>b<!-- no -->c<style>p{}</style>d</p>'), 'a b c d');
    assert.equal(page('<p>a<script>never closed'), 'a');
    assert.equal(page('<p>a<!-- never closed'), 'a');
    assert.equal(page('<p>a<br'), 'a');
    assert.equal(page('<title lang="en"> Bad </title><h1>Bad</h1> request'), 'Bad request');
    assert.equal(said('<!DOCTYPE html><p>words', 'text/plain'), 'words');
    assert.equal(said(' <body>words', 'text/plain'), 'words');
    assert.equal(said('<b>words</b>', 'text/plain'), 'words');
    assert.equal(said('words', ''), 'words');
    assert.equal(said('<a>words</a>', 'application/xml'), 'words');
    assert.equal(said('{"error":"cut', 'application/json'), undefined);
    const store =
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
    assert.equal(said(store, 'application/xml'), 'AccessDenied: Request has expired');
    assert.equal(said('PNG', 'image/png'), undefined);
  });

  it('comes with the identifier for support, from a header or the body', () => {
    const id = (body: unknown, headers = {}) => readError(rawOf(body, 400, headers)).requestId;
    for (const header of [
      ...['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'x-amz-request-id'],
      ...['x-trace-id', 'cf-ray'],
    ])
      assert.equal(id({ request_id: 'b' }, { [header]: 'h' }), 'h', header);
    for (const name of ['request_id', 'correlationId', 'traceid']) {
      assert.equal(id({ [name]: 'b' }, { 'x-request-id': '' }), 'b', name);
      assert.equal(id({ error: { [name]: 'b' } }), 'b', name);
    }
    assert.equal(id({ error: 'x' }), undefined);
    assert.equal(id([1]), undefined);
    assert.equal(id({ request_id: 'x'.repeat(300) })?.length, 200);
  });
});
