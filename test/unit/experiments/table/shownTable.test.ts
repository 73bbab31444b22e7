import assert from 'node:assert/strict';
import type { ResultLine } from '../../../../src/experiments/results';
import { ShownTable } from '../../../../src/features/experiments/shownTable';
import type { TableSource } from '../../../../src/features/experiments/tableSource';
import type { TableQuery } from '../../../../src/protocol/experiment';
import { rowOf, tableOf } from '../../../support/experiments/table';

const addresses = {
  input: () => undefined,
  result: (name: string) => `https://page/${name}`,
  resultPath: () => undefined,
};

const shownOf = (
  { cells, unsent = [] }: { readonly cells: readonly string[]; readonly unsent?: readonly boolean[] },
  line: Partial<ResultLine> = {},
) => {
  const source = {
    ...{ metrics: [], problems: [], compared: [], others: [], earlier: new Map() },
    table: tableOf({ items: [rowOf('draw a cat')], line: () => line }),
    loaded: {
      plan: {
        cells: cells.map((customId) => ({ customId })),
        unsent: unsent.map((isRejected) => ({ isRejected })),
      },
    },
  };
  return new ShownTable(source as unknown as TableSource, addresses, 'en');
};

describe('The runs under way', () => {
  const running = new Set(['a', 'b']);

  it('belong to the table when they are the same, in any order', () => {
    assert.equal(shownOf({ cells: ['b', 'a'] }).hasGrid(running), true);
    assert.equal(shownOf({ cells: [] }).hasGrid(new Set()), true);
  });

  it('belong to an older version when a run was added, removed or changed', () => {
    for (const cells of [['a', 'b', 'c'], ['a'], ['a', 'c'], []])
      assert.equal(shownOf({ cells }).hasGrid(running), false, cells.join());
  });

  it('compare without runs that the model rejects, and not before the contract is known', () => {
    assert.equal(shownOf({ cells: ['a', 'b'], unsent: [true] }).hasGrid(running), true);
    assert.equal(shownOf({ cells: ['a'], unsent: [true] }).hasGrid(running), false);
    assert.equal(shownOf({ cells: [], unsent: [true, false] }).hasGrid(running), true);
  });
});

describe('A row that is judged blind', () => {
  it('shows how many further pictures a result has, and no name of a file', () => {
    const line = { result_file: 'a.results/1.png', other_files: ['a.results/2.png', 'a.results/3.png'] };
    const query: TableQuery = { text: '', show: 'all', fold: false, columns: [0, 1], blind: 7 };
    const [row] = shownOf({ cells: [] }, line).rows(query, 0, 1, [0, 1]).rows;
    const cells = row!.cells.map(({ kind, text, more }) => [kind, text, more]);
    assert.deepEqual(cells, [
      ['picture', 'Picture', 2],
      ['picture', 'Picture', 2],
    ]);
  });
});
