import assert from 'node:assert/strict';
import { isAccepted, mediaTypeOf } from '../../../src/domain/media';

describe('Media', () => {
  it('has a media_type that follows from the MIME type, and none where that says nothing', () => {
    const types = ['image/png', 'Audio/mpeg; x=1', 'video/mp4', 'application/pdf', 'text/csv'].map(
      mediaTypeOf,
    );
    assert.deepEqual(types, ['image', 'audio', 'video', 'file', 'file']);
    const unknown = ['', undefined, 'application/octet-stream', 'nonsense'].map(mediaTypeOf);
    assert.deepEqual(unknown, [undefined, undefined, undefined, undefined]);
  });

  it('fits a field by its type, or by a wildcard', () => {
    assert.equal(isAccepted('image/png', ['image/*']), true);
    assert.equal(isAccepted('audio/mpeg', ['image/*', 'video/mp4']), false);
  });
});
