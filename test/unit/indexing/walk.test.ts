import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type Walked, type WalkOptions, walk } from '../../../src/intake/walk';
import { Turns } from '../../../src/service/turns';
import { useWalkedFolder } from '../../support/walkedFolder';

const isUnix = process.platform !== 'win32';

describe('On the disk', () => {
  let root: string;
  const walked = useWalkedFolder();
  const { put, look, names } = walked;
  beforeEach(() => {
    root = walked.root;
  });
  const why = ({ problems }: Walked<string>) =>
    problems.map(({ error }) => (error instanceof Error ? error.message : '')).join();
  const codes = ({ problems }: Walked<string>) =>
    problems.map(({ error }) => (error as NodeJS.ErrnoException).code).join();

  it('returns files in the order of their paths, with their facts', async () => {
    for (const path of ['b.png', 'a/z.png', 'a/b/c.png', 'a.png', 'a!/x.png', 'c.txt']) await put(path);
    assert.deepEqual(names(await look()), ['a!/x.png', 'a.png', 'a/b/c.png', 'a/z.png', 'b.png']);
    await fs.writeFile(join(root, 'a.png'), '12345');
    await fs.utimes(join(root, 'a.png'), 5, 7.0016);
    const { files } = await walk(join(root), {
      ...{ root, excluded: ['a', 'a!', 'b.png'], respectGitignore: false },
      wants: (name) => name.endsWith('.png'),
      file: (...facts) => facts,
      turns: new Turns(),
    });
    assert.deepEqual(files, [[root + sep, 'a.png', 5, 7002]]);
    assert.deepEqual(names(await look({}, join(root, 'a') + sep)), ['a/b/c.png', 'a/z.png']);
  });

  it('leaves out hidden files and results of experiments, and counts files of other types', async () => {
    for (const path of [
      ...'a.png ._a.png .thumbs/b.png a.txt try.results/c.png try.confusion.png'.split(' '),
      ...'try.drift-2026.results.jsonl try.qrels.jsonl try.png other.confusion.png'.split(' '),
      ...'my.results/d.png'.split(' '),
    ])
      await put(path);
    await put('try.results.jsonl');
    await put('try.experiment.json');
    const found = await look();
    assert.deepEqual(names(found), ['a.png', 'my.results/d.png', 'other.confusion.png', 'try.png']);
    assert.equal(found.unwanted, 2, 'the text and the experiment');
    assert.deepEqual(names(await look({}, join(root, '.thumbs'))), ['.thumbs/b.png'], 'chosen itself');
  });

  it('applies the rules above a folder, up to the root', async () => {
    for (const path of ['a/b/1.png', 'a/b/2.png', 'a/c/1.png', 'd/1.png']) await put(path);
    await put('.gitignore', '/d/\n');
    await put('a/.gitignore', '2.png\n');
    const below = (folder: string, more: Partial<WalkOptions<string>> = {}) => look(more, join(root, folder));
    assert.deepEqual(names(await below('a/b')), ['a/b/1.png']);
    assert.deepEqual(names(await below('a', { excluded: ['a/b'] })), ['a/c/1.png']);
    const none = await below('d');
    assert.deepEqual([none.files, none.problems, none.leftOut], [[], [], 1]);
    assert.deepEqual(names(await below('d', { respectGitignore: false })), ['d/1.png']);
    assert.deepEqual(names(await below('a/b', { excluded: ['a'] })), []);
    assert.deepEqual(
      names(await below('d', { root: join(root, 'a') })),
      ['d/1.png'],
      'not those of another root',
    );
    assert.deepEqual(names(await below('d', { root: root + sep })), []);
  });

  it('reports unreadable places, and returns the rest', async () => {
    await put('a.png');
    await put('b/.gitignore/c');
    await put('b/1.png');
    const { problems, ...walked } = await look();
    assert.deepEqual(names({ ...walked, problems }), ['a.png', 'b/1.png']);
    assert.deepEqual(
      problems.map(({ path, error }) => [path, (error as Error).name]),
      [[join(root, 'b/.gitignore'), 'UnusableRules']],
    );
    assert.match(why({ ...walked, problems }), /not a regular file/);
    const gone = await look({}, join(root, 'gone'));
    assert.deepEqual([gone.files, gone.problems.map(({ path }) => path)], [[], [join(root, 'gone')]]);
    assert.equal(codes(gone), 'ENOENT');
    const file = await look({}, join(root, 'a.png'));
    assert.notEqual(codes(file), '');
  });

  it('leaves out a folder whose rules cannot be used, and returns later ones', async () => {
    await put('a/.gitignore', 'x\n'.repeat(200_000));
    await put('a/1.png');
    await put('b/.gitignore', `${`${'*a'.repeat(100)}b\n`.repeat(1_200)}`);
    await put(`b/${'a'.repeat(250)}.png`);
    await put('c/1.png');
    const walked = await look();
    assert.deepEqual(names(walked), ['c/1.png']);
    assert.deepEqual(
      walked.problems.map(({ path, error }) => [path, (error as Error).name]),
      ['a', 'b'].map((folder) => [join(root, folder), 'UnusableRules']),
    );
    assert.match(why(walked), /too large.*take too long for this folder/);
  });

  it('does not wait for a slow disk after it was cancelled', async () => {
    for (let n = 0; n < 20; n++) await put(`${n}.png`);
    const { now } = performance;
    const stopped = new AbortController();
    let found = 0;
    let at = 0;
    performance.now = () => (at += 10);
    try {
      await assert.rejects(
        look({
          signal: stopped.signal,
          file: (folder, name) => {
            found += 1;
            if (found === 6) stopped.abort(new Error('cancelled'));
            return folder + name;
          },
        }),
        /cancelled/,
      );
    } finally {
      performance.now = now;
    }
    assert.equal(found, 6);
  });

  it('follows links inside the root once, and names the others', async function () {
    if (!isUnix) this.skip();
    for (const path of ['images/a.png', 'store/1', 'store/below/c.png', 'elsewhere/z.png']) await put(path);
    const link = (target: string, path: string) => fs.symlink(target, join(root, path));
    await link(join(root, 'images'), 'images/loop');
    await link(root, 'images/top');
    await link('../store/1', 'images/b.png');
    await link('../store/below', 'images/below');
    await link('../store/below', 'images/again');
    await link('../store/none', 'images/broken.png');
    await link('../store/none', 'images/broken.txt');
    await link('../elsewhere/z.png', 'images/out.png');
    await link('../elsewhere', 'images/outside');
    const inside = await look({}, join(root, 'images'));
    assert.deepEqual(
      names(inside),
      'images/a.png images/again/c.png images/b.png images/out.png images/outside/z.png'.split(' '),
    );
    assert.deepEqual(inside.problems, []);
    const skipped = ({ skipped }: Walked<string>) =>
      skipped.map(({ path, why }) => `${why} ${path.slice(root.length + 1)}`).sort();
    assert.deepEqual(skipped(inside), ['broken images/broken.png']);
    const narrow = await look({ root: join(root, 'images') }, join(root, 'images'));
    assert.deepEqual(names(narrow), ['images/a.png']);
    const outside = ['again', 'b.png', 'below', 'out.png', 'outside', 'top'];
    const named = outside.map((name) => `outside images/${name}`);
    assert.deepEqual(skipped(narrow), ['broken images/broken.png', ...named]);
  });
});
