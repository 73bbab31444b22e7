import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { variationsOf } from '../../../src/experiments/plan/grid';
import { violationsInEachTheme } from '../../support/axe';
import { eventually } from '../../support/eventually';
import { LANGUAGES, languageTable, rowOf, tableOf } from '../../support/experiments/table';
import { gate } from '../../support/gate';
import { chooseInMenu } from '../../support/pageMenu';
import { useExperimentTable } from './useTable';

const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  '</div><script>alert(1)</script>',
  '[link](command:x)',
  '\u202Eevil',
];

const MODELS = ['zebra-large', 'yak-small', 'xerus-tiny'];
const ACCURACY_AND_F1 = [
  { name: 'accuracy', tolerance: 0 },
  { name: 'macro_f1', tolerance: 0 },
] as const;

/** Sixty rows: the second model is a little better than the first, the third much worse. */
const threeModels = () =>
  tableOf({
    variations: variationsOf({ '/model': MODELS }),
    items: Array.from({ length: 60 }, (_, at) => rowOf(`sentence number ${at}`, LANGUAGES[at % 4]!)),
    line: ({ item, variation }) =>
      item === 59
        ? { state: 'failed', reason: 'overloaded' }
        : {
            result: LANGUAGES[(item + (item < [8, 2, 32][variation]! ? 1 : 0)) % 4]!,
            cost: { amount: `0.00${variation + 1}`, currency: 'USD' },
            duration_ms: 20 * (variation + 1),
          },
  });

/** Whole rows of inputs between the head and the lower edge of the table and of the window. */
function rowsInSight(page: Page): Promise<number> {
  return page.evaluate(() => {
    const top = document.querySelector('.heads')!.getBoundingClientRect().bottom;
    const bottom = Math.min(innerHeight, document.querySelector('.grid')!.getBoundingClientRect().bottom);
    const rows = [...document.querySelectorAll('.sizer > [role=row]')].map((row) =>
      row.getBoundingClientRect(),
    );
    return rows.filter((row) => row.top >= top - 1 && row.bottom <= bottom + 1).length;
  });
}

describe('The table of an experiment', () => {
  const suite = useExperimentTable({
    table: languageTable(),
    metrics: [{ name: 'accuracy', tolerance: 0 }],
    experiment: { expected: { column: 'language', at: '/language' }, metrics: ['accuracy'] },
  });
  const { open, grid, cell, compareWithNext } = suite;

  it('offers the comparable parts when it cannot measure', async () => {
    const edited: unknown[] = [];
    const parts = (...places: string[]) => places.map((at) => ({ at, values: [], equal: 0, of: 9 }));
    const lang = { at: '/lang', parts: parts('/language', '/score'), results: 9, fault: 'missing' } as const;
    const page = await open({
      compared: [
        { model: 'language-id', ...lang },
        { model: 'word-statistics', at: '/class', parts: parts('/class'), results: 9 },
      ],
      responses: { edit: (change) => void edited.push(change) },
    });
    await page.getByRole('button', { name: 'Compare /score of language-id' }).waitFor();
    await page.getByRole('button', { name: 'Compare /language of language-id' }).click();
    assert.deepEqual(edited, [{ compared: { model: 'language-id', at: '/language' } }]);
  });

  it('shows inputs, outcomes and a summary of each column', async () => {
    const page = await open();
    await page.locator('.glance[title^="accuracy 0.8"]').first().waitFor();
    await page.getByText('100 finished').first().waitFor();
    await cell(0, -1).getByText('text number 0', { exact: true }).waitFor();
    await cell(0, 0).getByText('$0.001').waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.screenshot({ path: 'out/journeys/experiment-table.png' });
  });

  it('shows how far its runs have come in one place while they go on', async () => {
    const page = await open();
    const inHead = page.getByRole('columnheader').getByText('100 finished');
    await inHead.first().waitFor();
    const counts = { total: 200, finished: 199, missing: 1, failed: 0, unconfirmed: 0, rejected: 0 };
    await suite.opened.notify('progress', { ...counts, state: 'running', text: '199 of 200' });
    await inHead.first().waitFor({ state: 'detached' });
    const bar = page.getByRole('progressbar', { name: 'Progress' });
    assert.deepEqual(
      await bar.evaluate((at) => [(at as HTMLProgressElement).value, (at as HTMLProgressElement).max]),
      [199, 200],
    );
    assert.deepEqual(await page.getByText(/^\d+ of \d+$/).allTextContents(), ['199 of 200']);
    await suite.opened.notify('progress', { ...counts, state: 'idle' });
    await inHead.first().waitFor();
  });

  it('shows figures as aligned rows of the head, with ten rows of inputs in sight at 700 pixels', async () => {
    const page = await open({ width: 700, metrics: ACCURACY_AND_F1, table: threeModels() });
    const figures = page.locator('.heads').getByRole('row');
    const accuracy = figures.filter({ has: page.getByRole('rowheader', { name: 'accuracy' }) });
    await accuracy.getByText('n 60').first().waitFor();
    const names = await figures.locator('[role=rowheader]').allTextContents();
    assert.deepEqual(
      names.map((name) => name.trim()),
      ['accuracy', 'macro_f1', 'most frequent label', 'failed', 'cost', 'median time'],
    );
    const best = accuracy.locator('.best');
    assert.equal(await best.count(), 2, 'neither beats the other');
    const better = accuracy.locator('.glance', { has: page.locator('.unknown') });
    assert.match(
      (await better.textContent()) ?? '',
      /^0\.950\s+n 60\s+\? \+0\.100 cannot tell yet, about \d+ more rows?$/,
    );
    assert.match(
      (await better.getAttribute('title')) ?? '',
      /accuracy 0\.950 \(.* to .*\), 60 rows\n.*cannot tell yet/,
    );
    await better.getByRole('img', { name: /^[−±+]0\.\d+ to \+0\.\d+$/ }).waitFor();
    const worse = accuracy.locator('.glance', { has: page.locator('.worse') });
    assert.match((await worse.textContent()) ?? '', /▼ −0\.400 worse/);
    assert.match((await worse.getAttribute('title')) ?? '', /: worse \(p/);
    assert.ok((await rowsInSight(page)) >= 10, `${await rowsInSight(page)} rows`);
    await page.getByRole('button', { name: 'Summary' }).click();
    await accuracy.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Summary' }).getAttribute('aria-expanded'), 'false');
  });

  it('leaves the window to its rows once it is scrolled, at 200 % in a window of 1280 × 800 pixels', async () => {
    const page = await open({ metrics: ACCURACY_AND_F1, table: threeModels() });
    // Less the title bar, the tabs, the activity bar and the status bar of VS Code.
    await page.setViewportSize({ width: 592, height: 308 });
    await page.getByRole('button', { name: 'Summary', expanded: false }).waitFor();
    await grid().hover();
    await page.mouse.wheel(0, 44);
    await eventually(async () => (await rowsInSight(page)) >= 5);
    const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    assert.equal(await page.evaluate(sideways), 0);
    await page.screenshot({ path: 'out/journeys/experiment-table-200.png' });
    await grid().focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    const isInSight = await page.locator('.cell.active').evaluate((at) => {
      const { left, top, width, height } = at.getBoundingClientRect();
      return at.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    assert.ok(isInSight);
    await page.getByRole('button', { name: 'Summary' }).click();
    await page.locator('.heads').getByRole('rowheader', { name: 'accuracy' }).waitFor();
  });

  it('moves with the keys of a grid, and Enter opens a cell beside it', async () => {
    const page = await open();
    await grid().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    assert.equal(await grid().getAttribute('aria-activedescendant'), 'cell-2-1');
    await page.keyboard.press('Control+End');
    const last = (await grid().getAttribute('aria-activedescendant'))!;
    await page.locator(`#${last}`).waitFor({ state: 'visible' });
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Cell' }).getByText('cost $0.01').waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Cell' }).waitFor({ state: 'detached' });
  });

  it('opens the menu of a column and folds the summary by keys, as one Tab stop', async () => {
    const page = await open();
    await grid().focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('button', { name: 'Summary', expanded: false }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Set as Baseline' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    assert.ok(await grid().evaluate((at) => at === document.activeElement));
    assert.equal(await page.locator('.heads :is(button, [tabindex]):not([tabindex="-1"])').count(), 0);
  });

  it('opens a cell on Enter also while its row is still loading', async () => {
    const { opened: held, open: arrive } = gate();
    const page = await open();
    suite.opened.hold(held);
    await grid().focus();
    await page.keyboard.press('Enter');
    arrive();
    await page.getByRole('complementary', { name: 'Cell' }).getByText('cost $0.01').waitFor();
  });

  it('shows by how much numbers differ: from the baseline, and between two cells', async () => {
    const numbers = tableOf({
      items: [rowOf('a')],
      line: ({ variation }) => ({ result: { count: variation ? 12.5 : 10, words: ['a'], share: 0.25 } }),
      at: '/count',
    });
    const page = await open({ table: numbers, metrics: [], experiment: {} });
    await chooseInMenu(page, 'Actions for a', 'Set as Baseline');
    await page.getByRole('columnheader', { name: /baseline/ }).waitFor();
    assert.ok(await cell(0, 1).getByText('+2.5 to the baseline').isVisible());
    await grid().focus();
    await page.keyboard.press('Enter');
    await compareWithNext();
    const differences = page.getByRole('table', { name: 'Numbers that differ' });
    await differences.waitFor();
    assert.deepEqual(await differences.locator('tbody tr').allInnerTexts(), ['/count\t10\t12.5\t+2.5']);
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.screenshot({ path: 'out/journeys/experiment-numbers.png' });
  });

  it('compares with a cell that was still loading when comparing began', async () => {
    const { opened: held, open: send } = gate();
    let called = 0;
    const page = await open({
      responses: {
        cell: async ({ row, column }: { row: number; column: number }) => {
          called += 1;
          if (called === 1) await held;
          return {
            title: `row ${row}, column ${column}`,
            inputs: [],
            runs: [{ repeat: 0, state: 'finished', facts: [] }],
          };
        },
      },
    });
    await grid().focus();
    await page.keyboard.press('Enter');
    await compareWithNext();
    await page.getByRole('region', { name: 'row 0, column 1' }).waitFor();
    send();
    await page.getByRole('region', { name: 'row 0, column 0' }).waitFor();
  });

  it('filters as one types, and Escape clears the filter', async () => {
    const page = await open();
    const filter = page.getByRole('searchbox', { name: 'Search inputs and outcomes' });
    await filter.fill('number 42');
    await page.getByText('1 of 100 rows').waitFor();
    await cell(0, -1).getByText('text number 42', { exact: true }).waitFor();
    await filter.press('Escape');
    assert.equal(await filter.inputValue(), '');
    await page.getByText('100 rows', { exact: true }).waitFor();
    await chooseInMenu(page, 'View', 'Fold Equal Rows');
    await page.getByText('rows folded').waitFor();
    // Clearing the filter leaves the folding alone.
    await filter.fill('number 42');
    await filter.press('Escape');
    await page.getByText('rows folded').waitFor();
    await chooseInMenu(page, 'View', 'Fold Equal Rows');
    await page.getByText('100 rows', { exact: true }).waitFor();
  });

  it('pins, hides, moves and sorts columns', async () => {
    const page = await open();
    const actions = 'Actions for word-statistics, top_k 1';
    await chooseInMenu(page, actions, 'Set as Baseline');
    await page.getByRole('button', { name: 'baseline' }).waitFor();
    const words = /\naccuracy [+−±]\d.\d+ \(.*\), \d+ rows: (better|worse|cannot tell yet)/;
    await page.getByTitle(words).first().waitFor();
    await chooseInMenu(page, 'Actions for language-id, top_k 1', 'Hide Column');
    await chooseInMenu(page, 'View', 'Show All Columns');
    await chooseInMenu(page, actions, 'Sort by Time');
    await page.locator('[aria-sort="ascending"]').filter({ hasText: 'word-statistics' }).first().waitFor();
  });

  it('shows hostile text as text', async () => {
    const items = hostileTexts.map((text) => rowOf(text));
    const hostile = tableOf({
      items,
      line: ({ item, variation }) =>
        variation === 0 ? { result: hostileTexts[item]! } : { state: 'failed', reason: hostileTexts[item]! },
    });
    const page = await open({ table: hostile, metrics: [], experiment: {} });
    await cell(0, 0).waitFor();
    assert.equal(await page.locator('.grid :is(img, script, iframe, a)').count(), 0);
  });

  it('holds of 10,000 cells only those around the visible part, and filters all', async () => {
    const page = await open({ table: languageTable(1_000, 10), metrics: [], experiment: {} });
    await cell(0, 0).getByText('$0.001').waitFor();
    assert.ok((await page.getByRole('gridcell').count()) < 400);
    await grid().evaluate((element) => element.scrollTo(1200, 20_000));
    await page
      .getByText(/text number \d\d\d/)
      .first()
      .waitFor();
    await page.getByRole('searchbox').fill('number 999');
    await page.getByText('1 of 1,000 rows').waitFor();
  });
});
