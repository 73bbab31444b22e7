import assert from 'node:assert/strict';
import { LARGEST_TABLE, readTable } from '../../../src/intake/table';
import { Turns } from '../../../src/service/turns';
import { withStall } from '../../support/stall';

/** The time that one input may keep everything else waiting. */
const LIMIT_MS = 100;

const bytes = (text: string) => new TextEncoder().encode(text);
const names = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);
/** A head, and one line over and over. */
const table = (head: string, line: string, most = 8_000_000) =>
  bytes(head + line.repeat(Math.floor((Math.min(most, LARGEST_TABLE) - head.length) / line.length)));
const row = (count: number, value: string) =>
  `${JSON.stringify(Object.fromEntries(names(count).map((name) => [name, value])))}\n`;

/** Tables that take as many of one part as they may, or as takes a second: each with its ending, and its fault. */
const LARGEST: Readonly<Record<string, readonly [file: Uint8Array, ending: string, fault?: string]>> = {
  'short rows': [table('a,b\n', '1,2\n', 800_000), '.csv'],
  'rows of no cells': [table('a\n', '\n'), '.csv', 'noRows'],
  'rows with too few cells': [table('a,b\n', '1\n', 400_000), '.csv', 'ragged'],
  columns: [table(`${names(5_000).join(',')}\n`, `${','.repeat(4_999)}\n`, 3_900_000), '.csv'],
  cells: [table(`${names(5_000).join(',')}\n`, `${','.repeat(4_999)}\n`, 25_000_000), '.csv', 'tooManyCells'],
  'cells of a TSV': [
    table(`${names(5_000).join('\t')}\n`, `${'\t'.repeat(4_999)}\n`, 25_000_000),
    '.tsv',
    'tooManyCells',
  ],
  'a quote that is not closed': [table('a,b\n"', '1,2\n'), '.csv', 'openQuote'],
  'quotes of a TSV': [table('a\tb\n', '"""\t"x"y\n', 1_000_000), '.tsv'],
  'objects on lines': [table('', row(20, 'x'), 8_000_000), '.jsonl'],
  'members of objects': [table('', row(5_000, 'x'), 8_000_000), '.jsonl'],
  'lines that are no objects': [table('', '[[],[]]\n', 800_000), '.jsonl', 'line'],
  'a longer line': [bytes(`{"a":"${'x'.repeat(4_000_000)}"}\n{"a":1}\n`), '.jsonl', 'line'],
  'a longer list': [bytes(`[\n${'{"a":1},\n'.repeat(500_000)}{}]`), '.jsonl', 'oneJson'],
  'a list of lists': [bytes(`[${'[],'.repeat(5_000_000)}[]]`), '.jsonl', 'oneJson'],
};

describe('The largest table of', function () {
  this.timeout(60_000);
  for (const [what, [file, ending, fault]] of Object.entries(LARGEST))
    it(`${what} is read in short turns`, async () => {
      const { result, stallMs, cpuMs } = await withStall(
        () => readTable(file, ending, new Turns()),
        LIMIT_MS,
      );
      assert.equal(result.faults[0]?.fault, fault);
      assert.ok(stallMs < LIMIT_MS, `${Math.round(stallMs)} ms`);
      assert.ok(cpuMs < 4_000, `${Math.round(cpuMs)} ms`);
    });

  it('many columns keeps the columns that are asked for', async () => {
    const [file] = LARGEST.cells!;
    const { rows, columns, faults } = await readTable(file, '.csv', new Turns(), {
      columns: new Set(['c7']),
      mostRows: 100,
    });
    assert.deepEqual([columns.length, rows.length, rows[0]!.values], [5_000, 100, { c7: '' }]);
    assert.deepEqual(faults, [{ fault: 'tooManyRows', most: 200_000 }]);
  });
});
