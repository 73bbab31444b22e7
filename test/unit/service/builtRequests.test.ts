import assert from 'node:assert/strict';
import type { RunRequest } from '../../../src/domain/run';
import { ServiceError } from '../../../src/service/errors';
import { path } from '../../../src/service/paths';
import { runBody } from '../../../src/service/runs';
import { REQUEST } from '../../support/serviceClient';

/** The error that building something ends with; it must be one of a request. */
function faultOf(build: () => unknown): ServiceError {
  try {
    build();
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.kind === 'invalidRequest', String(error));
    return error;
  }
  return assert.fail('it was built');
}

describe('The body of a run', () => {
  const of = (more: object) => runBody({ ...REQUEST, ...more } as RunRequest);
  const reasonOf = (more: object) => faultOf(() => of(more)).details.why;

  it('fails for a value that JSON would change', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol('s'), 5n, [[-1 / 0]]]) {
      const error = faultOf(() => of({ input: { value } }));
      assert.deepEqual(error.details.why, { reason: 'request', fault: { fault: 'notJson' } });
      assert.ok(error.cause instanceof TypeError, String(error.cause));
    }
    assert.match(String(faultOf(() => of({ params: { value: Number.NaN } })).cause), /NaN is not JSON/);
  });

  it('fails while it contains a local file, at any depth', () => {
    for (const media_ref of ['file:///home/someone/secret.png', 'vscode-remote://host/a.png'])
      for (const part of ['input', 'params'])
        assert.deepEqual(reasonOf({ [part]: { list: [{ deep: { media_ref } }] } }), {
          reason: 'request',
          fault: { fault: 'localFile' },
        });
    assert.ok(of({ input: { image: { media_ref: 'upload-7' }, text: 'file:///is/a/text' } }));
  });
});

describe('The path of a request', () => {
  it('fails for a parameter that could lead elsewhere, and names the model', () => {
    for (const model of [
      '',
      ...'. .. %2e %2E. .%2e a/.. ../a a\\..\\b a%2F.. %5c.. .%5C /. \ud800'.split(' '),
    ])
      assert.deepEqual(faultOf(() => path`/x/${model}`).details.why, { reason: 'modelName', model }, model);
  });
});
