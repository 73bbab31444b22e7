import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Over } from '../../../src/experiments/format';
import { itemsOf } from '../../../src/experiments/items';
import { readResultsFile } from '../../../src/experiments/resultsFile';
import { withStall } from '../../support/stall';

describe('The inputs of an experiment', () => {
  let folder: string;
  let outside: string;
  const put = async (name: string, text: string) => {
    await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await fs.writeFile(path.join(folder, name), text);
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

  it('are the files of a glob, in order, with their hash and the label of their folder', async () => {
    for (const name of [
      'photos/dog/b.png',
      'photos/cat/ä.png',
      'photos/cat/a.PNG',
      'photos/notes.txt',
      'x.png',
    ])
      await put(name, name);
    const over = { files: './photos/**/*.{png,jpg}', map: { '/input/image': 'file' } } as const;
    const { items, faults } = await itemsOf(over, { folder: true }, folder);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      items.map(({ name, expected }) => [name, expected]),
      [
        ['photos/cat/ä.png', 'cat'],
        ['photos/dog/b.png', 'dog'],
      ],
    );
    const [first] = items;
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
  });

  it('are the rows of a table, with what is expected of each', async () => {
    await put('labels.csv', 'text,language,n\nHallo,de,1\nBonjour,fr,2\n');
    const over = { rows: 'labels.csv', map: { '/input/text': 'text', '/params/top_k': 'n' } };
    const { items, faults, isText } = await itemsOf(over, { column: 'language' }, folder);
    assert.deepEqual([faults, isText], [[], true]);
    assert.deepEqual(items[1], {
      name: 'row 3',
      values: { '/input/text': 'Bonjour', '/params/top_k': '2' },
      files: [],
      expected: 'fr',
    });
  });

  it('say what is missing, and have no item for it', async () => {
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
  });

  it('without `over` are one that changes nothing', async () => {
    const { items } = await itemsOf(undefined, undefined, folder);
    assert.deepEqual(items, [{ name: '', values: {}, files: [] }]);
  });

  it('are found in time, whatever the globs of a repository are', async () => {
    for (const name of ['a'.repeat(200), `${'a/'.repeat(40)}c`, 'aaaa.png']) await put(name, name);
    const globs = [
      `${'*a'.repeat(60)}b`,
      `${'a/**/'.repeat(30)}b`,
      `${'[a-z]*'.repeat(60)}!`,
      `${'+(a|aa)'.repeat(20)}b`,
      '{a,b}'.repeat(40),
      '{'.repeat(500),
      '*'.repeat(100_000),
      '[',
    ];
    for (const glob of globs) {
      const over: Over = { files: [glob, '*.png'], map: { '/input/image': 'file' } };
      const { result, stallMs } = await withStall(() => itemsOf(over, undefined, folder));
      assert.deepEqual(
        result.items.map(({ name }) => name).filter((name) => name.endsWith('.png')),
        ['aaaa.png'],
        glob.slice(0, 40),
      );
      assert.ok(stallMs < 50, `${glob.slice(0, 40)}: ${stallMs} ms`);
    }
  });
});

(process.platform === 'win32' ? describe.skip : describe)('The results of an experiment', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'results-'));
  });
  afterEach(() => fs.rm(folder, { recursive: true }));

  it('are read only from a file: no pipe, device, link or folder in its place is waited for or followed', async () => {
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
