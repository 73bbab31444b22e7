import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { commitsOf } from '../../../src/experiments/files/commits';
import { resultsInCommit } from '../../../src/experiments/files/earlierResults';
import { itemSha256 } from '../../../src/experiments/plan/runId';
import type { ResultLine } from '../../../src/experiments/results/resultLine';
import { tableWith } from '../../../src/experiments/table/otherResults';
import { trustWorkspaceWhen } from '../../../src/programs/trust';
import { rowOf, tableOf } from '../../support/experiments/table';

const rows = ['a', 'b'].map((text) => rowOf(text, 'cat'));
const table = tableOf({
  variations: [{ '/model': 'one' }],
  items: rows,
  line: ({ item }) => ({ result: 'cat', item_sha256: itemSha256(rows[item]!) }),
});
const [first, second] = [...table.results.values()] as [ResultLine, ResultLine];

describe('The reader of results in commits', () => {
  before(() => trustWorkspaceWhen(() => true));
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-commits-'));
    await mkdir(path.join(folder, 'sub'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const git = async (...words: string[]) => {
    const person = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    return promisify(execFile)('git', [...person, ...words], { cwd: folder });
  };
  const inSub = (name: string) => path.join(folder, 'sub', name);
  const long = (text: string) => ({ ...lineWithFile, result_file: `try.results/${text}.txt` });
  const lineWithFile = (({ result: _, ...line }) => line)(first);
  const textOf = (line: object) => `${JSON.stringify(line)}\n`;

  it('finds commits under each name of the file, with their dates and subjects', async () => {
    assert.deepEqual(await commitsOf(inSub('try.results.jsonl')), []);
    await git('init', '--quiet');
    await writeFile(inSub('old.results.jsonl'), textOf(lineWithFile).repeat(20));
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'first: äöü\n\nwith a body');
    await writeFile(inSub('unrelated.txt'), 'a');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'unrelated');
    await rename(inSub('old.results.jsonl'), inSub('try.results.jsonl'));
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'renamed');
    const found = await commitsOf(inSub('try.results.jsonl'));
    assert.deepEqual(
      found.map(({ subject, path: of }) => [subject, of]),
      [
        ['renamed', 'sub/try.results.jsonl'],
        ['first: äöü', 'sub/old.results.jsonl'],
      ],
    );
    assert.ok(found.every(({ date }) => Math.abs(Date.parse(date) - Date.now()) < 600_000));
    const { read } = await resultsInCommit(inSub('try.results.jsonl'), found[1]!, path.join(folder, 'cache'));
    assert.equal(read.results.length, 1);
  });

  it('returns the long results of then, although the files were written again', async () => {
    await git('init', '--quiet');
    await mkdir(inSub('try.results'));
    const big = 'x'.repeat(300_000);
    await writeFile(inSub('try.results/a.txt'), `${big} then`);
    await writeFile(
      inSub('try.results.jsonl'),
      textOf(long('a')) + textOf({ ...second, ...{ result: undefined, result_file: 'try.results/b.txt' } }),
    );
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'first');
    await writeFile(inSub('try.results/a.txt'), 'now');
    await writeFile(inSub('try.results/b.txt'), 'never in git');
    const [commit] = await commitsOf(inSub('try.results.jsonl'));
    const cache = path.join(folder, 'deep', 'cache');
    const before = await git('status', '--porcelain');
    for (const named of [commit!, { hash: 'HEAD' }]) {
      const other = await resultsInCommit(inSub('try.results.jsonl'), named, cache);
      const { table: whole } = await tableWith(table, [{ label: 'first', ...other }]);
      assert.equal(await readFile(path.join(cache, 'try.results', 'a.txt'), 'utf8'), `${big} then`);
      await assert.rejects(readFile(path.join(cache, 'try.results', 'b.txt')));
      assert.deepEqual([whole.runs(0, 1).length, whole.runs(1, 1).length], [1, 1]);
      await rm(path.join(folder, 'deep'), { recursive: true });
    }
    assert.deepEqual(await git('status', '--porcelain'), before, 'the repository is unchanged');
  });

  it('rejects a name that is no commit', async () => {
    await git('init', '--quiet');
    for (const hash of ['--output=x', 'HEAD', 'a:b', 'a b', ''])
      await assert.rejects(resultsInCommit(inSub('try.results.jsonl'), { hash }, path.join(folder, 'cache')));
  });
});
