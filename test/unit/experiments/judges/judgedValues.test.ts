import assert from 'node:assert/strict';
import type { Json } from '../../../../src/domain/json';
import type { RunDraft } from '../../../../src/domain/run';
import type { ExperimentItem } from '../../../../src/experiments/file/items';
import { expectedValue, inputValue, outputValue } from '../../../../src/experiments/judges/judgeRuns';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';

const draftOf = (input: object): RunDraft => ({
  ...{ model: 'judge', mode: 'execute', params: {} },
  input: input as RunDraft['input'],
});

describe('The values that a judge sees', () => {
  const file = {
    path: '/a/cat.png',
    uri: 'file:///a/cat.png',
    filename: 'cat.png',
    sizeBytes: 1,
    sha256: '',
  };
  const media = { media_ref: file.uri, filename: 'cat.png' };
  const input = (values: Readonly<Record<string, Json>>, files: ExperimentItem['files'] = []) =>
    inputValue({ name: 'row 2', values, files }, draftOf({ prompt: 'the same' }));

  it('contain the only input unchanged, several by their names, and no address of a file', () => {
    assert.deepEqual(input({ '/input/text': 'a "b"' }), { text: 'a "b"' });
    assert.deepEqual(input({ '/input/size': 3 }), { text: '3' });
    assert.deepEqual(input({ '/input/text': 'a', '/input/images/0': media }, [file]), {
      ...{ text: '{"text":"a","images":"cat.png"}', file },
    });
    assert.deepEqual(input({ '/input/image': media }, [file]), { file });
    assert.deepEqual(input({ '/input/a': { media_ref: 'file:///x/dog.png' }, '/input/b': 1 }), {
      text: '{"a":"dog.png","b":1}',
    });
    assert.deepEqual(input({}), { text: 'the same' }, 'without rows the input of the run');
  });

  it('contain the expected value and the compared part of the result, where there are such', async () => {
    assert.deepEqual(
      ['cat', '', { a: 1 }, null, undefined].map((expected) => {
        const item = { name: 'row 2', values: {}, files: [] };
        return expectedValue(expected === undefined ? item : { ...item, expected });
      }),
      [{ text: 'cat' }, { text: '' }, { text: '{"a":1}' }, {}, {}],
    );
    const output = (line: object, at = '/label') =>
      outputValue({ variation: {}, ...line } as ResultLine, at, '/none.results.jsonl', true);
    assert.deepEqual(await output({ result: { label: ['a'] } }), { text: '["a"]' });
    assert.deepEqual(await output({ result: { other: 'a' } }), {});
    assert.deepEqual(await output({ result_file: 'none.results/gone.json' }), {});
    assert.deepEqual(
      await output({ result: `sha256:${'0'.repeat(64)}`, result_file: 'none.results/a.png' }, ''),
      {},
    );
  });
});
