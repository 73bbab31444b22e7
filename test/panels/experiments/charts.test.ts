import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { violationsInEachTheme } from '../../support/axe';
import { languageTable } from '../../support/experiments/table';
import { chooseInMenu } from '../../support/pageMenu';
import { useExperimentTable } from './useTable';

describe('The charts of an experiment', () => {
  const suite = useExperimentTable({
    table: languageTable(100, 4),
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
  });

  it('show quality, cost and time, and are saved as pictures', async () => {
    const saved: { name: string; format: string; content: string }[] = [];
    const page = await suite.open({
      responses: { saveChart: (chart: (typeof saved)[number]) => void saved.push(chart) },
    });
    await chooseInMenu(page, 'View', 'Charts');
    await page.getByRole('img', { name: /^accuracy and median cost\./ }).waitFor();
    await page.getByRole('img', { name: /^accuracy over top_k\./ }).waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.screenshot({ path: 'out/journeys/experiment-charts.png' });
    await page.getByRole('img', { name: /^Times of runs/ }).scrollIntoViewIfNeeded();
    await page.screenshot({ path: 'out/journeys/experiment-charts-below.png' });
    for (const format of ['svg', 'png'])
      await chooseInMenu(page, 'Save accuracy and median cost', format.toUpperCase());
    await suite.opened.untilSaid(() => saved.length === 2);
    const svg = saved.find(({ format }) => format === 'svg')!.content;
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.doesNotMatch(svg, /var\(|<!--|undefined|NaN/);
    const png = Buffer.from(saved.find(({ format }) => format === 'png')!.content, 'base64');
    await writeFile('out/journeys/experiment-chart-saved.png', png);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.equal(png.readUInt32BE(16), 2 * 560, 'as wide as twice the drawing');
  });

  it('filter the table by a cell of the confusion matrix, until it is chosen again', async () => {
    const page = await suite.open();
    await chooseInMenu(page, 'View', 'Charts');
    const pair = page.getByRole('button', { name: /^Expected en, got de: / });
    const count = Number(/: (\d+)$/.exec((await pair.getAttribute('aria-label'))!)![1]);
    assert.ok(count > 1);
    await pair.focus();
    await page.keyboard.press('Enter');
    await page.getByText(`${count} of 100 rows`).waitFor();
    await page.getByText('expected en, got de').waitFor();
    assert.equal(await suite.cell(0, -1).getByText('expected en').count(), 1);
    await page.screenshot({ path: 'out/journeys/experiment-confusion.png' });
    await pair.click();
    await page.getByText('100 rows', { exact: true }).or(page.getByText('rows folded')).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Clear Filter' }).count(), 0);
  });
});
