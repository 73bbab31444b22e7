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

  it('come from the rows of a table, with the expected value of each, or are one unchanged input', async () => {
    await put('labels.csv', 'text,language,n\nHallo,de,1\nBonjour,fr,2\n');
    const over = { rows: 'labels.csv', map: { '/input/text': 'text', '/params/top_k': 'n' } };
    const { items, faults, isText } = await itemsOf(over, { column: 'language' }, folder);
    assert.deepEqual([items.length, faults, isText], [2, [], true]);
    const values = { '/input/text': 'Bonjour', '/params/top_k': '2' };
    assert.deepEqual(items[1], { name: 'row 3', values, files: [], expected: 'fr' });
    const one = await itemsOf(undefined, undefined, folder);
    assert.deepEqual(one.items, [{ name: '', values: {}, files: [] }]);
  });

  it('name the column that a table lacks, with those that it has, and a separator of its own', async () => {
    const map = { '/input/text': 'words' };
    const lacks = { fault: 'noColumn', column: 'words', columns: ['text', 'label'] };
    for (const [text, ...wanted] of [
      ['text,label\na,b\n', lacks],
      ['text;label\na;b\n', { ...lacks, delimiter: ';' }],
      ['', { fault: 'empty' }],
    ] as const) {
      await put('a.csv', text);
      const { items, faults } = await itemsOf({ rows: 'a.csv', map }, { column: 'words' }, folder);
      assert.deepEqual([items, faults], [[], wanted], text);
    }
    await put('a.csv', 'sep=|\nwords|n\na|1\n');
    assert.equal((await itemsOf({ rows: 'a.csv', map }, undefined, folder)).delimiter, '|');
  });

  it('leave out numbers that JavaScript would change, in a column that is sent', async () => {
    const sent = [
      '9007199254740993,"id":1',
      '1,"id":12345678901234567890',
      '[0.12345678901234567891],"id":2',
    ];
    await put('n.jsonl', sent.map((rest) => `{"n":${rest}}\n`).join(''));
    const over = { rows: 'n.jsonl', map: { '/input/n': 'n' } };
    const { items, faults } = await itemsOf(over, { column: 'id' }, folder);
    const read = items.map(({ values, expected }) => [values['/input/n'], expected]);
    assert.deepEqual(read, [[1, '12345678901234567890']]);
    assert.deepEqual(
      faults.map((fault) => 'line' in fault && fault.line),
      [1, 3],
    );
    await put('n.jsonl', `${'{"n":9007199254740993}\n'.repeat(30)}{"n":1}\n`);
    const many = await itemsOf(over, undefined, folder);
    assert.deepEqual([many.items.length, many.faults.length], [1, 20], 'the first of many lines');
  });

  it('fail for unsuitable bytes before a run is paid for, and where a link leads nowhere or out', async () => {
    const write = (name: string, content: string) =>
      fs.writeFile(path.join(folder, name), Buffer.from(content, 'latin1'));
    await write('a.png', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n');
    await write('b.jpg', '<!DOCTYPE html><html></html>');
    await write('c.png', '');
    await write('d.png', '\xff\xd8\xff\xe0');
    await put('e.png', 'e');
    await fs.symlink('e.png', path.join(folder, 'f.png'));
    await fs.symlink('none.png', path.join(folder, 'g.png'));
    await fs.symlink(path.join(outside, 'secret.png'), path.join(folder, 'h.png'));
    const over = { files: '*.{png,jpg}', map: image };
    const { items, faults } = await itemsOf(over, undefined, folder, () => ['image/png']);
    assert.deepEqual(items.map(({ name }) => name).join(), 'e.png,f.png');
    assert.deepEqual(faults.map((one) => `${one.fault} ${'path' in one ? one.path : ''}`).sort(), [
      'broken g.png',
      'emptyFile c.png',
      'otherType d.png',
      'outside h.png',
      'pointer a.png',
      'textInside b.jpg',
    ]);
    const named = await itemsOf({ ...over, map: { '/input/title': 'name' } }, undefined, folder);
    assert.ok(named.items.every(({ files, values }) => files.length === 0 && values['/input/title']));
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
