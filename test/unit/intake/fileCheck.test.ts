import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkedType, fileFaultText, HEAD_BYTES, headOf } from '../../../src/intake/fileCheck';

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

  it('lets the name decide among types that begin alike', () => {
    assert.deepEqual(check('a.mov', '\0\0\0\x18ftypmp42'), { contentType: 'video/quicktime' });
    assert.deepEqual(check('a.docx', 'PK\x03\x04\0\0'), {
      contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    });
    assert.deepEqual(check('a.mkv', '\x1aE\xdf\xa3\0\0'), { contentType: 'video/x-matroska' });
  });

  it('believes the name of bytes that it does not know', () => {
    assert.deepEqual(check('a.tga', '\0\x01\x02\x03\xfe\xff'), { contentType: 'image/x-tga' });
    assert.deepEqual(check('notes.txt', 'hello'), { contentType: 'text/plain' });
    assert.deepEqual(check('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), {
      contentType: 'image/svg+xml',
    });
  });

  it('refuses an empty file of any name', () => {
    fc.assert(fc.property(fc.string(), (name) => assert.deepEqual(check(name, ''), { fault: 'emptyFile' })));
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
    assert.deepEqual(check('a.svg', '<html></html>'), {
      ...{ fault: 'textInside', is: 'text/html', named: 'image/svg+xml' },
    });
    assert.deepEqual(check('a.mp4', '{"error":"not found"}'), {
      ...{ fault: 'textInside', is: 'text/plain', named: 'video/mp4' },
    });
  });

  it('refuses a type that the field does not take', () => {
    assert.deepEqual(check('a.png', JPEG, ['image/png']), { fault: 'otherType', is: 'image/jpeg' });
    assert.deepEqual(check('a.png', JPEG, ['image/*']), { contentType: 'image/jpeg' });
    assert.deepEqual(check('a.txt', PNG, ['text/*']), { fault: 'otherType', is: 'image/png' });
  });

  it('reads no more of a file than its head', async () => {
    let pieces = 0;
    async function* file() {
      for (; pieces < 100; pieces++) yield Buffer.alloc(300, 1);
    }
    assert.equal((await headOf(file())).length, HEAD_BYTES);
    assert.ok(pieces <= 2);
  });
});
