import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Json } from '../../../../src/domain/json';
import type { ExperimentItem } from '../../../../src/experiments/file/items';
import { expectedValue, inputValue, outputValue } from '../../../../src/experiments/judges/judgeRuns';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
import { judgeDraft } from '../../../support/experiments/judgeDraft';

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
    inputValue({ name: 'row 2', values, files }, judgeDraft({ prompt: 'the same' }));

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

  it('contain the medium of a result, told apart by its content', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'judged-'));
    const results = path.join(folder, 'try.results.jsonl');
    await mkdir(path.join(folder, 'try.results'));
    const output = async (name: string, content: string, withFile = true) => {
      await writeFile(path.join(folder, 'try.results', name), content);
      const line = { result: `sha256:${'0'.repeat(64)}`, result_file: `try.results/${name}`, variation: {} };
      return outputValue(line as ResultLine, '', results, withFile);
    };
    const [one, same, other] = [
      await output('a.png', 'one'),
      await output('b.png', 'one'),
      await output('a.png', '2'),
    ];
    assert.deepEqual([one.text, one.file?.filename, one.file?.sizeBytes], [undefined, 'a.png', 3]);
    assert.deepEqual(
      [same.file?.sha256 === one.file?.sha256, other.file?.sha256 === one.file?.sha256],
      [true, false],
    );
    for (const none of [await output('a.json', '1'), await output('a.png', 'x', false)])
      assert.deepEqual(none, {});
    await rm(folder, { recursive: true });
  });
});
