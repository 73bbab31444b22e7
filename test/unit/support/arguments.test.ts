import assert from 'node:assert/strict';
import { readArguments } from '../../support/run/arguments';
import { longestFirst, shardOf } from '../../support/run/suite';

describe('The arguments of a test run', () => {
  it('consist of heights, files, and Mocha’s own after two dashes', () => {
    const own = 'test/unit/support/arguments.test.ts';
    const { heights, files, mocha } = readArguments([own, '--', '--grep', 'key']);
    assert.deepEqual([heights, files, mocha], [['unit'], [own], ['--grep', 'key']]);
    assert.throws(() => readArguments(['test/unit/nowhere.test.ts']), /There is no/);
    assert.throws(() => readArguments(['windows']), /“windows” is none of/);
  });

  it('take a commit to compare with, and a part of the files', () => {
    const { changedSince, shard, mocha } = readArguments(['journeys', '--changed=main', '--shard=2/2']);
    assert.deepEqual([changedSince, shard, mocha], ['main', { part: 2, parts: 2 }, []]);
  });
});

describe('The order of test files', () => {
  it('begins with the longest, before larger ones', () => {
    const [small, large, long] = ['wording/money', 'experiments/items', 'simulation/orders'].map(
      (name) => `test/unit/${name}.test.ts`,
    ) as [string, string, string];
    assert.deepEqual(longestFirst([small, large, long]), [long, large, small]);
  });
});

describe('The parts of a height', () => {
  it('contain each file once, and the long ones shared out', () => {
    const files = ['longest', 'long', 'short', 'shorter', 'shortest'];
    const parts = [1, 2].map((part) => shardOf(files, { part, parts: 2 }));
    assert.deepEqual(parts, [
      ['longest', 'short', 'shortest'],
      ['long', 'shorter'],
    ]);
  });
});
