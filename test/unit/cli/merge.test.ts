import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { merge } from '../../../src/cli/merge';
import type { Terminal } from '../../../src/cli/terminal';

describe('model-bench merge', () => {
  let folder: string;
  let printed: string[];
  let warnings: string[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-bench-merge-'));
    [printed, warnings] = [[], []];
    for (const name of ['ours', 'theirs']) await mkdir(at(name, 'try.results'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const at = (...names: string[]) => path.join(folder, ...names);
  const terminal: Terminal = {
    print: (line) => printed.push(line),
    printJson: () => undefined,
    warn: (line) => warnings.push(line),
    progress: () => undefined,
  };
  const line = (id: string, minute: number, file?: string, state = 'finished') =>
    `${JSON.stringify({ custom_id: id, state, started_at: `2026-11-22T10:0${minute}:00Z`, ...(file && { result_file: file }) })}\n`;
  const put = (place: string, ...lines: string[]) => writeFile(at(place), lines.join(''));
  const run = (...others: string[]) =>
    merge(
      at('ours/try.results.jsonl'),
      others.map((name) => at(name)),
      terminal,
    );
  const text = (place: string) => readFile(at(place), 'utf8');

  it('copies the file of the line that counts, and no other', async () => {
    for (const [ours, theirs, content] of [
      [2, 1, 'ours'],
      [1, 2, 'theirs'],
    ] as const) {
      // A line that does not count stays for its cost.
      const paid = (minute: number) =>
        line('a', minute, 'try.results/a.png').replace('}', ',"cost":{"amount":"1"}}');
      await put('ours/try.results.jsonl', paid(ours));
      await put('theirs/try.results.jsonl', paid(theirs));
      await writeFile(at('ours/try.results/a.png'), 'ours');
      await writeFile(at('theirs/try.results/a.png'), 'theirs');
      await run('theirs/try.results.jsonl');
      assert.equal(await text('ours/try.results/a.png'), content);
    }
  });

  it('keeps files of the same name apart when they belong to two lines', async () => {
    await put('ours/try.results.jsonl', line('a', 1, 'try.results/x.png'));
    await put('theirs/try.results.jsonl', line('b', 1, 'try.results/x.png'));
    await writeFile(at('ours/try.results/x.png'), 'of a');
    await writeFile(at('theirs/try.results/x.png'), 'of b');
    await run('theirs/try.results.jsonl');
    const once = await text('ours/try.results.jsonl');
    const files = once
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one).result_file as string);
    assert.deepEqual(await Promise.all(files.map((file) => text(`ours/${file}`))), ['of a', 'of b']);
    await run('theirs/try.results.jsonl');
    assert.equal(await text('ours/try.results.jsonl'), once, 'merged again, it writes the same');
  });

  it('puts the files of shards into the folder of the whole experiment', async () => {
    await put('ours/try.results.1-of-2.jsonl', line('a', 1, 'try.results/a.png'));
    await put('theirs/old.results.2-of-2.jsonl', line('b', 1, 'old.results/b.png'));
    await mkdir(at('theirs/old.results'));
    await writeFile(at('ours/try.results/a.png'), 'a');
    await writeFile(at('theirs/old.results/b.png'), 'b');
    await run('ours/try.results.1-of-2.jsonl', 'theirs/old.results.2-of-2.jsonl');
    assert.deepEqual((await readdir(at('ours/try.results'))).sort(), ['a.png', 'b.png']);
    assert.match(await text('ours/try.results.jsonl'), /"try\.results\/b\.png"/);
    assert.deepEqual(warnings, []);
  });

  it('renames one of several files of a line, and leaves a line alone whose files are the same', async () => {
    const others = (one: string, more: readonly string[]) =>
      one.replace('}', `,"other_files":${JSON.stringify(more)}}`);
    const two = others(line('b', 1, 'try.results/b.png'), ['try.results/x.png']);
    const same = line('c', 1, 'try.results/same.png');
    await put(
      'ours/try.results.jsonl',
      line('a', 1, 'try.results/x.png'),
      line('d', 1, 'try.results/same.png'),
    );
    await put('theirs/try.results.jsonl', two, same);
    for (const side of ['ours', 'theirs']) {
      await writeFile(at(side, 'try.results/x.png'), `x of ${side}`);
      await writeFile(at(side, 'try.results/same.png'), 'the same');
    }
    await writeFile(at('theirs/try.results/b.png'), 'b');
    await run('theirs/try.results.jsonl');
    const merged = (await text('ours/try.results.jsonl')).split('\n');
    const b = JSON.parse(merged.find((one) => one.includes('"b"'))!);
    assert.match(b.other_files.join(), /^try\.results\/x-[0-9a-f]{12}\.png$/);
    assert.deepEqual(
      [b.result_file, await text(`ours/${b.other_files[0]}`)],
      ['try.results/b.png', 'x of theirs'],
    );
    assert.equal(await text('ours/try.results/x.png'), 'x of ours');
    assert.ok(merged.includes(same.trim()));
    assert.deepEqual([printed.length, warnings], [1, []]);
  });

  for (const name of [
    '.git/config',
    '.vscode/tasks.json',
    'try.results/../../home/.bashrc',
    '../try.results/a.png',
    '/etc/passwd',
    'try.results/.hidden',
    'try.results\\..\\a.png',
    'try.results/nul.png',
    'try.results/a.png:stream',
    'C:/a.png',
    'a.png',
    '',
  ])
    it(`copies no file named “${name}”`, async () => {
      await mkdir(at('ours/.git'));
      await mkdir(at('theirs/.git'));
      await writeFile(at('ours/.git/config'), 'ours');
      await writeFile(at('theirs/.git/config'), 'attack');
      await put(
        'theirs/try.results.jsonl',
        line('a', 1).replace('}', `,"result_file":${JSON.stringify(name)}}`),
      );
      await run('theirs/try.results.jsonl');
      assert.equal(await text('ours/.git/config'), 'ours');
      assert.deepEqual((await readdir(at('ours'))).sort(), ['.git', 'try.results', 'try.results.jsonl']);
      assert.deepEqual(await readdir(at('ours/try.results')), []);
    });

  it('follows no link, and does not wait for a pipe', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFile(at('secret'), 'secret');
    await put('theirs/try.results.jsonl', line('a', 1, 'try.results/a.png'));
    await symlink(at('secret'), at('theirs/try.results/a.png'));
    await run('theirs/try.results.jsonl');
    assert.deepEqual(await readdir(at('ours/try.results')), [], 'a linked file is not copied');

    await rm(at('theirs/try.results'), { recursive: true });
    await symlink(folder, at('theirs/try.results'));
    await put('theirs/try.results.jsonl', line('a', 1, 'try.results/secret'));
    await run('theirs/try.results.jsonl');
    assert.deepEqual(await readdir(at('ours/try.results')), [], 'a linked folder is not read');

    await rm(at('theirs/try.results'));
    await mkdir(at('theirs/try.results'));
    await writeFile(at('theirs/try.results/secret'), 'attack');
    await rm(at('ours/try.results'), { recursive: true });
    await symlink(folder, at('ours/try.results'));
    await rm(at('ours/try.results.jsonl'));
    await assert.rejects(run('theirs/try.results.jsonl'), /is not a folder/);
    assert.equal(await text('secret'), 'secret', 'nothing is written through a linked folder');

    for (const place of ['ours/try.results.jsonl', 'theirs/linked.results.jsonl']) {
      await symlink(at('secret'), at(place));
      await assert.rejects(run('theirs/linked.results.jsonl'), /is not a file|no file/);
      assert.equal(await text('secret'), 'secret');
      await rm(at(place));
    }
    execFileSync('mkfifo', [at('theirs/pipe.results.jsonl')]);
    await assert.rejects(run('theirs/pipe.results.jsonl'), /is not a file/);
  });

  it('does not touch a link with the name of its temporary file', async function () {
    if (process.platform === 'win32') this.skip();
    await writeFile(at('secret'), 'secret');
    await symlink(at('secret'), at('ours/try.results.jsonl.part'));
    await put('theirs/try.results.jsonl', line('a', 1));
    await run('theirs/try.results.jsonl');
    assert.equal(await text('secret'), 'secret');
    assert.equal(await text('ours/try.results.jsonl'), line('a', 1));
  });
});
