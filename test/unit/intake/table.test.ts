import assert from 'node:assert/strict';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { readTable as read } from '../../../src/intake/readTable';
import { Turns } from '../../../src/service/turns';

const readTable = (file: Uint8Array, ending: string) => read(file, ending, new Turns());
const bytes = (text: string) => new TextEncoder().encode(text);
const cell = fc.string({ unit: fc.constantFrom('a', 'ä', ',', '\t', '"', '\n', '\r\n', ' ', '鳥', '=') });

describe('A table of inputs', () => {
  it('returns the cells that any writer of CSV and TSV wrote', async () => {
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom([',', '.csv'], ['\t', '.tsv']),
        async ([...rows], [delimiter, extension]) => {
          // A cell of TSV is on one line.
          if (extension === '.tsv') fc.pre(rows.flat().every((text) => !/[\r\n]/.test(text)));
          const columns = rows[0]!.map((_, at) => `c${at}`);
          fc.pre(rows.every((row) => row.some((text) => text.trim() !== '')));
          const written = stringify([columns, ...rows], { delimiter, quoted: true, quoted_empty: true });
          const read = await readTable(bytes(written), extension!);
          assert.deepEqual(read.faults, []);
          assert.deepEqual(
            read.rows.map(({ values }) => Object.values(values)),
            rows,
          );
        },
      ),
    );
  });

  it('keeps the values of JSONL, with the number of each line', async () => {
    const { rows, columns, faults } = await readTable(
      bytes('{"text":"a","n":1}\n\n{"text":"b","deep":{"x":[1]}}\n'),
      '.jsonl',
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(columns, ['text', 'n', 'deep']);
    assert.deepEqual(rows, [
      { line: 1, values: { text: 'a', n: 1 } },
      { line: 3, values: { text: 'b', deep: { x: [1] } } },
    ]);
  });

  it('reads a byte order mark and UTF-16, and guesses no other encoding', async () => {
    const text = 'text,label\nJürgen,de\n';
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    for (const file of [bytes(`\uFEFF${text}`), wide])
      assert.deepEqual((await readTable(file, '.csv')).rows[0]?.values, { text: 'Jürgen', label: 'de' });
    assert.deepEqual((await readTable(Buffer.from(text, 'latin1'), '.csv')).faults, [
      { fault: 'encoding', line: 2 },
    ]);
  });

  it('names the line of a row with too few cells, and does not fill it up', async () => {
    const ragged = await readTable(bytes('a,b\n1,2\n3\n4,5,6\n7,8\n'), '.csv');
    assert.deepEqual(
      ragged.faults.map((fault) => ({ ...fault })),
      [
        { fault: 'ragged', line: 3, cells: 1, columns: 2 },
        { fault: 'ragged', line: 4, cells: 3, columns: 2 },
      ],
    );
    assert.deepEqual(
      ragged.rows.map(({ values }) => values.a),
      ['1', '7'],
    );
    assert.equal((await readTable(bytes('a,a\n1,2\n'), '.csv')).faults[0]?.fault, 'column');
    assert.equal((await readTable(bytes('a,b\n"1,2\n'), '.csv')).faults[0]?.fault, 'openQuote');
    assert.equal((await readTable(bytes('{"a":1}\n[1]\n{'), '.jsonl')).faults.length, 2);
    assert.equal((await readTable(bytes('  \n'), '.csv')).faults[0]?.fault, 'empty');
    assert.equal((await readTable(bytes('a,b\n'), '.csv')).faults[0]?.fault, 'noRows');
    assert.equal((await readTable(bytes('x'), '.xlsx')).faults[0]?.fault, 'kind');
  });

  it('stops after a number of rows, and rejects a value that is nested too deep', async () => {
    const many = 'a,b\n'.repeat(1_000_000);
    for (const [text, ending] of [
      [`text,label\n${many}`, '.csv'],
      ['{"a":1}\n'.repeat(300_000), '.jsonl'],
    ] as const) {
      const { rows, faults } = await readTable(bytes(text), ending);
      assert.deepEqual([rows.length, faults], [200_000, [{ fault: 'tooManyRows', most: 200_000 }]]);
    }
    const deep = `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n{"text":[[["a"]]]}\n`;
    const { rows, faults } = await readTable(bytes(deep), '.jsonl');
    assert.deepEqual([rows.map(({ line }) => line), faults.map((fault) => fault.fault)], [[2], ['line']]);
  });

  it('returns rows or faults for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('.csv', '.tsv', '.jsonl', '.ndjson', ''),
        async (file, kind) => {
          const { rows, faults } = await readTable(file, kind);
          assert.ok(rows.length > 0 || faults.length > 0);
          assert.ok(faults.length <= 21);
        },
      ),
    );
    const proto = (await readTable(bytes('__proto__,constructor\na,b\n'), '.csv')).rows[0]!.values;
    assert.deepEqual(Object.entries(proto), [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  it('ends a row at CR LF and at LF in one file, and at CR in a file without LF', async () => {
    const end = fc.constantFrom('\r\n', '\n');
    const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b c', 'ä'), fc.constantFrom('1', '', 'x'), end), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(
        rows,
        end,
        fc.constantFrom([',', '.csv'], ['\t', '.tsv']),
        async (cells, headEnd, kind) => {
          const [between, ending] = kind as [string, string];
          const lines = cells.map(([text, n, lineEnd]) => `${text}${between}${n}${lineEnd}`);
          const written = `text${between}n${headEnd}${lines.join('')}`;
          const { rows, faults } = await readTable(bytes(written), ending);
          assert.deepEqual(faults, []);
          assert.deepEqual(
            rows.map(({ line, values }) => [line, values.text, values.n]),
            cells.map(([text, n], at) => [at + 2, text, n]),
          );
          const old = written.replaceAll(/\r?\n/g, '\r');
          assert.deepEqual((await readTable(bytes(old), ending)).rows.length, cells.length);
        },
      ),
    );
  });

  it('takes the delimiter that fits the lines, and names it', async () => {
    for (const [text, delimiter, row] of [
      ['sep=;\ntext;n\na,b;1\n', ';', ['a,b', '1']],
      ['sep=\t\r\ntext\tn\r\na,b\t1\r\n', '\t', ['a,b', '1']],
      ['text\tn\na, b\t1\nc\t2\n', '\t', ['a, b', '1']],
      ['text|n\na, b|1\n', '|', ['a, b', '1']],
      ['"text";"label, if any"\na;b\nc;d\n', ';', ['a', 'b']],
    ] as const) {
      const table = await readTable(bytes(text), '.csv');
      assert.deepEqual([table.delimiter, table.faults], [delimiter, []], text);
      assert.deepEqual(Object.values(table.rows[0]!.values), row);
    }
    assert.equal((await readTable(bytes('sep=;\ntext;n\na;b\n'), '.csv')).rows[0]?.line, 3);
    assert.equal((await readTable(bytes('text,n\na,1\n'), '.tsv')).delimiter, ',');
    assert.equal('delimiter' in (await readTable(bytes('text\nhello; world\n'), '.csv')), false);
  });

  it('reads a list in a JSONL file, and has one message for other JSON over several lines', async () => {
    const rows = [{ text: 'a' }, { text: 'b', n: 1 }];
    for (const text of [JSON.stringify(rows), JSON.stringify(rows, null, 2)]) {
      const table = await readTable(bytes(text), '.jsonl');
      assert.deepEqual(
        table.rows.map(({ line, values }) => [line, values]),
        [
          [1, rows[0]],
          [2, rows[1]],
        ],
      );
    }
    for (const text of [
      JSON.stringify({ data: rows }, null, 2),
      rows.map((row) => JSON.stringify(row, null, 2)).join('\n'),
    ])
      assert.deepEqual((await readTable(bytes(text), '.jsonl')).faults, [{ fault: 'oneJson' }], text);
    const [fault] = (await readTable(bytes('{"text":"a","n":NaN}\n'), '.jsonl')).faults;
    assert.match(fault?.fault === 'line' ? fault.detail : '', /“NaN” is no value of JSON/);
  });

  it('matches names of columns with composed or decomposed characters', async () => {
    const csv = await readTable(bytes('cafe\u0301\na\n'), '.csv');
    const jsonl = await readTable(bytes('{"cafe\u0301":1}'), '.jsonl');
    assert.deepEqual([csv.columns, jsonl.columns, jsonl.rows[0]?.values], [['café'], ['café'], { café: 1 }]);
  });

  it('counts rows of blank cells, and has none of them', async () => {
    const table = await readTable(bytes('text,label\na,x\n,\n , \nb,y\n,\n'), '.csv');
    assert.deepEqual(
      table.rows.map(({ line }) => line),
      [2, 5],
    );
    assert.equal(table.blankRows, 3);
  });

  it('skips spaces before quotes where all have them, and refuses them where some do', async () => {
    const all = await readTable(bytes(' "text", "label"\n "it, ""no""", "x"\n'), '.csv');
    assert.deepEqual(all.rows[0]?.values, { text: 'it, "no"', label: 'x' });
    const some = await readTable(bytes('text,label\n"a",x\n "b",y\n'), '.csv');
    assert.match(JSON.stringify(some.faults), /a space before its quotes/);
    const inside = await readTable(bytes('text,label\n"a, ""b""",x\n'), '.csv');
    assert.deepEqual(inside.rows[0]?.values, { text: 'a, "b"', label: 'x' });
  });

  it('names the tool for a pointer in place of the table', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
    assert.deepEqual((await readTable(bytes(pointer), '.csv')).faults, [{ fault: 'pointer', tool: 'lfs' }]);
  });
});
