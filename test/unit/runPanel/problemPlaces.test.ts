import assert from 'node:assert/strict';
import { problemsFrom } from '../../../webview/run/problemPlaces';

const at = (pointer: string) => ({ pointer, message: `of ${pointer}` });

describe('The problems of a request by their place', () => {
  const problems = [at(''), at('/input/a'), at('/input/ab'), at('/input/a/0/b'), at('/params/a')];
  const pointers = (pointer: string) => problemsFrom(problems, pointer).map((problem) => problem.pointer);

  it('include those at a place and below it, in their order', () => {
    assert.deepEqual(pointers('/input/a'), ['/input/a', '/input/a/0/b']);
    assert.deepEqual(pointers('/input/a/0'), ['/input/a/0/b']);
    assert.deepEqual(pointers('/input'), ['/input/a', '/input/ab', '/input/a/0/b']);
    assert.deepEqual(pointers('/input/b'), []);
  });

  it('include all of them at the request itself', () => {
    assert.deepEqual(problemsFrom(problems, ''), problems);
  });

  it('come from the given list, even after another one', () => {
    assert.deepEqual(problemsFrom([at('/input/b')], '/input/a'), []);
    assert.deepEqual(problemsFrom([at('/input/b')], '/input/b'), [at('/input/b')]);
  });
});
