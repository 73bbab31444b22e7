import assert from 'node:assert/strict';
import { splitRejected } from '../../../src/indexing/indexWork';
import { ServiceError } from '../../../src/service/errors';
import { rawOf } from '../../support/rawOf';

describe('A refused batch', () => {
  const batch = ['a.png', 'aa.png', 'b.png', 'c.png'].map((imageId, n) => ({
    imageId,
    mediaRef: `ref-${n}`,
  }));
  const error = (serviceMessage: string) =>
    new ServiceError('invalidRequest', { status: 400, serviceMessage });
  const ids = (parts: readonly (readonly { imageId: string }[])[]) =>
    parts.map((part) => part.map(({ imageId }) => imageId));

  it('sends a file alone that the service points at, by place, ID or reference', () => {
    for (const words of [
      '/input/images/2 is broken',
      'images[2]: broken',
      'cannot read "b.png"',
      'ref-2 is no image',
    ])
      assert.deepEqual(
        ids(splitRejected(batch, error(words))),
        [['a.png', 'aa.png', 'c.png'], ['b.png']],
        words,
      );
  });

  it('sends a file alone that the details of the response point at', () => {
    for (const body of [
      { error: { message: 'bad input', details: [{ path: '/input/images/2', message: 'broken' }] } },
      { message: 'bad input', errors: [{ imageId: 'b.png', reason: 'broken' }] },
      {
        detail: [{ loc: ['body', 'input', 'images', 2], msg: 'broken' }],
        errors: [{ index: 2, message: 'x' }],
      },
      { results: [{ ok: true }, { ok: true }, { ok: false }, { ok: true }] },
    ]) {
      const rejected = new ServiceError('invalidRequest', {
        serviceMessage: 'bad input',
        raw: rawOf(body, 400),
      });
      assert.deepEqual(ids(splitRejected(batch, rejected))[1], ['b.png'], JSON.stringify(body));
    }
  });
});
