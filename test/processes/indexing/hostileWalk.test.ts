import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { useWalkedFolder } from '../../support/walkedFolder';

const isUnix = process.platform !== 'win32';

describe('A walk through a hostile folder', () => {
  let root: string;
  const walked = useWalkedFolder();
  const { put, look, names } = walked;
  beforeEach(() => {
    root = walked.root;
  });

  it('ends for patterns of .gitignore and files.exclude that take other matchers minutes', async () => {
    const deep = Array.from({ length: 30 }, () => 'a').join('/');
    const longName = 'a'.repeat(200);
    await put(`${deep}/b.png`);
    await put(`${longName}.png`);
    const patterns = [
      `${'a/**/'.repeat(8)}x`,
      `${'**/a/'.repeat(20)}x`,
      `${'*a'.repeat(40)}b.png`,
      `${'[ab]*'.repeat(40)}c`,
      `${'*'.repeat(200)}x`,
      `${'a?*'.repeat(60)}x`,
    ];
    await put('.gitignore', patterns.join('\n'));
    const inFile = await look();
    await put('.gitignore', '');
    const inSetting = await look({ excluded: patterns });
    for (const walked of [inFile, inSetting])
      assert.deepEqual(names(walked), [`${deep}/b.png`, `${longName}.png`]);
  });

  it('never opens a .gitignore that is a link, a pipe or a folder, and follows no link in a circle', async function () {
    if (!isUnix) this.skip();
    await put('a.png');
    await put('outside/.gitignore', '*');
    const kinds: Record<string, (path: string) => unknown> = {
      endless: (path: string) => fs.symlink('/dev/zero', path),
      pipe: (path: string) => execFileSync('mkfifo', [path]),
      folder: (path: string) => fs.mkdir(path),
      elsewhere: (path: string) => fs.symlink(join(root, 'outside/.gitignore'), path),
      itself: (path: string) => fs.symlink(path, path),
    };
    for (const [folder, make] of Object.entries(kinds)) {
      await put(`${folder}/b.png`);
      await make(join(root, folder, '.gitignore'));
    }
    execFileSync('mkfifo', [join(root, 'pipe.png')]);
    await fs.symlink(root, join(root, 'loop'));
    await fs.symlink('/dev/zero', join(root, 'zero.png'));
    await fs.symlink('/etc/passwd', join(root, 'passwd.png'));
    const walked = await look();
    assert.deepEqual(names(walked), [
      'a.png',
      ...['elsewhere', 'endless', 'folder', 'itself', 'pipe'].map((folder) => `${folder}/b.png`),
    ]);
    assert.equal(walked.problems.length, 5, 'each of them is reported');
  });

  it('returns names with line breaks and other signs unchanged', async function () {
    if (!isUnix) this.skip();
    const odd = [
      'a\nb.png',
      '\u202egnp.exe.png',
      '[x](command:y).png',
      '$(trash).png',
      '!c.png',
      '#d.png',
      ' e .png',
    ];
    for (const name of odd) await put(name);
    await put('.gitignore', '\\!c.png\n\\#d.png\n');
    const left = odd.filter((name) => name !== '!c.png' && name !== '#d.png');
    assert.deepEqual(names(await look()), left.sort());
  });

  it('leaves out the same files as git, for any patterns', async function () {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      git('init', '-q');
    } catch {
      console.log('      skipped: there is no git here');
      return this.skip();
    }
    const paths = [
      'a.png',
      'ab.png',
      'b.png',
      'a/a.png',
      'a/b.png',
      'a/b/a.png',
      'b/a/b.png',
      'b/ab.png',
      '-.png',
    ];
    for (const path of paths) await put(path);
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        '*',
        '?',
        '**',
        '/',
        '.png',
        '[ab]',
        '[!a]',
        '[^b]',
        '[a-b]',
        '[[:alpha:]]',
        '\\a',
        '\\*',
        '!',
      ],
      ...[' ', '\\ ', '#', '[', ']', '\\', '**/', '/**', '/**/', '[]a]', '[-]', 'a/', '*.png'],
    );
    // Of “a**/b” git cuts off the “a” first and reads “**/b”, unlike its own documentation.
    const line = fc
      .array(piece, { minLength: 1, maxLength: 6 })
      .map((pieces) => pieces.join(''))
      .filter((text) => !/[^/!]\*\*|\*\*[^/]/.test(text));
    const lines = fc.array(line, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lines, fc.option(lines, { nil: undefined }), async (top, below) => {
        await put('.gitignore', top.join('\n'));
        if (below) await put('a/.gitignore', below.join('\n'));
        else await fs.rm(join(root, 'a/.gitignore'), { force: true });
        const listed = git('ls-files', '--others', '--exclude-standard', '-z').split('\0');
        const wanted = listed.filter((path) => path.endsWith('.png')).sort();
        assert.deepEqual(names(await look({ excluded: ['**/.git'] })), wanted);
      }),
      { numRuns: 150 },
    );
  });
});
