import assert from 'node:assert/strict';
import type { ResultLine } from '../../../../src/experiments/results/resultLine';
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
  const table = tableOf({ items: [rowOf('draw a cat')], line: () => line });
  const source = {
    ...{ metrics: [], problems: [], compared: [], others: [], earlier: new Map() },
    ...{ table, own: table },
    loaded: {
      plan: {
        runs: cells.map((customId) => ({ customId })),
        unsent: unsent.map((isRejected) => ({ isRejected })),
      },
    },
  };
  return new ShownTable(source as unknown as TableSource, addresses, 'en');
};

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
