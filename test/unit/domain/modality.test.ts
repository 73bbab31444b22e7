import assert from 'node:assert/strict';
import { modalityOf } from '../../../src/domain/modality';

const model = { slug: 'm', name: 'M', tags: [], modeNames: [], raw: undefined };

describe('The modality of a model', () => {
  it('follows group and tags, before the name, before the description', () => {
    assert.equal(modalityOf({ ...model, group: 'Audio', name: 'Image of a sound' }), 'audio');
    assert.equal(modalityOf({ ...model, tags: ['text-to-image'] }), 'image');
    assert.equal(modalityOf({ ...model, tags: ['text-to-video', 'image'] }), 'video');
    assert.equal(modalityOf({ ...model, name: 'Sentiment (English)' }), 'text');
    assert.equal(modalityOf({ ...model, description: 'Reads a photo.' }), 'image');
  });

  it('stays open where no word names a medium', () => {
    assert.equal(modalityOf({ ...model, name: 'Later Echo' }), undefined);
    assert.equal(modalityOf({ ...model, name: 'Imagine' }), undefined);
  });
});
