import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkedType, fileFaultText, HEAD_BYTES } from '../../../src/intake/fileCheck';

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const JPEG = '\xff\xd8\xff\xe0\0\x10JFIF\0';
const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

function check(filename: string, content: string, accept?: readonly string[]) {
  const bytes = Buffer.from(content, 'latin1');
  return checkedType({ filename, sizeBytes: bytes.length, head: bytes.subarray(0, HEAD_BYTES) }, accept);
}

describe('The check of a file', () => {
  it('declares the type of the bytes, with any name', () => {
    assert.deepEqual(check('a.png', PNG), { contentType: 'image/png' });
    assert.deepEqual(check('a.png', JPEG), { contentType: 'image/jpeg' });
    assert.deepEqual(check('a.jfif', JPEG), { contentType: 'image/jpeg' });
    assert.deepEqual(check('noname', PNG), { contentType: 'image/png' });
  });

  it('never declares another type than that of known bytes, for any name', () => {
    const formats = Object.entries({
      'image/png': PNG,
      'image/jpeg': JPEG,
      'image/gif': 'GIF89a\x01\0',
      'image/webp': 'RIFF\x10\0\0\0WEBPVP8 ',
      'audio/wav': 'RIFF\x10\0\0\0WAVEfmt ',
      'audio/flac': 'fLaC\0\0\0\x22',
      'application/pdf': '%PDF-1.7\n\x80',
    });
    const names = fc.oneof(
      fc.string(),
      fc
        .constantFrom(...'png jpg jpeg jfif gif webp wav mp3 mp4 pdf txt csv html svg ts bin PNG'.split(' '))
        .map((extension) => `a.${extension}`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...formats), names, fc.string(), ([contentType, bytes], name, rest) => {
        assert.deepEqual(check(name, bytes + rest), { contentType });
        assert.deepEqual(check(name, bytes + rest, ['text/*']), { fault: 'otherType', is: contentType });
      }),
    );
    const text = fc.stringMatching(/^[a-z {}":,\n]{1,80}$/).filter((each) => each.trim() !== '');
    fc.assert(
      fc.property(text, fc.constantFrom('png', 'jpg', 'mp4', 'wav', 'webp', 'heic'), (content, extension) => {
        const found = check(`a.${extension}`, content);
        assert.ok('fault' in found && found.fault === 'textInside', content);
      }),
    );
  });

  it('names the tool for a pointer file, with any name', () => {
    for (const name of ['a.png', 'a.txt', 'a.safetensors', 'a'])
      assert.deepEqual(check(name, LFS), { fault: 'pointer', tool: 'lfs' });
    assert.deepEqual(check('a.png', '/annex/objects/SHA256E-s3--abc.png\n'), {
      fault: 'pointer',
      tool: 'annex',
    });
    assert.match(fileFaultText({ fault: 'pointer', tool: 'lfs' }, 'a.png'), /git lfs pull/);
  });

  it('refuses a web page or a text where a medium belongs', () => {
    const page = check('a.jpg', '\n<!DOCTYPE html><html><body>Sign in</body></html>');
    assert.deepEqual(page, { fault: 'textInside', is: 'text/html', named: 'image/jpeg' });
    const wide = Buffer.from('\ufeff<html>', 'utf16le').toString('latin1');
    assert.deepEqual(check('a.jpg', wide), { fault: 'textInside', is: 'text/html', named: 'image/jpeg' });
    assert.deepEqual(check('a.svg', '<html></html>'), {
      ...{ fault: 'textInside', is: 'text/html', named: 'image/svg+xml' },
    });
    assert.deepEqual(check('a.mp4', '{"error":"not found"}'), {
      ...{ fault: 'textInside', is: 'text/plain', named: 'video/mp4' },
    });
    for (const [name, named] of [
      ['a.pdf', 'application/pdf'],
      ['a.zip', 'application/zip'],
      ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ] as const)
      assert.deepEqual(check(name, '<html>Sign in'), { fault: 'textInside', is: 'text/html', named });
    assert.deepEqual(check('a.pdf', '\n%PDF-1.4\n1 0 obj'), { contentType: 'application/pdf' });
    for (const [name, type] of [
      ['a.json', 'application/json'],
      ['a.rtf', 'application/rtf'],
      ['a.html', 'text/html'],
    ] as const)
      assert.deepEqual(check(name, '<html>Sign in'), { contentType: type });
  });

  it('refuses other bytes under the name of a format that has a beginning, with the cause where it shows', () => {
    for (const [name, bytes, text] of [
      ['a.png', '\0'.repeat(HEAD_BYTES), /only zeros/],
      ['._a.jpg', '\0\x05\x16\x07\0\x02\0\0Mac OS X', /macOS notes about a file/],
      ['a.wav', '\x1f\x8b\x08\0\0\0\0\0', /compressed with gzip/],
      ['a.png', '\x89PNG\n\x1a\n\0\0\0\rIHDR', /line ends .* were converted/],
      ['a.mp3', '\x8c\x01\xf9\x07\x80\x80', /does not begin as audio\/mpeg/],
      ['a.opus', '\x8c\x01\xf9\x07\x80\x80', /does not begin as audio\/ogg/],
      ['a.docx', '\x8c\x01\xf9\x07\x80\x80', undefined],
      ['a.mpg', '\x8c\x01\xf9\x07\x80\x80', undefined],
    ] as const) {
      const found = check(name, bytes);
      if (text === undefined) assert.ok(!('fault' in found), name);
      else assert.match('fault' in found ? fileFaultText(found, name) : found.contentType, text, name);
    }
  });

  it('knows sound by its frames, and UTF-16 as none', () => {
    assert.deepEqual(check('voice', '\xff\xfb\x90\x44\0\0\0\0'), { contentType: 'audio/mpeg' });
    assert.deepEqual(check('voice', '\xff\xf1\x50\x80\x02\x1f\xfc'), { contentType: 'audio/aac' });
    assert.deepEqual(check('a.txt', '\xff\xfeH\0i\0'), { contentType: 'text/plain' });
    assert.deepEqual(check('a.flac', 'ID3\x04\0\0\0\0\0\0fLaC'), { contentType: 'audio/x-flac' });
  });

  it('lets the field decide between the types of a container', () => {
    const webm = '\x1aE\xdf\xa3\x01\0\0\0';
    assert.deepEqual(check('voice.webm', webm, ['audio/*']), { contentType: 'audio/webm' });
    assert.deepEqual(check('voice.webm', webm, ['video/*']), { contentType: 'video/webm' });
    assert.deepEqual(check('a.jpg', JPEG, ['image/jpg']), { contentType: 'image/jpeg' });
  });
});
