import assert from 'node:assert/strict';
import { modalityIcon } from '../../../src/features/catalog/modality';

const model = { slug: 'm', name: 'M', tags: [], modeNames: [], raw: undefined };

describe('The icon of a model', () => {
  it('follows group and tags, before the name, before the description', () => {
    assert.equal(modalityIcon({ ...model, group: 'Audio', name: 'Image of a sound' }), 'unmute');
    assert.equal(modalityIcon({ ...model, tags: ['text-to-image'] }), 'file-media');
    assert.equal(modalityIcon({ ...model, tags: ['text-to-video', 'image'] }), 'device-camera-video');
    assert.equal(modalityIcon({ ...model, name: 'Sentiment (English)' }), 'symbol-string');
    assert.equal(modalityIcon({ ...model, description: 'Reads a photo.' }), 'file-media');
  });

  it('falls back to a general icon', () => {
    assert.equal(modalityIcon({ ...model, name: 'Later Echo' }), 'symbol-method');
    assert.equal(modalityIcon({ ...model, name: 'Imagine' }), 'symbol-method');
  });
});
