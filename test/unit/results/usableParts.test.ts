import assert from 'node:assert/strict';
import { classifyResult } from '../../../src/results/classify';
import { usableParts } from '../../../src/results/usableParts';

const kindsOf = (output: unknown) => usableParts(classifyResult(output, {})).map(({ kind }) => kind);

describe('The parts of a result that another model accepts', () => {
  it('include texts, labels and available media', () => {
    assert.deepEqual(kindsOf('A cat on a mat.'), ['text']);
    assert.deepEqual(
      kindsOf([
        { label: 'cat', score: 0.9 },
        { label: 'dog', score: 0.1 },
      ]),
      ['labels'],
    );
    assert.deepEqual(kindsOf({ image: 'data:image/png;base64,iVBORw0KGgo=' }), ['media']);
  });

  it('exclude references that only the service can read', () => {
    assert.deepEqual(kindsOf({ image: { media_ref: 'media_5' } }), []);
  });
});
