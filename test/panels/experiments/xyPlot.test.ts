import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { variationsOf } from '../../../src/experiments/plan/grid';
import { violationsInEachTheme } from '../../support/axe';
import { eventually } from '../../support/eventually';
import {
  type ExperimentPageHarness,
  type ExperimentPageOptions,
  openExperimentPage,
} from '../../support/experiments/page';
import { rowOf, tableOf } from '../../support/experiments/table';
import { chooseInMenu } from '../../support/pageMenu';
import { png } from '../../support/sandboxPictures';
import { usePages } from '../../support/webviewPage';

const PROMPT = 'A lighthouse on a cliff at dusk, oil on canvas, with a small boat below it.';

/** A picture whose colours tell which run it is of. */
const drawing = (name: string) => {
  const [steps = 0, guidance = 0] = (name.match(/\d+/g) ?? []).map(Number);
  const bytes = png(640, 480, (_, y) => (y < 0.5 ? [steps * 60, 80, 120] : [120, 80, guidance * 50]));
  return `data:image/png;base64,${bytes.toString('base64')}`;
};

/** 4 × 5 pictures for each of two prompts; of one combination there is none, one run has failed. */
const pictures = () => {
  const variations = variationsOf({
    '/params/steps': { from: 1, to: 4, step: 1 },
    '/params/guidance': { from: 1, to: 5, step: 1 },
  });
  return tableOf({
    variations,
    items: [rowOf(PROMPT), rowOf('A fox in the snow')],
    line: ({ item, variation }) => {
      const { '/params/steps': steps, '/params/guidance': guidance } = variations[variation]!;
      if (variation === 7) return undefined;
      if (variation === 8) return { state: 'failed', reason: 'The picture was refused.' };
      if (variation === 9) return { state: 'unconfirmed' };
      return { result: null, result_file: `a.results/${steps}-${guidance}-${item}.png` };
    },
  });
};

const WORDS = 'word '.repeat(400).trim();

/** Numbers over two places and three repeats; the last value of top_k gives a long text. */
const numbers = () => {
  const variations = variationsOf({
    '/model': ['small', 'large'],
    '/params/top_k': { from: 1, to: 3, step: 1 },
    '/params/temperature': [0, 0.5, 1],
  });
  return tableOf({
    variations,
    items: [rowOf('one input')],
    repeats: 3,
    line: ({ variation, repeat }) => ({
      result: variation === 17 ? WORDS : variation * 10 + repeat,
      cost: { amount: '0.001', currency: 'USD' },
    }),
  });
};

describe('The X/Y plot of an experiment', () => {
  const openPage = usePages(openExperimentPage);
  let opened: ExperimentPageHarness;
  const open = async (options: Partial<ExperimentPageOptions> = {}) => {
    opened = await openPage({
      table: pictures(),
      picture: drawing,
      width: 1400,
      ...options,
    });
    await chooseInMenu(opened.page, 'View', 'X/Y');
    await opened.page.getByRole('grid', { name: /^X\/Y of / }).waitFor();
    return opened.page;
  };
  const cell = (x: number, y: number) => opened.page.locator(`#xy-${x}-${y}`);
  const choose = (name: string, label: string) =>
    opened.page.getByRole('combobox', { name, exact: true }).selectOption({ label });
  const plot = () => opened.page.getByRole('grid');
  const activeCell = () => plot().getAttribute('aria-activedescendant');
  /** The drawn picture of each cell by its tooltip, which names its file. */
  const pictureAt = (x: number, y: number) => cell(x, y).locator('mb-thumbnail').getAttribute('title');

  it('shows pictures over two places, large, with the prompt on top and every state in words', async () => {
    const page = await open({ experiment: { over: { rows: 'a.csv', map: { '/input/text': 'text' } } } });
    await cell(3, 4).locator('canvas').waitFor();
    assert.equal(await pictureAt(2, 3), '3-4-0.png');
    await page.locator('.xy-caption').getByText(PROMPT).waitFor();
    // Variation 7 is steps 2 and guidance 3.
    await cell(1, 2).getByText('not run').waitFor();
    await cell(1, 3).getByRole('img', { name: 'failed' }).waitFor();
    await cell(1, 3).getByText('The picture was refused.').waitFor();
    await cell(1, 4).getByText('unconfirmed').waitFor();
    const { width, height } = (await cell(0, 0).boundingBox())!;
    assert.ok(width > 180 && height > 100, `${width} × ${height}`);
    // The cells follow the room that the caption and the footer leave.
    await eventually(async () => {
      const box = (await plot().boundingBox())!;
      const last = (await cell(3, 4).boundingBox())!;
      assert.ok(last.x + last.width <= box.x + box.width && last.y + last.height <= box.y + box.height);
    });
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.screenshot({ path: 'out/journeys/xy-pictures.png' });
  });

  it('turns pages, transposes and moves by keys, and Enter opens the cell', async () => {
    const page = await open();
    await cell(0, 0).locator('mb-thumbnail').waitFor();
    await plot().focus();
    await page.keyboard.press('PageDown');
    await page.getByRole('group', { name: 'Input' }).getByText('2 of 2').waitFor();
    await page.locator('#xy-2-3 mb-thumbnail[title="3-4-1.png"]').waitFor();
    await page.keyboard.press('PageDown');
    assert.equal(await pictureAt(2, 3), '3-4-1.png', 'after the last page there is no other');
    await page.getByRole('button', { name: 'Previous Input' }).click();
    await page.locator('#xy-2-3 mb-thumbnail[title="3-4-0.png"]').waitFor();
    await page.getByRole('button', { name: 'Transpose' }).click();
    await page.locator('#xy-3-2 mb-thumbnail[title="3-4-0.png"]').waitFor();
    await plot().focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    assert.equal(await activeCell(), 'xy-1-2');
    await page.keyboard.press('Control+End');
    assert.equal(await activeCell(), 'xy-4-3');
    await page.keyboard.press('Enter');
    const pane = page.getByRole('complementary', { name: 'Cell' });
    await pane.getByRole('heading', { name: 'row 0, column 19' }).waitFor();
    await plot().focus();
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
  });

  it('shows numbers as a heat map with its ends, for one repeat at a time', async () => {
    const page = await open({ table: numbers(), experiment: { repeats: 3 } });
    await choose('X', 'top_k');
    await choose('Y', 'temperature');
    const model = page.getByRole('combobox', { name: 'model', exact: true });
    await cell(0, 0).getByText('0', { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Numbers on this page: 0 to 80' }).waitFor();
    const share = (x: number, y: number) =>
      cell(x, y).evaluate((element) => Number(element.style.getPropertyValue('--share')));
    assert.deepEqual([await share(0, 0), await share(2, 2), await share(1, 1)], [0, 1, 0.5]);
    await page.getByRole('button', { name: 'Next Run no.' }).click();
    await page.getByRole('img', { name: 'Numbers on this page: 1 to 81' }).waitFor();
    await cell(1, 0).getByText('31', { exact: true }).waitFor();
    await model.selectOption({ label: 'large' });
    await page.getByRole('img', { name: 'Numbers on this page: 91 to 161' }).waitFor();
    await cell(2, 2).click();
    await page.locator('.xy-whole').getByText(WORDS).waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.screenshot({ path: 'out/journeys/xy-numbers.png' });
    await page.setViewportSize({ width: 700, height: 700 });
    await page.screenshot({ path: 'out/journeys/xy-numbers-700.png' });
  });

  it('shows a figure of whole columns as a heat map, and Enter leads to its column', async () => {
    const labels = ['en', 'de', 'fr'];
    const table = tableOf({
      variations: variationsOf({ '/params/a': [1, 2, 3], '/params/b': [1, 2] }),
      items: Array.from({ length: 20 }, (_, at) => rowOf(`sentence ${at}`, labels[at % 3]!)),
      line: ({ item, variation }) => ({
        result: item < 3 * variation ? 'other' : labels[item % 3]!,
        cost: { amount: `0.00${variation + 1}`, currency: 'USD' },
        duration_ms: 10 * (variation + 1),
      }),
    });
    const page = await open({
      table,
      metrics: [{ name: 'accuracy', tolerance: 0 }],
      experiment: { expected: { column: 'language' }, metrics: ['accuracy'] },
    });
    await choose('Show', 'accuracy');
    await cell(0, 0).getByText('1.000', { exact: true }).waitFor();
    await cell(2, 1).getByText('0.250', { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Numbers on this page: 0.250 to 1.000' }).waitFor();
    assert.equal(await page.getByRole('group', { name: 'Input' }).count(), 0, 'a figure is of all inputs');
    await cell(2, 1).click();
    await page
      .locator('.xy-whole')
      .getByText(/^0\.\d+ to 0\.\d+, n 20$/)
      .waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.setViewportSize({ width: 700, height: 700 });
    await page.screenshot({ path: 'out/journeys/xy-figures-700.png' });
    await choose('Show', 'Median cost');
    await page.getByRole('img', { name: 'Numbers on this page: $0.001 to $0.006' }).waitFor();
    await plot().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: /^Results of / }).waitFor();
    await page.locator('.grid:focus[aria-activedescendant="cell--1-5"]').waitFor();
  });

  it('keeps axes, pages and the plot itself with the state of the page', async () => {
    const page = await open({ table: numbers() });
    await choose('X', 'temperature');
    await choose('Y', 'None');
    const keptNow = () => opened.said.findLast(({ method }) => method === 'keepView')?.params;
    const { view } = keptNow() as { view: { view: { plot: object } } };
    assert.deepEqual(view.view.plot, { isShown: true, x: '/params/temperature', y: '' });
    await chooseInMenu(page, 'View', 'Table');
    await page.getByRole('grid', { name: /^Results of / }).waitFor();
    await chooseInMenu(page, 'View', 'X/Y');
    await page.getByRole('columnheader', { name: '0.5' }).waitFor();
  });

  it('saves the page as one PNG, with the whole of each picture', async () => {
    const saved: { name: string; format: string; content: string }[] = [];
    const page = await open({
      responses: { saveChart: (chart: (typeof saved)[number]) => void saved.push(chart) },
    });
    await cell(3, 4).locator('canvas').waitFor();
    await page.getByRole('button', { name: 'Save as PNG' }).click();
    await opened.untilSaid(() => saved.length === 1);
    const [{ name, format, content }] = saved as [(typeof saved)[number]];
    assert.deepEqual({ name, format }, { name: 'xy', format: 'png' });
    const file = Buffer.from(content, 'base64');
    await writeFile('out/journeys/xy-saved.png', file);
    assert.equal(file.subarray(1, 4).toString(), 'PNG');
    // Four columns of 640 pixels behind their heads.
    assert.equal(file.readUInt32BE(16), 400 + 4 * 640);
    // The upper colour of steps 3 and guidance 4 is where its cell is.
    const pixel = await page.evaluate(async (source) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${source}`;
      await picture.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [picture.width, picture.height];
      const context = canvas.getContext('2d')!;
      context.drawImage(picture, 0, 0);
      const top = picture.height - 5 * 480 - 16;
      return [...context.getImageData(400 + 2 * 640 + 20, top + 3 * 480 + 20, 1, 1).data];
    }, content);
    for (const [at, wanted] of [180, 80, 120].entries())
      assert.ok(Math.abs(pixel[at]! - wanted) <= 3, String(pixel));
  });
});
