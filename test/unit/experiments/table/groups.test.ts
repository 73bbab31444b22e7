import assert from 'node:assert/strict';
import { summarise } from '../../../../src/experiments/figures/summary';
import { glanceRows } from '../../../../src/experiments/table/glance';
import { groupFigures } from '../../../../src/experiments/table/groups';
import { tableOf } from '../../../support/experiments/table';

const EXPECTED = ['eng', 'eng', 'eng', 'fra', 'fra', 'deu'];
const metrics = [
  { name: 'macro_f1', tolerance: 0 },
  { name: 'accuracy', tolerance: 0 },
] as const;

describe('Groups of rows', () => {
  const table = tableOf({
    items: EXPECTED.map((expected, at) => ({
      ...{ name: `row ${at + 2}`, values: { '/input/text': `text ${at}` }, files: [], expected },
    })),
    // The first column says eng of all rows; the second has run a half of them.
    line: ({ item, variation }) => (variation === 1 && item > 2 ? undefined : { result: 'eng' }),
  });
  const rowsBy = async (groupOf: (row: number) => string | undefined) => {
    const summary = await summarise(table, metrics);
    const grouped = await groupFigures(table, metrics, groupOf);
    return glanceRows(summary, {
      ...{ metrics, comparisons: [], unbeaten: [], placeOf: () => '', shown: [0, 1], locale: 'en' },
      ...(grouped && { grouped }),
    }).map(({ kind, name, cells }) => [
      `${kind} ${name}`,
      ...cells.map((cell) => cell && `${cell.text} ${cell.note ?? ''}`.trim()),
    ]);
  };

  it('show the figures of the first metric of rows below it, and the most frequent label as a reference', async () => {
    const rows = await rowsBy((row) => EXPECTED[row]);
    assert.deepEqual(
      rows.filter(([name]) => /^(?:metric accuracy|group|reference)/.test(name!)),
      [
        ['metric accuracy', '0.500 n 6', '1.000 n 3 of 6'],
        ['group deu', '0.000 n 1', null],
        ['group eng', '1.000 n 3', '1.000 n 3'],
        ['group fra', '0.000 n 2', null],
        ['reference most frequent label', '0.500 eng, 3 of 6', '1.000 eng, 3 of 3'],
      ],
    );
    assert.deepEqual(
      rows.slice(0, 2).map(([name]) => name),
      ['metric macro_f1', 'metric accuracy'],
    );
  });
});
