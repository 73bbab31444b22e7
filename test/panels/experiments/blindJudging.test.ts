import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { variationsOf } from '../../../src/experiments/plan/grid';
import type { TableQuery } from '../../../src/protocol/experiment';
import { violationsInEachTheme } from '../../support/axe';
import { rowOf, tableOf } from '../../support/experiments/table';
import { chooseInMenu } from '../../support/pageMenu';
import { useExperimentTable } from './useTable';

const MODELS = ['zebra-large', 'yak-small', 'xerus-tiny'];
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** Outcomes of three models that differ in everything; where wanted, the last is a picture named after its model. */
const outcomes = (hasPictures = false) =>
  tableOf({
    variations: variationsOf({ '/model': MODELS }),
    items: Array.from({ length: 12 }, (_, at) => rowOf(`question ${at}`, 'an answer')),
    repeats: 2,
    line: ({ item, variation }) => ({
      result: `response ${item} ${'!'.repeat(variation + 1)}`,
      ...(hasPictures && variation === 2 && { result_file: `a.results/${MODELS[2]}.png` }),
      cost: { amount: `0.00${variation + 1}`, currency: 'USD' },
      duration_ms: 10 * (variation + 1),
      metrics: { exact: variation },
    }),
  });

describe('Judging outcomes without their columns', () => {
  const suite = useExperimentTable({
    table: outcomes(),
    metrics: [{ name: 'exact', tolerance: 0 }],
    experiment: { expected: { judged: true } },
  });
  const { open, grid, cell, compareWithNext } = suite;
  /** Which model each outcome of a row is of, by its number of signs. */
  const outcomesOf = async (row: number) => {
    const texts = [0, 1, 2].map((column) => cell(row, column).locator('.outcome').innerText());
    return (await Promise.all(texts)).map((text) => String(text.split('!').length - 2));
  };
  const queries = () =>
    suite.opened.said
      .filter(({ method }) => method === 'rows')
      .map(({ params }) => (params as { query: TableQuery }).query);
  const seed = () => queries().at(-1)?.blind;
  /** The page contains no trace of the columns, shown or not: no text, tooltip, name or class. */
  const assertBlind = async (page: Page) => {
    const content = (selector: string) => page.locator(selector).evaluate((element) => element.outerHTML);
    const [all, table] = [await content('main'), await content('.table-and-cell')];
    for (const name of MODELS) assert.ok(!all.includes(name), `“${name}” is in the page`);
    for (const fact of ['$0.00', ' ms', 'baseline', 'differ', 'agree', 'right', 'wrong'])
      assert.ok(!table.includes(fact), `“${fact}” is in the table`);
  };

  it('accepts judgements by keys, and reveals the columns at the end', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Judge Blind' }).click();
    await page.getByRole('columnheader', { name: 'Outcome A', exact: true }).waitFor();
    await page.screenshot({ path: 'out/journeys/experiment-blind.png' });
    assert.deepEqual(await violationsInEachTheme(page), []);
    await grid().focus();
    await page.keyboard.press('+');
    await cell(0, 0).getByRole('img', { name: 'judged good' }).waitFor();
    await page.keyboard.press('4');
    await cell(0, 0).getByText('score 4').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('b');
    await cell(0, 1).getByRole('img', { name: 'best of row' }).waitFor();
    await page.keyboard.press('Delete');
    await cell(0, 1).getByRole('img', { name: 'best of row' }).waitFor({ state: 'detached' });
    for (const column of [1, 2]) {
      await page.keyboard.press('-');
      await cell(0, column).getByRole('img', { name: 'judged bad' }).waitFor();
      await page.keyboard.press('ArrowRight');
    }
    const first = await outcomesOf(0);
    await chooseInMenu(page, 'Filter Rows', 'Not judged');
    await page.getByText('11 of 12 rows').waitFor();
    await page.getByRole('button', { name: 'Reveal Columns' }).click();
    const judged = MODELS.indexOf(MODELS[Number(first[0])]!) + 2;
    for (const words of [/^thumbs_up 1\.000/, /^score 4\.000/])
      assert.equal(await page.getByTitle(words).getAttribute('aria-colindex'), String(judged));
    const lines = suite.opened.table().judgements;
    assert.ok(lines.length > 0 && lines.every(({ blind }) => blind === true));
  });

  it('uses an order of its own in each row, and keeps it', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Judge Blind' }).click();
    await page.getByRole('columnheader', { name: 'Outcome A', exact: true }).waitFor();
    await cell(11, 0).waitFor({ state: 'attached' });
    const orders = async () => {
      await cell(11, 2).getByText('!').waitFor({ state: 'attached' });
      return Promise.all(Array.from({ length: 12 }, (_, row) => outcomesOf(row)));
    };
    const before = await orders();
    for (const order of before) assert.deepEqual(order.toSorted(), ['0', '1', '2']);
    assert.ok(new Set(before.map(String)).size > 1, 'twelve rows of six orders');
    await page.getByRole('searchbox').fill('question 11');
    await page.getByText('1 of 12 rows').waitFor();
    assert.deepEqual(await outcomesOf(0), before[11]);
    await page.getByRole('searchbox').fill('');
    await page.getByText('12 rows', { exact: true }).waitFor();
    assert.deepEqual(await orders(), before);
  });

  it('reveals no column, after any opened, sorted or hidden one before', async () => {
    const page = await open({ table: outcomes(true), picture: PIXEL });
    await chooseInMenu(page, `Actions for ${MODELS[1]}`, 'Set as Baseline');
    await chooseInMenu(page, `Actions for ${MODELS[2]}`, 'Sort by Cost');
    await grid().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Cell' }).waitFor();
    await page.getByRole('button', { name: 'Judge Blind' }).click();
    await page.getByRole('columnheader', { name: 'Outcome A', exact: true }).waitFor();
    await cell(0, 2).locator('.outcome, mb-thumbnail').waitFor();
    await assertBlind(page);
    assert.deepEqual(queries().at(-1), {
      text: '',
      show: 'all',
      fold: false,
      columns: [0, 1, 2],
      blind: seed(),
    });
    // The keys of the grid: a head sorts its column, else.
    await grid().focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Outcome A' }).waitFor();
    await compareWithNext();
    await page.getByRole('region', { name: 'Outcome B' }).waitFor();
    await page.keyboard.press('3');
    await cell(0, 1).getByText('score 3').waitFor();
    await assertBlind(page);
    assert.ok(
      queries().every(
        ({ sort, baseline, blind }) => blind === undefined || (!sort && baseline === undefined),
      ),
    );
    await page.screenshot({ path: 'out/journeys/experiment-blind-compared.png' });
    await page.getByRole('button', { name: 'Reveal Columns' }).click();
    await page.getByRole('columnheader').filter({ hasText: MODELS[0]! }).waitFor();
  });
});
