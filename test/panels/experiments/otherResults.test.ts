import assert from 'node:assert/strict';
import type { Json } from '../../../src/domain/json';
import { variationsOf } from '../../../src/experiments/plan/grid';
import { itemSha256 } from '../../../src/experiments/plan/runId';
import { tableWith } from '../../../src/experiments/table/otherResults';
import type { TableQuery } from '../../../src/protocol/experiment';
import { readResults } from '../../support/atOnce';
import { violationsInEachTheme } from '../../support/axe';
import { rowOf, tableOf } from '../../support/experiments/table';
import { chooseInMenu } from '../../support/pageMenu';
import { useExperimentTable } from './useTable';

const ROWS = 40;
const items = Array.from({ length: ROWS }, (_, at) =>
  rowOf(`sentence number ${at}`, ['eng', 'deu'][at % 2]!),
);
const MODELS = ['language-id', 'word-statistics'];

/** @param wrong rows with a wrong result, by column */
function table(wrong: readonly (readonly number[])[]) {
  return tableOf({
    variations: variationsOf({ '/model': MODELS.slice(0, wrong.length) }),
    items,
    line: ({ item, variation }) => ({
      result: wrong[variation]!.includes(item) ? 'fra' : items[item]!.expected,
      item_sha256: itemSha256(items[item]!),
      cost: { amount: '0.001', currency: 'USD' },
      duration_ms: 20 + item,
    }),
  });
}

async function compared(now: readonly (readonly number[])[], then: readonly (readonly number[])[]) {
  const own = table(now);
  const lines = [...table(then).results.values()].map((line) => JSON.stringify(line)).join('\n');
  const other = { label: 'Mar 2, 2026, a1b2c3d', file: '/none/a.results.jsonl', read: readResults(lines) };
  const { table: whole, columns } = await tableWith(own, [other]);
  return { own, table: whole, others: columns };
}

describe('The table of an experiment beside results of before', () => {
  const suite = useExperimentTable({
    table: table([[1]]),
    metrics: [{ name: 'accuracy', tolerance: 0 }],
    experiment: { expected: { column: 'language' }, metrics: ['accuracy'] },
  });
  const { open, cell } = suite;
  const keptViews = () =>
    suite.opened.said.flatMap(({ method, params }) =>
      method === 'keepView' ? [(params as { view: { view: Record<string, Json> } }).view.view] : [],
    );

  it('shows regressions first, with a paired test in words, and only them on demand', async () => {
    const own = table([[3, 9, 21, 22, 30], []]);
    const page = await open({ table: own });
    const whole = await compared([[3, 9, 21, 22, 30], []], [[5], []]);
    await suite.opened.show(whole.table, whole);
    const changes = page.getByRole('list', { name: 'Changes' });
    await changes
      .getByText(
        /^language-id, against Mar 2, 2026, a1b2c3d: 5 became wrong, 1 became right\. accuracy −0\.100 \(.*\), 40 rows: cannot tell yet.* \(p = .*corrected for 2 comparisons\)/,
      )
      .waitFor();
    await changes.getByText(/^word-statistics, against .*: accuracy ±0\.000 \(.*\), 40 rows/).waitFor();
    const heads = page.getByRole('columnheader');
    assert.match((await heads.nth(2).textContent()) ?? '', /Mar 2, 2026, a1b2c3d/, 'beside its own column');
    for (const [row, at] of [3, 9, 21, 22, 30, 5].entries())
      await cell(row, -1).getByText(`sentence number ${at}`, { exact: true }).waitFor();
    await cell(0, 0).getByRole('img', { name: 'wrong' }).waitFor();
    await cell(0, 0).getByRole('img', { name: 'differs' }).waitFor();
    await cell(0, 1).getByRole('img', { name: 'right' }).waitFor();
    await changes.getByRole('button', { name: 'Became Wrong' }).click();
    await page.getByText('5 of 40 rows').waitFor();
    await chooseInMenu(page, 'Filter Rows', 'in word-statistics');
    await page.getByText('0 of 40 rows').waitFor();
    await page.getByRole('button', { name: 'Clear Filter' }).click();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.setViewportSize({ width: 700, height: 800 });
    await page.screenshot({ path: 'out/journeys/compared-700.png' });
  });

  it('asks for results to compare with, and stops from the menu of their column', async () => {
    const page = await open(await compared([[1]], [[2]]));
    await page.getByRole('button', { name: 'Compare With…' }).click();
    await chooseInMenu(page, 'Actions for language-id, Mar 2, 2026, a1b2c3d', 'Stop Comparing');
    const said = () => suite.opened.said.filter(({ method }) => /compareWith|stopComparing/.test(method));
    assert.deepEqual(
      said().map(({ method, params }) => [method, params]),
      [
        ['compareWith', null],
        ['stopComparing', { column: 1 }],
      ],
    );
  });

  it('leaves other results out while one judges blind', async () => {
    const page = await open(await compared([[1], []], [[2], []]));
    await page
      .getByRole('columnheader', { name: /a1b2c3d/ })
      .first()
      .waitFor();
    await chooseInMenu(page, 'View', 'Judge');
    await page.getByRole('button', { name: 'Judge Blind' }).click();
    await page.getByRole('columnheader', { name: 'Outcome B', exact: true }).waitFor();
    assert.equal(await page.getByRole('columnheader').count(), 3);
    assert.ok(!(await page.locator('main').innerHTML()).includes('a1b2c3d'));
  });

  it('filters by expected value, and by differences in one column', async () => {
    const page = await open({ table: table([[3], [3, 8, 9]]) });
    await chooseInMenu(page, 'Filter Rows', 'expected deu');
    await chooseInMenu(page, 'Filter Rows', 'Differs');
    await page.getByText('1 of 40 rows').waitFor();
    await cell(0, -1).getByText('sentence number 9', { exact: true }).waitFor();
    await chooseInMenu(page, 'Filter Rows', 'any expected value');
    await page.getByText('2 of 40 rows').waitFor();
    await chooseInMenu(page, 'Filter Rows', 'Wrong');
    await page.getByText('3 of 40 rows').waitFor();
    await chooseInMenu(page, 'Filter Rows', 'in language-id');
    await page.getByText('1 of 40 rows').waitFor();
    const queries = suite.opened.said.filter(({ method }) => method === 'rows');
    const { of, show } = (queries.at(-1)!.params as { query: TableQuery }).query;
    assert.deepEqual([of, show], [0, 'wrong']);
  });

  it('keeps widths, wrapping and Markdown for the file, and shows them when it is opened again', async () => {
    const long =
      '**Bold** words, then [a link](https://example.com/), and many more words that need several lines. ';
    const own = tableOf({ items: [rowOf('a')], line: () => ({ result: long.repeat(2) }) });
    const options = { table: own, metrics: [], experiment: {} };
    const page = await open(options);
    const head = page.getByRole('columnheader').nth(1);
    const width = async () => Math.round((await head.boundingBox())!.width);
    const before = await width();
    const { x, y } = (await head.locator('.edge').boundingBox())!;
    await page.mouse.move(x + 3, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + 103, y + 10, { steps: 4 });
    await page.mouse.up();
    assert.equal(await width(), before + 100);
    for (const entry of ['Wrap Texts', 'Render Markdown', 'Higher Rows', 'Higher Rows'])
      await chooseInMenu(page, 'View', entry);
    await cell(0, 0).locator('strong').getByText('Bold').first().waitFor();
    await cell(0, 0).getByRole('link').first().click();
    await page.screenshot({ path: 'out/journeys/kept-view.png' });
    const { widths, wrap, markdown, zoom } = keptViews().at(-1)!;
    assert.deepEqual(
      { widths, wrap, markdown, zoom },
      { widths: { 0: before + 100 }, wrap: true, markdown: true, zoom: 2 },
    );
    const view = { view: keptViews().at(-1)!, names: ['a', 'b'] };
    await suite.opened.close();
    // A column has come before it: the widths stay with their names.
    const moved = tableOf({
      ...{ items: [rowOf('a')], line: () => ({ result: long }) },
      variations: variationsOf({ '/model': ['new', 'a'] }),
    });
    const again = await open({ ...options, table: moved, view });
    await again.locator('.grid.wrap').waitFor();
    const widthsNow = await again
      .getByRole('columnheader')
      .evaluateAll((heads) => heads.map((one) => Math.round(one.getBoundingClientRect().width)));
    assert.deepEqual(widthsNow.slice(1), [before, before + 100]);
    assert.equal((await again.locator('.sizer > [role=row]').first().boundingBox())?.height, 96);
  });

  it('changes a width from the menu of a column, back to the first from the edge', async () => {
    const page = await open();
    const head = page.getByRole('columnheader').nth(1);
    const width = async () => Math.round((await head.boundingBox())!.width);
    const before = await width();
    await chooseInMenu(page, 'Actions for language-id', 'Wider');
    assert.equal(await width(), Math.round(1.25 * before));
    await head.locator('.edge').dblclick();
    assert.equal(await width(), before);
  });
});
