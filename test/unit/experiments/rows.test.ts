import assert from 'node:assert/strict';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { readTable } from '../../../src/experiments/rows';
import { withStall } from '../../support/stall';

const bytes = (text: string) => new TextEncoder().encode(text);
const cell = fc.string({ unit: fc.constantFrom('a', 'ä', ',', '\t', '"', '\n', '\r\n', ' ', '鳥', '=') });

describe('A table of inputs', () => {
  it('is read as any writer of CSV and TSV writes it', async () => {
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
          const columns = rows[0]!.map((_, at) => `c${at}`);
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

  it('keeps what JSONL has, with the number of each line', async () => {
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

  it('is read with a byte order mark and in UTF-16, and nothing else is guessed', async () => {
    const text = 'text,label\nJürgen,de\n';
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    for (const file of [bytes(`\uFEFF${text}`), wide])
      assert.deepEqual((await readTable(file, '.csv')).rows[0]?.values, { text: 'Jürgen', label: 'de' });
    assert.deepEqual((await readTable(Buffer.from(text, 'latin1'), '.csv')).faults, [{ fault: 'encoding' }]);
  });

  it('names the line of what does not fit, and fills nothing up', async () => {
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
    assert.equal((await readTable(bytes('a,b\n"1,2\n'), '.csv')).faults[0]?.fault, 'line');
    assert.equal((await readTable(bytes('{"a":1}\n[1]\n{'), '.jsonl')).faults.length, 2);
    assert.equal((await readTable(bytes('  \n'), '.csv')).faults[0]?.fault, 'empty');
    assert.equal((await readTable(bytes('a,b\n'), '.csv')).faults[0]?.fault, 'noRows');
    assert.equal((await readTable(bytes('x'), '.xlsx')).faults[0]?.fault, 'kind');
  });

  it('is read as spreadsheets and data sets write it: with semicolons, with quotes inside cells', async () => {
    const rowsIn = async (text: string, ending: string) =>
      (await readTable(bytes(text), ending)).rows.map(({ values }) => Object.values(values));
    assert.deepEqual(await rowsIn('text;score\n"a;b";1,5\n', '.csv'), [['a;b', '1,5']]);
    assert.deepEqual(
      await rowsIn('text,a;b\nx;y,1\n', '.csv'),
      [['x;y', '1']],
      'a comma in the head is what separates',
    );
    assert.deepEqual(await rowsIn('text\tlabel\nHe said "hi"\ten\n', '.tsv'), [['He said "hi"', 'en']]);
  });

  it('is no text with NUL, as UTF-16 without its mark', async () => {
    for (const file of [Buffer.from('text,label\na,b\n', 'utf16le'), bytes('text\na\0b\n')])
      assert.deepEqual((await readTable(file, '.csv')).faults, [{ fault: 'encoding' }]);
  });

  it('is read up to a number of rows, and of a deeper value than any model takes not at all', async () => {
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

  it('holds up nothing else while a long one is read, right or wrong', async () => {
    const rows = 'some text of a row,label,1,2,3\n'.repeat(100_000);
    for (const [head, faults] of [
      ['text,label,a,b,c', 0],
      ['text,label', 20],
    ] as const) {
      const { result, stallMs } = await withStall(() => readTable(bytes(`${head}\n${rows}`), '.csv'));
      assert.equal(result.faults.length, faults);
      assert.ok(stallMs < 50, `${stallMs} ms at a stretch`);
    }
  });

  it('stands whatever bytes it is given', async () => {
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
});
