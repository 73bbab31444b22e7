import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { variationsOf } from '../../../src/experiments/grid';
import type { TableQuery } from '../../../src/protocol/experiment';
import { violationsInEachTheme } from '../../support/axe';
import { eventually } from '../../support/eventually';
import type { ExperimentPageHarness, ExperimentPageOptions } from '../../support/experiments/page';
import { rowOf, tableOf } from '../../support/experiments/table';
import { useExperimentPage } from '../../support/experiments/usePage';
import { chooseInMenu } from '../../support/pageMenu';

const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  '</div><script>alert(1)</script>',
  '[link](command:x)',
  '\u202Eevil',
];

const LANGUAGES = ['en', 'de', 'fr', 'es'];
const table = (rows = 100, columns = 3) =>
  tableOf({
    variations: variationsOf({
      '/model': ['language-id', 'word-statistics'].slice(0, columns),
      '/params/top_k': { from: 1, to: Math.ceil(columns / 2), step: 1 },
    }),
    items: Array.from({ length: rows }, (_, at) => rowOf(`text number ${at}`, LANGUAGES[at % 4]!)),
    at: '/language',
    line: ({ item, variation }) => ({
      result: { language: LANGUAGES[(item + (item % 7 === variation ? 1 : 0)) % 4]! },
      cost: { amount: '0.001', currency: 'USD' },
      duration_ms: 20 + ((item * 7) % 50),
    }),
  });

const MODELS = ['zebra-large', 'yak-small', 'xerus-tiny'];
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** Outcomes of three models that differ in everything; where wanted, the last is a picture named after its model. */
function judgedByPeople(hasPictures = false): Partial<ExperimentPageOptions> {
  return {
    table: tableOf({
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
    }),
    metrics: [{ name: 'exact', tolerance: 0 }],
    experiment: { expected: { judged: true } },
  };
}

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
  const openPage = useExperimentPage();
  let opened: ExperimentPageHarness;
  const open = async (options: Partial<ExperimentPageOptions> = {}) => {
    opened = await openPage({
      table: table(),
      metrics: [{ name: 'accuracy', tolerance: 0 }],
      experiment: { expected: { column: 'language', at: '/language' }, metrics: ['accuracy'] },
      ...options,
    });
    await opened.page.locator('.grid[aria-busy="false"]').waitFor();
    return opened.page;
  };
  const grid = () => opened.page.getByRole('grid');
  const cell = (row: number, column: number) => opened.page.locator(`#cell-${row}-${column}`);
  /** Of the cell that is open with the one beside it, by the keys of the grid. */
  const compareWithNext = async () => {
    const { page } = opened;
    await page.getByRole('button', { name: 'Compare…' }).click();
    await grid().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
  };
  /** Which model each outcome of a row is of, by its number of signs. */
  const outcomesOf = async (row: number) => {
    const texts = [0, 1, 2].map((column) => cell(row, column).locator('.outcome').innerText());
    return (await Promise.all(texts)).map((text) => String(text.split('!').length - 2));
  };
  const queries = () =>
    opened.said
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

  it('offers the comparable parts when it cannot measure, and in the grid’s editor', async () => {
    const edited: unknown[] = [];
    const page = await open({
      compared: [
        { model: 'language-id', at: '/lang', parts: ['/language', '/score'], results: 9, fault: 'missing' },
        { model: 'word-statistics', at: '/class', parts: ['/class'], results: 9 },
      ],
      responses: { edit: (change) => void edited.push(change) },
    });
    await page.getByRole('button', { name: 'Compare /score of language-id' }).waitFor();
    await page.getByRole('button', { name: 'Compare /language of language-id' }).click();
    await page.getByRole('button', { name: 'Edit Grid' }).click();
    await page.getByLabel('Compared part of results of word-statistics').selectOption('');
    await page.screenshot({ path: 'out/journeys/compared-parts.png' });
    assert.deepEqual(edited, [
      { compared: { model: 'language-id', at: '/language' } },
      { compared: { model: 'word-statistics', at: '' } },
    ]);
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

  it('shows figures as aligned rows of the head, with ten rows of inputs in sight at 700 pixels', async () => {
    const page = await open({ width: 700, metrics: ACCURACY_AND_F1, table: threeModels() });
    const figures = page.locator('.heads').getByRole('row');
    const accuracy = figures.filter({ has: page.getByRole('rowheader', { name: 'accuracy' }) });
    await accuracy.getByText('n 60').first().waitFor();
    assert.deepEqual(await figures.locator('[role=rowheader]').allTextContents(), [
      ...['accuracy', 'macro_f1', 'failed', 'cost', 'median time'],
    ]);
    const best = accuracy.locator('.best');
    assert.match((await best.textContent()) ?? '', /^0\.950\s+n 60\s+≈ \+0\.100$/);
    assert.match(
      (await best.getAttribute('title')) ?? '',
      /accuracy 0\.950 \(.* to .*\), 60 rows\n.*may be chance/,
    );
    const worse = accuracy.locator('.glance', { has: page.locator('.worse') });
    assert.match((await worse.textContent()) ?? '', /▼ −0\.400/);
    assert.match((await worse.getAttribute('title')) ?? '', /unlikely to be chance/);
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
    let arrive = () => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const page = await open();
    opened.hold(held);
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
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
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
    await page.getByLabel('Fold equal rows').check();
    await page.getByText('rows folded').waitFor();
    // Clearing the filter leaves the folding alone.
    await filter.fill('number 42');
    await filter.press('Escape');
    assert.ok(await page.getByLabel('Fold equal rows').isChecked());
    await page.getByLabel('Fold equal rows').uncheck();
    await page.getByText('100 rows', { exact: true }).waitFor();
  });

  it('pins, hides, moves and sorts columns', async () => {
    const page = await open();
    const actions = 'Actions for word-statistics, top_k 1';
    await chooseInMenu(page, actions, 'Set as Baseline');
    await page.getByRole('button', { name: 'baseline' }).waitFor();
    const words = /\naccuracy [+−±]\d.\d+, \d+ rows: (unlikely to be|may be) chance/;
    await page.getByTitle(words).first().waitFor();
    await chooseInMenu(page, 'Actions for language-id, top_k 1', 'Hide Column');
    await chooseInMenu(page, '1 hidden column', 'Show All Columns');
    await chooseInMenu(page, actions, 'Sort by Time');
    await page.locator('[aria-sort="ascending"]').filter({ hasText: 'word-statistics' }).first().waitFor();
  });

  it('accepts judgements by keys without knowing the columns, which are revealed at the end', async () => {
    const page = await open(judgedByPeople());
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
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('Not judged');
    await page.getByText('11 of 12 rows').waitFor();
    await page.getByRole('button', { name: 'Reveal Columns' }).click();
    const judged = MODELS.indexOf(MODELS[Number(first[0])]!) + 2;
    for (const words of [/^thumbs_up 1\.000/, /^score 4\.000/])
      assert.equal(await page.getByTitle(words).getAttribute('aria-colindex'), String(judged));
    const lines = opened.table().judgements;
    assert.ok(lines.length > 0 && lines.every(({ blind }) => blind === true));
  });

  it('uses an order of its own in each row while it is judged blind, and keeps it', async () => {
    const page = await open(judgedByPeople());
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

  it('reveals no column while it is judged blind, after any opened, sorted or hidden one before', async () => {
    const page = await open({ ...judgedByPeople(true), picture: PIXEL });
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

  it('draws charts of quality, cost and time, which are saved as pictures', async () => {
    const saved: { name: string; format: string; content: string }[] = [];
    const page = await open({
      table: table(100, 4),
      width: 1300,
      metrics: [
        { name: 'accuracy', tolerance: 0 },
        { name: 'macro_f1', tolerance: 0 },
      ],
      experiment: {
        expected: { column: 'language', at: '/language' },
        metrics: ['accuracy'],
        vary: { '/params/top_k': { from: 1, to: 2, step: 1 } },
      },
      responses: { saveChart: (chart: (typeof saved)[number]) => void saved.push(chart) },
    });
    await page.getByRole('button', { name: 'Charts' }).click();
    await page.getByRole('img', { name: /^accuracy and median cost\./ }).waitFor();
    await page.getByRole('img', { name: /^accuracy over top_k\./ }).waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.screenshot({ path: 'out/journeys/experiment-charts.png' });
    await page.getByRole('img', { name: /^Times of runs/ }).scrollIntoViewIfNeeded();
    await page.screenshot({ path: 'out/journeys/experiment-charts-below.png' });
    for (const format of ['svg', 'png'])
      await chooseInMenu(page, 'Save accuracy and median cost', format.toUpperCase());
    await opened.untilSaid(() => saved.length === 2);
    const svg = saved.find(({ format }) => format === 'svg')!.content;
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.doesNotMatch(svg, /var\(|<!--|undefined|NaN/);
    const png = Buffer.from(saved.find(({ format }) => format === 'png')!.content, 'base64');
    await writeFile('out/journeys/experiment-chart-saved.png', png);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.equal(png.readUInt32BE(16), 2 * 560, 'as wide as twice the drawing');
  });

  it('filters by a cell of the confusion matrix, and by another one after a second choice', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Charts' }).click();
    const pair = page.getByRole('button', { name: /^Expected en, got de: / });
    const count = Number(/: (\d+)$/.exec((await pair.getAttribute('aria-label'))!)![1]);
    assert.ok(count > 1);
    await pair.focus();
    await page.keyboard.press('Enter');
    await page.getByText(`${count} of 100 rows`).waitFor();
    await page.getByText('expected en, got de').waitFor();
    assert.equal(await cell(0, -1).getByText('expected en').count(), 1);
    await page.screenshot({ path: 'out/journeys/experiment-confusion.png' });
    await pair.click();
    await page.getByText('100 rows', { exact: true }).or(page.getByText('rows folded')).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Clear Filter' }).count(), 0);
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

  it('opens 10,000 cells quickly, and holds only those around the visible part', async () => {
    const start = performance.now();
    const page = await open({ table: table(1_000, 10), metrics: [], experiment: {} });
    await cell(0, 0).getByText('$0.001').waitFor();
    const openedMs = performance.now() - start;
    assert.ok((await page.getByRole('gridcell').count()) < 400);
    await grid().evaluate((element) => element.scrollTo(1200, 20_000));
    await page
      .getByText(/text number \d\d\d/)
      .first()
      .waitFor();
    const filter = page.getByRole('searchbox');
    const filterStart = performance.now();
    await filter.fill('number 999');
    await page.getByText('1 of 1,000 rows').waitFor();
    console.log(
      `      opened in ${openedMs.toFixed(0)} ms, filtered in ${(performance.now() - filterStart).toFixed(0)} ms`,
    );
  });
});
