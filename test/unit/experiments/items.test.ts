import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { delimiterText, itemFaultText } from '../../../src/experiments/file/faultText';
import type { Over } from '../../../src/experiments/file/format';
import { itemsOf } from '../../../src/experiments/file/items';
import { globOf } from '../../../src/experiments/file/newExperiment';
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

  it('name the separator of a table when its ending does not give it', async () => {
    const said = async (name: string, text: string) => {
      await put(name, text);
      const { items, delimiter } = await itemsOf(
        { rows: name, map: { '/input/text': 'b' } },
        undefined,
        folder,
      );
      assert.deepEqual(items[0]?.values, { '/input/text': '2' }, text);
      return delimiter && delimiterText(delimiter);
    };
    assert.equal(await said('a.csv', 'a,b\n1,2\n'), undefined);
    assert.equal(await said('b.tsv', 'a\tb\n1\t2\n'), undefined);
    assert.equal(await said('c.csv', 'a;b\n1;2\n'), 'columns taken at each “;”');
    assert.equal(await said('d.csv', 'sep=|\na|b\n1|2\n'), 'columns taken at each “|”');
    assert.equal(await said('e.csv', 'a\tb\n1\t2\n'), 'columns taken at each “tab”');
  });

  it('come from the files of a glob, in order, with their hash and the label of their folder', async () => {
    for (const name of [
      'photos/dog/b.png',
      'photos/cat/ä.png',
      'photos/cat/a.PNG',
      'photos/notes.txt',
      'x.png',
    ])
      await put(name, name);
    const map = { '/input/image': 'file', '/input/title': 'name' } as const;
    const over = { files: './photos/**/*.{png,jpg}', map };
    const { items, faults } = await itemsOf(over, { folder: true }, folder);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      items.map(({ name, expected }) => [name, expected]),
      [
        ['photos/cat/a.PNG', 'cat'],
        ['photos/cat/ä.png', 'cat'],
        ['photos/dog/b.png', 'dog'],
      ],
    );
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

  it('come from the rows of a table, with the expected value of each', async () => {
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
  });

  it('consist of one unchanged input without `over`', async () => {
    const { items } = await itemsOf(undefined, undefined, folder);
    assert.deepEqual(items, [{ name: '', values: {}, files: [] }]);
  });

  const image = { '/input/image': 'file' } as const;
  const faultsOf = async (over: Over) =>
    (await itemsOf(over, undefined, folder)).faults.map(({ fault, ...more }) => [
      fault,
      'path' in more && more.path,
    ]);

  it('include all files chosen one by one, with any names, and a fault for each missing one', async () => {
    const names = Array.from({ length: 600 }, (_, at) => `photos/${at}.png`);
    names.push(
      'a{1}.png',
      '{{cookiecutter.slug}}/x.png',
      '.hidden/y.png',
      'b[2]*.png',
      'node_modules/z.png',
      'a,b.png',
    );
    for (const name of names) await put(name, name);
    const { items, faults } = await itemsOf(
      { files: [...names.map(globOf), 'gone.png'], map: image },
      undefined,
      folder,
    );
    assert.deepEqual(
      items.map(({ name }) => name),
      [...names].sort(),
    );
    assert.deepEqual(faults, [{ fault: 'missing', path: 'gone.png' }]);
  });

  it('match either spelling of an accent', async () => {
    await put('nf/e\u0301.png', 'a');
    await put('nf/e\u0301.txt', 'cafe\u0301');
    await put('rows-e\u0301.csv', 'te\u0301xt\nhello\n');
    for (const files of ['nf/é.png', 'nf/é*.png', './nf/{é,x}.png', 'nf/e\u0301.png']) {
      const { items } = await itemsOf({ files, map: image }, undefined, folder);
      assert.equal(items.length, 1, files);
    }
    const beside = await itemsOf({ files: 'nf/é.png', map: image }, { file: '.txt' }, folder);
    assert.equal(beside.items[0]?.expected, 'cafe\u0301');
    const rows = await itemsOf({ rows: 'rows-é.csv', map: { '/input/text': 'téxt' } }, undefined, folder);
    assert.deepEqual(rows.items[0]?.values, { '/input/text': 'hello' });
  });

  it('include targets of links inside the folder; others are reported', async () => {
    await put('store/1.png', 'one');
    await fs.mkdir(path.join(folder, 'dvc'));
    await fs.symlink('../store/1.png', path.join(folder, 'dvc', 'a.png'));
    await fs.symlink('../store/none.png', path.join(folder, 'dvc', 'b.png'));
    for (const name of ['c.png', 'not-asked-for.txt'])
      await fs.symlink(path.join(outside, 'secret.png'), path.join(folder, 'dvc', name));
    const { items, faults } = await itemsOf({ files: 'dvc/*.png', map: image }, undefined, folder);
    assert.deepEqual(
      items.map(({ name }) => name),
      ['dvc/a.png'],
    );
    assert.deepEqual(faults, [
      { fault: 'broken', path: 'dvc/b.png' },
      { fault: 'outside', path: 'dvc/c.png' },
    ]);
  });

  it('fail for unsuitable bytes, before a run is paid for', async () => {
    const write = (name: string, content: string) =>
      fs.writeFile(path.join(folder, name), Buffer.from(content, 'latin1'));
    await write('a.png', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n');
    await write('b.jpg', '<!DOCTYPE html><html></html>');
    await write('c.png', '');
    await write('d.png', '\xff\xd8\xff\xe0');
    assert.deepEqual(await faultsOf({ files: '*.{png,jpg}', map: image }), [
      ['pointer', 'a.png'],
      ['textInside', 'b.jpg'],
      ['emptyFile', 'c.png'],
    ]);
    const png = await itemsOf({ files: 'd.png', map: image }, undefined, folder, () => ['image/png']);
    assert.deepEqual(png.faults, [{ fault: 'otherType', is: 'image/jpeg', path: 'd.png' }]);
  });

  it('accept texts in UTF-8 or UTF-16, and no other bytes', async () => {
    await put('utf8.txt', '\ufeffcafé');
    await fs.writeFile(path.join(folder, 'utf16.txt'), Buffer.from('\ufeffcafé', 'utf16le'));
    await fs.writeFile(path.join(folder, 'latin.txt'), Buffer.from('a\ncafé', 'latin1'));
    await fs.writeFile(path.join(folder, 'picture.txt'), Buffer.from(`${PNG}\0\0`, 'latin1'));
    const { items, faults } = await itemsOf(
      { files: '*.txt', map: { '/input/text': 'text' } },
      undefined,
      folder,
    );
    assert.deepEqual(
      items.map(({ values }) => values['/input/text']),
      ['café', 'café'],
    );
    assert.deepEqual(faults, [
      { fault: 'encoding', line: 2, path: 'latin.txt' },
      { fault: 'binary', line: 1, path: 'picture.txt' },
    ]);
  });

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

  it('fail at a number that JavaScript would change, in a column that is sent', async () => {
    await put(
      'n.jsonl',
      '{"n":9007199254740993,"id":1}\n{"n":1,"id":9007199254740992}\n{"n":[0.12345678901234567891],"id":12345678901234567890}\n{"n":2,"id":12345678901234567890}\n',
    );
    const { items, faults } = await itemsOf(
      { rows: 'n.jsonl', map: { '/input/n': 'n' } },
      { column: 'id' },
      folder,
    );
    assert.deepEqual(
      items.map(({ values, expected }) => [values['/input/n'], expected]),
      [
        [1, 9007199254740992],
        [2, '12345678901234567890'],
      ],
    );
    assert.deepEqual(
      faults.map((fault) => 'line' in fault && fault.line),
      [1, 3],
    );
    assert.match(
      itemFaultText(faults[0]!),
      /^Line 1 cannot be read: 9007199254740993 cannot be sent exactly/,
    );
    await put('many.jsonl', `${'{"n":9007199254740993}\n'.repeat(30)}{"n":1}\n`);
    const many = await itemsOf({ rows: 'many.jsonl', map: { '/input/n': 'n' } }, undefined, folder);
    assert.deepEqual([many.items.length, many.faults.length], [1, 20], 'it names the first of many lines');
  });

  it('send no file, and accept any type, when only the name or the text is used', async () => {
    await put('a.txt', 'hello');
    const map = { '/input/text': 'text', '/input/title': 'name' } as const;
    const found = await itemsOf({ files: '*.txt', map }, undefined, folder, () => ['image/png']);
    assert.deepEqual(found, {
      items: [{ name: 'a.txt', values: { '/input/text': 'hello', '/input/title': 'a.txt' }, files: [] }],
      ...{ faults: [], isText: false },
    });
  });

  it('name the column that a table lacks, with those that it has', async () => {
    const map = { '/input/text': 'words' };
    const faults = async (name: string, text: string) => {
      await put(name, text);
      return (await itemsOf({ rows: name, map }, { column: 'words' }, folder)).faults;
    };
    const columns = ['text', 'label'];
    assert.deepEqual(await faults('a.csv', 'text,label\na,b\n'), [
      { fault: 'noColumn', column: 'words', columns },
    ]);
    assert.deepEqual(await faults('b.csv', 'text;label\na;b\n'), [
      { fault: 'noColumn', column: 'words', columns, delimiter: ';' },
    ]);
    assert.deepEqual(await faults('c.csv', ''), [{ fault: 'empty' }], 'which says it all');
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

  it('appear for any globs of a repository', async () => {
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
      const result = await itemsOf(over, undefined, folder);
      assert.deepEqual(
        result.items.map(({ name }) => name).filter((name) => name.toLowerCase().endsWith('.png')),
        ['aaaa.png'],
        glob.slice(0, 40),
      );
    }
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
