import assert from 'node:assert/strict';
import { isInputPath } from '../../../../src/experiments/table/inputPaths';

describe('A changed file in the folder of an experiment', () => {
  it('counts as an input when the experiment names it', () => {
    const rows = { run: 'base.run.json', over: { rows: 'data/labels.csv', map: {} } };
    assert.ok(isInputPath(rows, 'data/labels.csv'));
    assert.ok(isInputPath(rows, 'base.run.json'));
    assert.ok(!isInputPath(rows, 'dist/bundle.js'));
    const media = { run: { model: 'm', input: { image: { media_ref: './photos/cat.png' } } } };
    assert.ok(isInputPath(media, 'photos/cat.png'));
    assert.ok(isInputPath({ run: {}, vary: { '/input/image': [{ media_ref: './b.png' }] } }, 'b.png'));
  });

  it('counts as an input when a glob matches it, or it has an expected value beside one', () => {
    const files = {
      run: {},
      over: { files: ['./photos/**/*.png'], map: {} },
      expected: { file: '.txt', at: '' },
    };
    assert.ok(isInputPath(files, 'photos/a/new.png'));
    assert.ok(isInputPath(files, 'photos/a/new.txt'));
    assert.ok(!isInputPath(files, 'photos/a/new.jpg'));
    assert.ok(!isInputPath(files, 'other/new.png'));
  });
});
