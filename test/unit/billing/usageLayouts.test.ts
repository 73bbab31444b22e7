import assert from 'node:assert/strict';
import type { UsageCell, UsageFindings } from '../../../src/domain/usage';
import { readUsage } from '../../../src/readers/usage';

// The parts of a usage body that are series, tables and single values, and their names.

const day = (at: number) => new Date(at).toISOString().slice(0, 10);

function shown(cell: UsageCell | undefined): string {
  if (cell === undefined) return '-';
  if (cell.kind === 'money') return `${cell.money.amount} ${cell.money.currency ?? '?'}`;
  if (cell.kind === 'time') return day(cell.at);
  return cell.kind === 'number' ? cell.amount : cell.text;
}

/** All findings, one a line. */
const told = ({ figures, series, tables, emptyLists }: UsageFindings) => [
  ...figures.map(({ name, cell }) => `${name}: ${shown(cell)}`),
  ...series.flatMap(({ name, times, measures }) =>
    measures.map(
      (measure) =>
        `${name}/${measure.name}${measure.isMoney ? ` in ${measure.currency ?? '?'}` : ''}: ${times
          .map((at, index) => `${day(at).slice(8)} ${measure.values[index] ?? '-'}`)
          .join(', ')}`,
    ),
  ),
  ...tables.flatMap(({ name, columns, rows }) => [
    `${name}[${columns}]`,
    ...rows.map((row) => row.map(shown).join(' ')),
  ]),
  ...(emptyLists > 0 ? [`${emptyLists} empty`] : []),
];

type Case = readonly [what: string, body: unknown, ...expected: string[]];

function are(cases: readonly Case[]) {
  for (const [what, body, ...expected] of cases)
    it(what, () => assert.deepEqual(told(readUsage(body)), expected));
}

const [first, second] = ['2026-01-01', '2026-01-02'];
const nested = (value: unknown, times: number): unknown =>
  times === 0 ? value : { a: nested(value, times - 1) };

describe('Rows of usage are', () => {
  are([
    ...[
      'timestamp',
      'time',
      'ts',
      't',
      'date',
      'day',
      'hour',
      'week',
      'month',
      'start',
      'bucket',
      'period',
      'period_start',
      'from',
      'x',
      'key',
      'label',
      'created_at',
    ].map(
      (name): Case => [
        `a series by ${name}`,
        [
          { [name]: first, n: 1 },
          { [name]: second, n: 2 },
        ],
        '/n: 01 1, 02 2',
      ],
    ),
    ...['start', 'from', 'begin'].map(
      (name): Case => [
        `a series by the ${name} of a period`,
        [{ period: { [name]: first }, n: 1 }],
        '/n: 01 1',
      ],
    ),
    ['no series by the end of a period', [{ period: { end: first }, n: 1 }], '[n]', '1'],
    [
      'a series without its other times',
      [
        { start: first, end: 1767312000, at: '2026-01-03', n: 1, cost: 1767312000 },
        { start: second, end: 1767398400, at: '2026-01-03', n: 2, cost: 1767312000 },
      ],
      '/n: 01 1, 02 2',
      '/cost in ?: 01 1767312000, 02 1767312000',
    ],
    [
      'no series where one row has no time',
      [{ date: first, n: 1 }, { n: 2 }],
      '[date,n]',
      `${first} 1`,
      '- 2',
    ],
    ['no series without a number', [{ date: first, note: 'x' }], '[date,note]', `${first} x`],
    [
      'one series for each group',
      [
        { date: first, id: 'r', model: 'a', n: 1 },
        { date: first, id: 'r', model: 'b', n: 2 },
        { date: second, id: 'r', model: 'a', n: 3 },
      ],
      'a/n: 01 1, 02 3',
      'b/n: 01 2',
    ],
    [
      'no group of times or numbers',
      [
        { date: first, until: second, k: 1, n: 1 },
        { date: first, until: '2026-01-03', k: 2, n: 2 },
      ],
      '[date,until,k,n]',
      `${first} ${second} 1 1`,
      `${first} 2026-01-03 2 2`,
    ],
    [
      'no group that only some rows have',
      [
        { date: first, model: 'a', n: 1 },
        { date: first, n: 2 },
      ],
      '[date,model,n]',
      `${first} a 1`,
      `${first} - 2`,
    ],
    [
      'a series for those groups that have numbers',
      [
        { date: first, model: 'a', n: 1 },
        { date: first, model: 'b', n: null },
      ],
      'a/n: 01 1',
    ],
    [
      'a series with the numbers one level inside',
      [
        { date: first, n: 1, metrics: { n: 5, runs: 3 } },
        { date: second, n: 2, metrics: { n: 6, runs: 4 } },
      ],
      '/n: 01 1, 02 2',
      '/metrics.n: 01 5, 02 6',
      '/runs: 01 3, 02 4',
    ],
    [
      'a series with amounts in records',
      [{ date: first, spent: { amount: '1.5', currency: 'EUR' } }],
      '/spent in EUR: 01 1.5',
    ],
    ['a series whose period is none of its numbers', [{ period: { from: first, to: 5 }, n: 1 }], '/n: 01 1'],
    [
      'a series with gaps',
      [
        { date: first, n: 1 },
        { date: second, runs: 2 },
      ],
      '/n: 01 1, 02 -',
      '/runs: 01 -, 02 2',
    ],
    [
      'amounts of one currency, with those that name none',
      [
        { date: first, cost: '1', currency: 'EUR' },
        { date: second, cost: '2' },
        { date: '2026-01-03', cost: { amount: '3', currency: 'USD' } },
        { date: '2026-01-04', cost: 'free' },
      ],
      '/cost in EUR: 01 1, 02 2, 03 -, 04 -',
    ],
    [
      'amounts of the currency that the first names',
      [
        { date: first, cost: '1' },
        { date: second, cost: { amount: '2', currency: 'EUR' } },
        { date: '2026-01-03', cost: 3 },
      ],
      '/cost in EUR: 01 1, 02 2, 03 3',
    ],
    [
      'numbers beside words',
      [
        { date: first, n: 1 },
        { date: second, n: 'x' },
      ],
      '/n: 01 1, 02 -',
    ],
  ]);
});

describe('Pairs, maps and columns of usage are', () => {
  are([
    [
      'a series of pairs',
      {
        runs: [
          [first, 1],
          [second, 2],
        ],
      },
      'runs/runs: 01 1, 02 2',
    ],
    ['a series of pairs in a record', { a: { runs: [[first, 1]] } }, 'a.runs/runs: 01 1'],
    ['a series without a name', [[first, 1]], '/value: 01 1'],
    ['nothing of lists of three', { runs: [[first, 1, 2]] }],
    ['nothing of pairs beside other values', { runs: [[first, 1], 3] }],
    ['nothing of pairs without times', { runs: [['x', 1]] }],
    [
      'nothing of a time twice',
      {
        runs: [
          [first, 1],
          [first, 2],
        ],
      },
    ],
    ['nothing of pairs without numbers', { runs: [[first, 'x']] }],
    ['a map', { runs: { [first]: 1, [second]: 2 } }, 'runs/runs: 01 1, 02 2'],
    ['a map beside its currency', { cost: { currency: 'EUR', [first]: 1 } }, 'cost/cost in EUR: 01 1'],
    [
      'a map of records beside its currency',
      { x: { currency: 'EUR', [first]: { cost: 1 }, [second]: { cost: 2 } } },
      'x/cost in EUR: 01 1, 02 2',
    ],
    ['a map with a record among numbers', { x: { [second]: 2, [first]: { n: 1 } } }, 'x/x: 01 -, 02 2'],
    ['figures, where one name is no time', { x: { [first]: 1, total: 2 } }, `x.${first}: 1`, 'x.total: 2'],
    ['a map without numbers', { x: { [first]: 'a' } }, `x.${first}: a`],
    ['a currency alone', { x: { currency: 'EUR' } }, 'x.currency: EUR'],
    ['an empty record', { x: {} }],
    ...['timestamps', 'times', 'labels', 'dates', 'x', 'time', 'timestamp', 'date', 'categories'].map(
      (name): Case => [`columns by ${name}`, { [name]: [second, first], n: [2, 1] }, '/n: 01 1, 02 2'],
    ),
    ...['data', 'values', 'points', 'y'].map(
      (name): Case => [
        `columns under ${name}`,
        { labels: [first, second], datasets: [{ label: 'a', [name]: [1, 2] }, { [name]: [3, 4] }] },
        '/datasets: 01 3, 02 4',
        '/a: 01 1, 02 2',
      ],
    ),
    [
      'columns of the same length only',
      { dates: [first, second], n: [1, 2], short: [1], long: [1, 2, 3], note: 'xy' },
      '/n: 01 1, 02 2',
    ],
    ['columns with their currency', { dates: [first], currency: 'EUR', cost: [1] }, '/cost in EUR: 01 1'],
    [
      'other lists, where one is no time',
      {
        dates: [first, 'x'],
        runs: [
          [first, 1],
          [second, 2],
        ],
      },
      'runs/runs: 01 1, 02 2',
    ],
    ['other lists, where the axis is empty', { dates: [], runs: [[first, 1]] }, 'runs/runs: 01 1', '1 empty'],
    [
      'other lists, where a time occurs twice',
      {
        dates: [first, first],
        runs: [
          [first, 1],
          [second, 2],
        ],
      },
      'runs/runs: 01 1, 02 2',
    ],
  ]);
});

describe('The rest of a usage body is', () => {
  are([
    [
      'figures',
      { total: { runs: 3, cost: '1', currency: 'EUR', on: true, none: null } },
      'total.runs: 3',
      'total.cost: 1 EUR',
      'total.currency: EUR',
      'total.on: true',
    ],
    [
      'a table',
      {
        rows: [
          { model: 'a', runs: 1 },
          { model: 'b', cost: '2 EUR' },
        ],
      },
      'rows[model,runs,cost]',
      'a 1 -',
      'b - 2 EUR',
    ],
    [
      'a table without its currency',
      [{ model: 'a', currency: 'EUR', currency_code: 'EUR', currencyCode: 'EUR' }],
      '[model]',
      'a',
    ],
    [
      'a table with names that are alike',
      [{ currency_name: 'euro', home_currency: 'x' }],
      '[currency_name,home_currency]',
      'euro x',
    ],
    ['a table without empty columns', [{ a: 1, b: null, c: [], d: {} }], '[a]', '1'],
    ['nothing of values', { rows: [1, 'x'] }],
    ['a table of the records among values', { rows: ['x', { a: 1 }] }, 'rows[a]', '1'],
    ['lists that are empty', { a: [], b: [] }, '2 empty'],
    [
      'lists in the rows of a table',
      {
        rows: [
          { model: 'a', days: [{ date: first, cost: 1 }], more: [] },
          { kind: 'b', days: [{ date: second, cost: 2 }] },
        ],
        currency: 'EUR',
      },
      'currency: EUR',
      'a/cost in EUR: 01 1',
      'rows[1]/cost in EUR: 02 2',
      'rows[model,kind]',
      'a -',
      '- b',
    ],
    ['lists in rows that have no values', { rows: [{ days: [{ date: first, n: 1 }] }] }, 'rows[0]/n: 01 1'],
    [
      'lists in rows, by the currency of each',
      { rows: [{ model: 'a', currency: 'USD', days: [{ date: first, cost: 1 }] }], currency: 'EUR' },
      'currency: EUR',
      'a/cost in USD: 01 1',
      'rows[model]',
      'a',
    ],
    ...['model', 'name', 'label', 'title', 'key', 'slug', 'group', 'id', 'mode'].map(
      (name): Case => [
        `lists in rows that are named by their ${name}`,
        { rows: [{ [name]: 'a', days: [[first, 1]] }] },
        'a/a: 01 1',
        `rows[${name}]`,
        'a',
      ],
    ),
    ['a value nested six deep', nested(5, 7), 'a.a.a.a.a.a.a: 5'],
    ['no value nested deeper', nested(5, 8)],
    ['nothing of a value', 'x'],
    ['nothing of null', null],
  ]);

  it('lists in rows as deep as records, however deep a body is', () => {
    const inRows = (times: number): unknown => {
      let rows: unknown = [[first, 1]];
      for (let depth = 0; depth < times; depth++) rows = [{ rows }];
      return rows;
    };
    assert.deepEqual(told(readUsage(inRows(6))), [`${'[0]'.repeat(6)}/${'[0]'.repeat(6)}: 01 1`]);
    for (const times of [7, 50_000]) assert.deepEqual(told(readUsage(inRows(times))), []);
  });
});
