import assert from 'node:assert/strict';
import {
  acceptedEndings,
  isAccepted,
  isOfOtherType,
  mediaName,
  mediaTypeOf,
} from '../../../src/domain/media';

describe('Media', () => {
  it('derives media_type from the MIME type, and leaves it out for an unknown one', () => {
    const types = ['image/png', 'Audio/mpeg; x=1', 'video/mp4', 'application/pdf', 'text/csv'].map(
      mediaTypeOf,
    );
    assert.deepEqual(types, ['image', 'audio', 'video', 'file', 'file']);
    const unknown = ['', undefined, 'application/octet-stream', 'nonsense'].map(mediaTypeOf);
    assert.deepEqual(unknown, [undefined, undefined, undefined, undefined]);
  });

  it('takes its name from the file name, else from the address of a local file', () => {
    const names = [
      { media_ref: 'media_1', filename: 'a.png' },
      { media_ref: 'file:///home/a%20cat.png' },
      { media_ref: 'media_1' },
      { media_ref: 'https://example.com/a.png' },
    ].map(mediaName);
    assert.deepEqual(names, ['a.png', 'a cat.png', 'media_1', 'https://example.com/a.png']);
  });

  it('fits a field by the ending of its name, in any case, beside types or alone', () => {
    const fits = (filename: string | undefined, accept: string[], type = 'application/octet-stream') =>
      isAccepted(type, accept, filename);
    assert.deepEqual(
      ['a.png', 'A.PNG', 'a.JPG', 'a.tar.gz', 'a.webp', 'png', 'a.png.txt', undefined].map((name) =>
        fits(name, ['.png', '.Jpg', '.tar.gz']),
      ),
      [true, true, true, true, false, false, false, true],
    );
    assert.deepEqual(
      [fits('a.webp', ['.png', 'image/*'], 'image/webp'), fits('a.webp', ['.png', 'audio/*'], 'image/webp')],
      [true, false],
    );
  });

  it('fits a field for an ending by its type, too', () => {
    const fits = (type: string, ...accept: string[]) => isAccepted(type, accept, 'a');
    assert.deepEqual(
      [fits('image/jpeg', '.jpg'), fits('image/jpeg', '.JPEG'), fits('audio/mpeg', '.mp3')],
      [true, true, true],
    );
    assert.deepEqual([fits('image/png', '.jpg'), fits('image/jpeg', '.obj')], [false, false]);
    assert.equal(isAccepted('image/heic', ['image/heif']), true);
    assert.deepEqual(acceptedEndings(['.jpg', '.glb']), ['.jpg', '.jpeg', '.glb']);
  });

  it('counts as another type only where its declared type or its ending is certain', () => {
    const other = (filename: string, contentType: string, accept: string[]) =>
      isOfOtherType({ filename, contentType }, accept);
    assert.deepEqual(
      [
        other('a.gif', 'image/gif', ['.png', '.jpg']),
        other('a.xyz', 'application/octet-stream', ['.png', '.jpg']),
        other('a.xyz', 'application/octet-stream', ['.png', 'image/*']),
        other('a.gif', 'image/gif', ['.png', 'image/*']),
        other('a.mp3', 'audio/mpeg', ['image/*']),
        other('a.mp3', 'audio/mpeg', []),
      ],
      [true, true, false, false, true, false],
    );
  });
});
