import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { itemFaultText } from '../../../src/experiments/file/faultText';
import { itemsOf } from '../../../src/experiments/file/items';
import { readResultsFile } from '../../../src/experiments/results/resultsFile';

const PNG = '\x89PNG\r\n\x1a\n';

describe('The inputs of an experiment', () => {
  let folder: string;
  let outside: string;
  const put = async (name: string, text: string) => {
    await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await fs.writeFile(
      path.join(folder, name),
      name.toLowerCase().endsWith('.png') ? Buffer.from(PNG + text, 'latin1') : text,
    );
  };

  beforeEach(async () => {
    const root = await fs.realpath(await fs.mkdtemp(path.join(tmpdir(), 'items-')));
    folder = path.join(root, 'experiment');
    outside = path.join(root, 'outside');
    await fs.mkdir(folder);
    await fs.mkdir(outside);
    await fs.writeFile(path.join(outside, 'secret.png'), 'secret');
    await fs.writeFile(path.join(outside, 'secret.csv'), 'text\nsecret\n');
  });
  afterEach(() => fs.rm(path.dirname(folder), { recursive: true }));

  it('come from the files of a glob, in order, with their hash and the label of their folder', async () => {
    for (const name of 'photos/dog/b.png photos/cat/ä.png photos/cat/a.PNG photos/notes.txt x.png'.split(' '))
      await put(name, name);
    const map = { '/input/image': 'file', '/input/title': 'name' } as const;
    const over = { files: './photos/**/*.{png,jpg}', map };
    const { items, faults } = await itemsOf(over, { folder: true }, folder);
    assert.deepEqual(faults, []);
    const labels = items.map(({ name, expected }) => `${name} ${expected}`);
    assert.deepEqual(labels, ['photos/cat/a.PNG cat', 'photos/cat/ä.png cat', 'photos/dog/b.png dog']);
    const [, first] = items;
    assert.match(first!.files[0]!.sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(first!.values['/input/image'], { media_ref: first!.files[0]!.uri, filename: 'ä.png' });
  });

  it('never lead out of the folder, by links or by their paths', async () => {
    await fs.symlink(outside, path.join(folder, 'linked'));
    await fs.symlink(path.join(outside, 'secret.png'), path.join(folder, 'one.png'));
    await fs.symlink(path.join(outside, 'secret.csv'), path.join(folder, 'rows.csv'));
    await fs.symlink(folder, path.join(folder, 'circle'));
    const files = { map: { '/input/image': 'file' } } as const;
    for (const glob of ['**/*.png', '../outside/*.png', `${outside}/*.png`, 'linked/*'])
      assert.deepEqual((await itemsOf({ files: glob, ...files }, undefined, folder)).items, [], glob);
    for (const rows of ['rows.csv', '../outside/secret.csv', path.join(outside, 'secret.csv')]) {
      const { items, faults } = await itemsOf({ rows, map: { '/input/text': 'text' } }, undefined, folder);
      assert.deepEqual(items, [], rows);
      assert.equal(faults[0]?.fault, 'outside', rows);
    }
    await put('a.png', 'a');
    await fs.symlink(path.join(outside, 'secret.csv'), path.join(folder, 'a.txt'));
    const beside = await itemsOf({ files: 'a.png', ...files }, { file: '.txt' }, folder);
    assert.deepEqual([beside.items, beside.faults], [[], [{ fault: 'noExpected', path: 'a.png' }]]);
  });

  it('report missing parts, and leave out their items', async () => {
    await put('labels.csv', 'text,language\nHallo,de\n');
    await put('photos/a.png', 'a');
    await put('photos/b.png', 'b');
    await put('photos/b.txt', ' a cat \n');
    const map = { '/input/text': 'words' };
    const column = await itemsOf({ rows: 'labels.csv', map }, { column: 'label' }, folder);
    assert.deepEqual(
      column.faults.map((fault) => 'column' in fault && fault.column),
      ['words', 'label'],
    );
    assert.equal((await itemsOf({ rows: 'none.csv', map }, undefined, folder)).faults[0]?.fault, 'missing');
    const files = { files: 'photos/*.png', map: { '/input/image': 'file' } } as const;
    const beside = await itemsOf(files, { file: '.txt' }, folder);
    assert.deepEqual(
      beside.items.map(({ name, expected }) => [name, expected]),
      [['photos/b.png', 'a cat']],
    );
    assert.deepEqual(beside.faults, [{ fault: 'noExpected', path: 'photos/a.png' }]);
    const none = await itemsOf({ ...files, files: '*.gif' }, undefined, folder);
    assert.equal(none.faults[0]?.fault, 'noFiles');
    for (const glob of ['../photos/*.png', '/photos/*.png'])
      assert.deepEqual((await itemsOf({ ...files, files: glob }, undefined, folder)).faults, [
        { fault: 'outside', path: glob },
      ]);
  });

  const image = { '/input/image': 'file' } as const;

  it('name unreadable files that a glob may mean', async function () {
    if (process.getuid?.() === 0 || process.platform === 'win32') this.skip();
    await put('photos/a.png', 'a');
    await put('photos/no.png', 'b');
    await put('photos/closed/c.png', 'c');
    await put('private/d.png', 'd');
    await fs.chmod(path.join(folder, 'photos/no.png'), 0);
    for (const closed of ['photos/closed', 'private']) await fs.chmod(path.join(folder, closed), 0);
    try {
      const { items, faults } = await itemsOf({ files: 'photos/**/*.png', map: image }, undefined, folder);
      assert.deepEqual(
        [items.length, faults],
        [
          1,
          [
            { fault: 'unreadable', path: 'photos/closed', detail: 'EACCES' },
            { fault: 'unreadable', path: 'photos/no.png', detail: 'EACCES' },
          ],
        ],
      );
    } finally {
      for (const closed of ['photos/closed', 'private']) await fs.chmod(path.join(folder, closed), 0o755);
    }
  });

  it('expect nothing where a line of JSON lacks the expected member', async () => {
    await put('rows.jsonl', '{"text":"a"}\n{"text":"b","label":null}\n{"label":"c"}\n');
    const over = { rows: 'rows.jsonl', map: { '/input/text': 'text' } };
    const { items } = await itemsOf(over, { column: 'label' }, folder);
    assert.deepEqual(items, [
      { name: 'row 1', values: { '/input/text': 'a' }, files: [] },
      { name: 'row 2', values: { '/input/text': 'b' }, files: [], expected: null },
      { name: 'row 3', values: {}, files: [], expected: 'c' },
    ]);
    const without = await itemsOf(over, undefined, folder);
    assert.ok(without.items.every((item) => !('expected' in item)));
  });

  it('name texts that are too long, globs that cannot be used, and paths that are no files', async () => {
    await put('long.txt', 'a'.repeat(1_000_001));
    await put('enough.txt', 'a'.repeat(1_000_000));
    const texts = { map: { '/input/text': 'text' } } as const;
    const found = await itemsOf({ files: '*.txt', ...texts }, undefined, folder);
    assert.deepEqual(
      found.items.map(({ name }) => name),
      ['enough.txt'],
    );
    assert.deepEqual(found.faults, [
      { fault: 'tooLarge', bytes: 1_000_001, most: 1_000_000, path: 'long.txt' },
    ]);
    assert.equal(itemFaultText(found.faults[0]!), '“long.txt” has 1 MB; 1 MB can be read as text.');
    await put('long.png', 'a');
    const beside = await itemsOf({ files: 'long.png', map: image }, { file: '.txt' }, folder);
    assert.deepEqual(beside.faults, found.faults, 'an expected one too');
    const glob = `${'a'.repeat(1_001)}*`;
    assert.deepEqual((await itemsOf({ files: glob, ...texts }, undefined, folder)).faults, [
      { fault: 'unusableGlob', glob },
    ]);
    await fs.symlink('none', path.join(folder, 'broken.csv'));
    await fs.mkdir(path.join(folder, 'folder.csv'));
    for (const [rows, fault] of [
      ['broken.csv', 'broken'],
      ['folder.csv', 'notAFile'],
      ['../outside/secret.csv', 'outside'],
      ['none.csv', 'missing'],
    ] as const)
      assert.deepEqual((await itemsOf({ rows, map: {} }, undefined, folder)).faults, [{ fault, path: rows }]);
  });
});

(process.platform === 'win32' ? describe.skip : describe)('The results of an experiment', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'results-'));
  });
  afterEach(() => fs.rm(folder, { recursive: true }));

  it('come only from files, without waiting for a pipe or device, or following a link', async () => {
    const at = (name: string) => path.join(folder, name);
    execFileSync('mkfifo', [at('pipe.results.jsonl')]);
    await fs.symlink('/dev/zero', at('device.results.jsonl'));
    await fs.symlink('/etc/passwd', at('link.results.jsonl'));
    await fs.symlink('itself.results.jsonl', at('itself.results.jsonl'));
    await fs.mkdir(at('folder.results.jsonl'));
    for (const name of ['pipe', 'device', 'link', 'itself', 'folder'])
      await assert.rejects(readResultsFile(at(`${name}.results.jsonl`)), /is not a file/, name);
    assert.deepEqual((await readResultsFile(at('none.results.jsonl'))).results, []);
  });
});
