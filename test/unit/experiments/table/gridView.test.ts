import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TableQuery, TableRowsPart } from '../../../../src/protocol/experiment';
import { columnGroups } from '../../../../webview/experiment/columnGroups';
import { RowBlocks } from '../../../../webview/experiment/rowBlocks';
import { initialView, shownColumns, withColumns } from '../../../../webview/experiment/viewSettings';

describe('The view of the table', () => {
  it('groups columns by a value, every column once, and each value in one group', () => {
    const value = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(8)), (values, order) => {
        const columns = values.map((own, at) => ({
          name: String(at),
          places: [{ pointer: '/model', name: 'model', value: own }],
        }));
        const view = { ...initialView, order: [...new Set(order)], group: '/model' };
        const shown = shownColumns(view, { columns });
        assert.deepEqual(
          shown.toSorted((a, b) => a - b),
          values.map((_, at) => at),
        );
        const groups = columnGroups(view, { columns }, shown);
        assert.equal(groups.length, new Set(values).size);
        for (const { text, first, count } of groups)
          assert.ok(shown.slice(first, first + count).every((at) => text === `model ${values[at]}`));
        assert.equal(
          groups.reduce((sum, { count }) => sum + count, 0),
          values.length,
        );
      }),
    );
  });

  it('keeps all that was said of a column with its name when columns come, go and move', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
    fc.assert(
      fc.property(names, names, fc.nat(4), (before, now, at) => {
        const column = at % before.length;
        const sort = { column, by: 'cost', descending: true } as const;
        const said = { order: [column], hidden: [column], baseline: column, of: column, sort };
        const view = withColumns(
          { ...initialView, ...said, widths: { [column]: 99, [-1]: 300 } },
          before,
          now,
        );
        const place = now.indexOf(before[column]!);
        const found = place < 0 ? [] : [place];
        assert.deepEqual([view.order, view.hidden], [found, found]);
        assert.deepEqual([view.baseline, view.of, view.sort?.column], [found[0], found[0], found[0]]);
        assert.deepEqual(view.widths, { [-1]: 300, ...(place >= 0 && { [place]: 99 }) });
      }),
    );
  });

  it('shows other results behind the column that is compared with them, and never while judging blind', () => {
    const column = (name: string, other?: { readonly own?: number }) => ({
      ...{ name, places: [] },
      ...(other && { other: { label: 'before', ...other } }),
    });
    const columns = [
      column('a'),
      column('b'),
      column('a, before', { own: 0 }),
      column('b, before', { own: 1 }),
      column('c', {}),
    ];
    assert.deepEqual(shownColumns(initialView, { columns }), [0, 2, 1, 3, 4]);
    assert.deepEqual(shownColumns({ ...initialView, order: [1, 0] }, { columns }), [1, 3, 0, 2, 4]);
    assert.deepEqual(shownColumns({ ...initialView, blind: 1 }, { columns }), [0, 1]);
  });
});

describe('The blocks that the page holds', () => {
  const query: TableQuery = {
    text: '',
    show: 'all',
    fold: false,
    columns: Array.from({ length: 20 }, (_, at) => at),
  };
  const part = (from: number, count: number, columns: readonly number[], text = ''): TableRowsPart => ({
    rows: Array.from({ length: count }, (_, at) => ({
      row: from + at,
      name: `row ${from + at}`,
      inputs: [],
      cells: columns.map((column) => ({
        state: 'finished',
        kind: 'text',
        text: `${text}${from + at}/${column}`,
      })),
    })),
    total: 100,
    folded: 0,
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('stay drawn for another filter until the new ones arrive, without actions on them', async () => {
    const waiting: (() => void)[] = [];
    const blocks = new RowBlocks(
      (asked, from, count, columns) =>
        new Promise((resolve, reject) =>
          waiting.push(() =>
            asked.text === 'fails' ? reject(new Error()) : resolve(part(from, count, columns, asked.text)),
          ),
        ),
      () => undefined,
    );
    const one = { rows: { first: 0, last: 5 }, columns: { first: 0, last: 5 } };
    const answer = async () => {
      waiting.shift()!();
      await settled();
    };
    const texts = () =>
      [blocks.drawn(0, one.columns), blocks.row(0, one.columns)].map((row) => row?.cells.get(0)?.text);
    const ask = (changes: Partial<TableQuery>) => {
      blocks.renew({ ...query, ...changes }, true);
      blocks.want(one);
    };
    ask({ text: 'a ' });
    await answer();
    ask({ text: 'b ' });
    assert.deepEqual([texts(), blocks.areOld], [['a 0/0', undefined], true]);
    await answer();
    assert.deepEqual([texts(), blocks.areOld], [['b 0/0', 'b 0/0'], false]);
    ask({ text: 'fails' });
    await answer();
    assert.deepEqual(texts(), [undefined, undefined], 'they would look like the rows that were asked for');
    ask({ text: 'c ' });
    await answer();
    ask({ text: 'c ', blind: 7 });
    assert.deepEqual(texts(), [undefined, undefined]);
    await answer();
    ask({ text: 'c ', columns: [1, 0] });
    assert.deepEqual(texts(), [undefined, undefined], 'its cells would stand in columns of others');
  });
});
