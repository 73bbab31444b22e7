import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { allowedPath } from '../../../src/agents/files';
import { withWorktrees, worktreesOf } from '../../../src/agents/processHouse';

describe('Files that agents may use', () => {
  let folder: string;
  let root: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'model-bench-files-')));
    root = path.join(folder, 'root');
    await mkdir(path.join(root, 'inner'), { recursive: true });
    await mkdir(path.join(folder, 'root-twin'));
    for (const name of ['root/a.png', 'root/inner/b.png', 'secret.png', 'root-twin/c.png'])
      await writeFile(path.join(folder, name), name);
    for (const [link, to] of [
      ['root/out', '..'],
      ['root/secret-link.png', '../secret.png'],
      ['root/own-link.png', 'a.png'],
      ['root/loop', 'loop'],
    ] as const)
      await symlink(to, path.join(folder, link));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('include those in a folder, by relative and absolute paths and by links inside it', async () => {
    for (const [name, found] of [
      ['a.png', 'a.png'],
      ['./inner/../a.png', 'a.png'],
      ['own-link.png', 'a.png'],
      [path.join(root, 'inner/b.png'), 'inner/b.png'],
      ['inner', 'inner'],
      ['.', ''],
    ] as const)
      assert.deepEqual(await allowedPath(name, [root]), { path: path.join(root, found), root });
  });

  it('include no path outside, with the same sentence for existing and missing ones', async () => {
    const inside = path.relative('/', root);
    for (const name of [
      ...[
        '../secret.png',
        '..',
        '/',
        '',
        path.join(folder, 'secret.png'),
        '../root-twin/c.png',
        'missing.png',
      ],
      ...['secret-link.png', 'out/secret.png', 'loop', 'a.png\0.txt', 'a.png\0', '//server/share/a.png'],
      ...[
        '\\\\server\\share\\a.png',
        '\\\\?\\C:\\a.png',
        '~/.ssh/id_rsa',
        'file:///etc/passwd',
        '/etc/passwd',
      ],
      ...[
        '/proc/self/root/etc/passwd',
        `/proc/self/root/${inside}/../secret.png`,
        '/proc/self/cwd/package.json',
      ],
      ...['/dev/stdin', 'A.PNG/../../secret.png', `${root}/../secret.png`, `${root}-twin/c.png`],
    ])
      if (name !== '')
        await assert.rejects(allowedPath(name, [root]), {
          message: `“${name}” is outside the folders that agents may use, or it does not exist.`,
        });
  });

  it('stay inside for every path of hostile parts', async () => {
    const parts = fc.constantFrom(
      ...['..', '.', '', 'inner', 'out', 'root', 'root-twin', 'secret.png', 'a.png', 'secret-link.png'],
      ...[
        'own-link.png',
        'loop',
        '\0',
        '~',
        '\\\\',
        '/',
        '/proc/self/root',
        '%2e%2e',
        '．．',
        'ROOT',
        'c:',
        'NUL',
      ],
    );
    const paths = fc.oneof(
      fc.array(parts, { maxLength: 8 }).map((all) => all.join('/')),
      fc.array(parts, { maxLength: 6 }).map((all) => path.join(root, ...all)),
      fc.array(parts, { maxLength: 6 }).map((all) => `${root}/${all.join('/')}`),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(paths, async (name) => {
        const found = await allowedPath(name, [root]).catch((error: Error) => error.name);
        if (typeof found === 'string') return assert.equal(found, 'UsageError');
        const real = await realpath(found.path);
        assert.ok(real === root || real.startsWith(`${root}${path.sep}`), real);
      }),
      { numRuns: 1_000 },
    );
  });

  it('include the worktrees of the same repository', async () => {
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
        cwd: root,
        stdio: 'pipe',
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const tree = path.join(folder, 'tree');
    git('worktree', 'add', '-q', tree);
    assert.deepEqual(await worktreesOf(root), [tree]);
    assert.deepEqual(await worktreesOf(tree), [root]);
    await writeFile(path.join(tree, 'd.png'), 'd');
    const folders = await withWorktrees([root]);
    assert.equal((await allowedPath(path.join(tree, 'd.png'), folders)).root, tree);
  });

  it('include no repository that a link in the place of .git or of its worktrees leads to', async () => {
    const victim = path.join(root, '..', 'victim');
    const tree = path.join(root, '..', 'victim-tree');
    const inVictim = (...words: string[]) => execFileSync('git', ['-C', victim, ...words]);
    await mkdir(victim, { recursive: true });
    inVictim('init', '-q');
    inVictim('-c', 'user.name=a', '-c', 'user.email=a', 'commit', '-q', '--allow-empty', '-m', 'first');
    inVictim('worktree', 'add', '-q', tree);
    try {
      await symlink(path.join(victim, '.git'), path.join(root, '.git'));
      assert.deepEqual(await worktreesOf(root), []);
      await rm(path.join(root, '.git'));
      await mkdir(path.join(root, '.git'));
      await writeFile(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
      await symlink(path.join(victim, '.git/worktrees'), path.join(root, '.git/worktrees'));
      assert.deepEqual(await worktreesOf(root), []);
    } finally {
      await rm(victim, { recursive: true });
      await rm(tree, { recursive: true });
    }
  });

  it('include no folder that only one side calls a worktree', async () => {
    const own = path.join(root, '.git/worktrees/x');
    await mkdir(own, { recursive: true });
    await writeFile(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
    await writeFile(path.join(own, 'gitdir'), `${folder}/.git\n`);
    assert.deepEqual(await worktreesOf(root), []);
    const claims = path.join(folder, 'claims');
    await mkdir(claims);
    await writeFile(path.join(claims, '.git'), `gitdir: ${own}\n`);
    assert.deepEqual(await worktreesOf(claims), []);
  });
});
