import assert from 'node:assert/strict';
import { bodyContent } from '../../../src/intake/bodyContent';
import { readError } from '../../../src/readers/error';
import { rawOf } from '../../support/rawOf';

const said = (body: unknown) => readError(rawOf(body, 400)).serviceMessage;

describe('The message of an error', () => {
  it('comes from the usual names, one level deep, with the field that it is about', () => {
    for (const [body, message] of [
      [{ message: 'too dark' }, 'too dark'],
      [{ error: 'too dark' }, 'too dark'],
      [{ error: { code: 'OOM', message: 'no memory' } }, 'no memory'],
      [{ detail: 'Not found.' }, 'Not found.'],
      [
        { detail: [{ loc: ['body', 'input', 'text'], msg: 'field required' }] },
        'body.input.text: field required',
      ],
      [{ message: 'Invalid.', errors: { text: ['is required'] } }, 'Invalid.: text is required'],
      [{ errors: [{ message: 'a' }, { message: 'b' }] }, 'a; b'],
      [
        { text: ['This field is required.'], top_k: ['Too large.'] },
        'text This field is required., top_k Too large.',
      ],
      [{ title: 'Out of memory', type: 'about:blank', status: 500 }, 'Out of memory'],
      [{ code: 'OOM' }, 'OOM'],
      [{}, undefined],
      ['"too dark"', 'too dark'],
      [{ message: `${'x'.repeat(400)}` }, `${'x'.repeat(299)}…`],
      [{ message: 'two\nlines\u0000' }, 'two lines'],
    ] as const)
      assert.equal(said(body), message, JSON.stringify(body));
  });

  it('reads the text of a page or of XML, and ignores JSON that cannot be parsed', () => {
    const saidBy = (text: string, contentType: string) => {
      const bytes = Buffer.from(text);
      return readError({ status: 502, headers: {}, bytes, ...bodyContent(bytes, contentType) })
        .serviceMessage;
    };
    const page =
      '<!doctype html><html><head><title>502 Bad Gateway</title><style>a{}</style></head><body><h1>502 Bad Gateway</h1> &amp; so on</body>';
    assert.equal(saidBy(page, 'text/html'), '502 Bad Gateway & so on');
    assert.equal(
      saidBy('<Error><Code>AccessDenied</Code> <Message>Expired</Message></Error>', 'application/xml'),
      'AccessDenied Expired',
    );
    assert.equal(saidBy('upstream timed out', 'text/plain'), 'upstream timed out');
    assert.equal(saidBy('{"message": "x', 'application/json'), undefined);
  });
});
