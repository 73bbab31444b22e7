import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tableFigures } from '../../../src/experiments/figures/tableFigures';
import { variationsOf } from '../../../src/experiments/plan/grid';
import { htmlReport } from '../../../src/experiments/report/html';
import { reportTexts } from '../../../src/experiments/report/reportTexts';
import { violationsInEachTheme } from '../../support/axe';
import { tableOf } from '../../support/experiments/table';
import { chooseInMenu } from '../../support/pageMenu';
import { showInTheme } from '../../support/themes';
import { useExperimentTable } from './useTable';

const MARGIN = 0.05;
const metrics = [
  { name: 'accuracy', tolerance: 0 },
  { name: 'macro_f1', tolerance: 0 },
] as const;
const LABELS = ['eng', 'fra', 'deu', 'eng', 'spa', 'eng'];
const names = ['baseline', 'better', 'alike', 'worse', 'unknown'];

/** Rows that each column has wrong, in percent. */
const isWrong = (column: number, row: number) =>
  [
    row % 5 === 0,
    row % 20 === 0,
    row % 5 === 0 && row !== 100,
    row % 5 === 0 || row % 3 === 0,
    row % 5 === 0 ? row % 15 !== 0 : row % 27 === 1,
  ][column]!;

describe('Each of the four signs', () => {
  const table = tableOf({
    variations: variationsOf({ '/model': names }),
    items: Array.from({ length: 240 }, (_, row) => ({
      ...{ name: `row ${row + 2}`, values: { '/input/text': `sentence number ${row}` }, files: [] },
      expected: LABELS[row % 6]!,
    })),
    line: ({ item, variation }) => {
      if (variation === 3 && item >= 216) return undefined;
      const label = LABELS[item % 6]!;
      const wrong = item % 10 === 5 ? label.toUpperCase() : 'por';
      return {
        result: isWrong(variation, item) ? wrong : label,
        ...{ cost: { amount: '0.001', currency: 'USD' }, duration_ms: 20 + item },
      };
    },
  });
  const suite = useExperimentTable({
    ...{ table, metrics },
    experiment: { expected: { column: 'language' }, metrics: ['accuracy', 'macro_f1'], margin: MARGIN },
    width: 1400,
    responses: { askGroup: () => '' },
  });

  it('shows its words in the table, readable in each theme, beside figures of groups and near misses', async () => {
    const page = await suite.open();
    for (const text of ['▲ +0.150 better', /^≈ \+0\.004 alike/, /^▼ −\S+ worse/, /^\? \S+ cannot tell yet/])
      await page.getByText(text).first().waitFor();
    await page.getByRole('rowheader', { name: 'most frequent label' }).waitFor();
    const unknown = page.locator('.told.unknown', { hasText: /cannot tell yet, about \d+ more rows/ });
    const isCut = (at: Element) => at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight;
    assert.equal(await unknown.first().evaluate(isCut), false, 'all of it is read in a column of 220 pixels');
    const ofGroup = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'deu', exact: true }) });
    const labels = page.getByRole('button', { name: 'accuracy', exact: true });
    await labels.click();
    await ofGroup.getByText('n 40').first().waitFor();
    await labels.click();
    await ofGroup.waitFor({ state: 'detached' });
    await chooseInMenu(page, 'View', 'Group By…');
    await ofGroup.getByText('n 40').first().waitFor();
    for (const theme of ['dark', 'light', 'high contrast', 'high contrast light'] as const) {
      await showInTheme(page, theme);
      await page.screenshot({ path: `out/looks/signs-table-${theme}.png` });
    }
    assert.deepEqual(await violationsInEachTheme(page), []);
    await chooseInMenu(page, 'View', 'Grouped by Label');
    await ofGroup.waitFor({ state: 'detached' });
    await page.getByText(/accuracy: 24 more would be right but for case/).waitFor();
    await page.getByRole('button', { name: 'Compare So' }).click();
    const edits = suite.opened.said.filter(({ method }) => method === 'edit');
    assert.deepEqual(edits.at(-1)?.params, { ignore: ['case'] });
  });

  it('shows the same in charts and in a report', async () => {
    const page = await suite.open();
    await chooseInMenu(page, 'View', 'Charts');
    const charts = page.getByRole('complementary', { name: 'Charts' });
    await charts.locator('svg').first().waitFor();
    await charts.locator('svg text', { hasText: 'worse · 216 of 240' }).nth(1).waitFor();
    for (const theme of ['dark', 'light', 'high contrast'] as const) {
      await showInTheme(page, theme);
      await page.screenshot({ path: `out/looks/signs-charts-${theme}.png` });
    }
    await chooseInMenu(page, 'View', 'Charts');
    await page.setViewportSize({ width: 450, height: 800 });
    await page.screenshot({ path: 'out/looks/signs-table-narrow.png' });
    const figures = await tableFigures(table, metrics, { names, margin: MARGIN, locale: 'en' });
    const texts = reportTexts({ name: 'Signs', size: '5 models × 240 rows' }, figures, new Date());
    await writeFile('out/looks/signs.html', htmlReport(texts, [], 'en'));
    for (const sign of ['▲ +0.150 better', '≈ +0.004 alike', '▼ ', '? '])
      assert.ok(htmlReport(texts, [], 'en').includes(sign), sign);
  });
});
