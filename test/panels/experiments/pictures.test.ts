import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { Random } from '../../simulation/random';
import { readResults } from '../../support/atOnce';
import { accessibilityViolations, violationsInEachTheme } from '../../support/axe';
import { launchBrowser } from '../../support/browser';
import { chooseInMenu } from '../../support/pageMenu';
import { disc, png } from '../../support/sandboxPictures';
import { usePanels } from '../usePanels';

type Color = readonly [red: number, green: number, blue: number];

const BLUE: Color = [30, 80, 220];
const COLORS: readonly (readonly [name: string, color: Color])[] = [
  ['red', [230, 20, 30]],
  ['yellow', [250, 220, 30]],
  ['green', [30, 170, 60]],
  ['blue', BLUE],
];

const experiment = {
  version: 1,
  run: { model: 'color-palette', input: {} },
  vary: { '/params/colors': [2, 8] },
  over: { files: 'colors/**/*.png', map: { '/input/image': 'file' } },
  expected: { folder: true, at: '/palette/0/name' },
  metrics: ['accuracy'],
};

/** A picture as large as photographs are: the same to the eye, with noise that does not compress. */
function photograph(red: number, green: number, blue: number): Buffer {
  const random = new Random(1);
  const noise = () => random.next() * 8;
  const large = png(500, 500, (x, y) =>
    Math.hypot(x - 0.5, y - 0.5) < 0.33
      ? [red - noise(), green + noise(), blue + noise()]
      : [255 - noise(), 255 - noise(), 255 - noise()],
  );
  assert.ok(large.length > 200_000, 'a large file');
  return large;
}

describe('An experiment over labelled pictures', () => {
  let workspace: string;
  const suite = usePanels({
    prepare: async (folder) => {
      workspace = folder;
      for (const [at, [name, color]] of COLORS.entries()) {
        const of = path.join(folder, 'colors', name);
        await fs.mkdir(of, { recursive: true });
        await fs.writeFile(
          path.join(of, 'large.png'),
          name === 'red' ? photograph(...color) : disc(...color),
        );
        // One is in the folder of another color.
        const painted = name === 'red' ? BLUE : color;
        await fs.writeFile(path.join(of, 'small.png'), disc(...painted, 48 + at));
      }
      await fs.writeFile(path.join(folder, 'colors.experiment.json'), JSON.stringify(experiment, null, 2));
    },
  });
  const tableOf = (): Promise<Page> => suite.panels.page('colors.experiment.json');
  const results = async () =>
    readResults(await fs.readFile(path.join(workspace, 'colors.results.jsonl'), 'utf8'));

  it('keeps the pictures that come back as files named after their inputs', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    panels.openFile('colors.experiment.json');
    const table = await tableOf();
    await table.setViewportSize({ width: 1400, height: 900 });
    await table.getByRole('button', { name: /^Run 16/ }).click();
    await panels.answer(/Start 16 runs/, 'Start 16 Runs');
    await table
      .getByRole('columnheader')
      .filter({ hasText: /(?<!of )8 finished/ })
      .nth(1)
      .waitFor();
    const files = await fs.readdir(path.join(workspace, 'colors.results'));
    assert.equal(files.length, 16);
    assert.ok(
      files.every((name) => /^(large|small)-[\da-f]+-0\.png$/.test(name)),
      files.join(),
    );
    const { results: lines } = await results();
    assert.ok(
      lines.every(
        ({ result, result_file: file }) => /"swatch":"sha256:/.test(JSON.stringify(result)) && file,
      ),
    );
    await table
      .getByTitle(/^accuracy \d\.\d/)
      .first()
      .waitFor();
  });

  it('compares two of them side by side, and by swiping', async () => {
    const table = await tableOf();
    await table.getByRole('grid').focus();
    await table.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Compare…' }).click();
    await table.getByRole('grid').focus();
    await table.keyboard.press('ArrowRight');
    await table.keyboard.press('Enter');
    const widths = () =>
      table
        .locator('.cells-beside > img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
    await suite.panels.until(async () => String(await widths()) === '320,320', 'Both pictures');
    await table.getByRole('button', { name: 'Swipe' }).click();
    const box = table.getByRole('dialog', { name: 'Picture' });
    await box.getByRole('slider').fill('30');
    assert.match((await box.locator('img').nth(1).getAttribute('style')) ?? '', /inset\(0px 70% 0px 0px\)/);
    assert.deepEqual(await accessibilityViolations(table), []);
    const isShown = box.getByRole('button', { name: 'Close' }).evaluate((button: HTMLButtonElement) => {
      button.click();
      return button.checkVisibility();
    });
    assert.equal(await isShown, false);
  });

  it('hides its columns while it is judged blind, and keeps the judgements in the results file', async () => {
    const table = await tableOf();
    await table.getByRole('button', { name: 'Close' }).click();
    await chooseInMenu(table, 'View', 'Judge');
    await table.getByRole('button', { name: 'Judge Blind' }).click();
    await table.getByRole('columnheader', { name: 'Outcome B', exact: true }).waitFor();
    await table.getByRole('grid').focus();
    await table.keyboard.press('b');
    await table.getByRole('img', { name: 'best of row' }).first().waitFor();
    const { judgements } = await results();
    assert.deepEqual(judgements.map(({ value }) => value).toSorted(), [0, 1]);
    assert.ok(judgements.every(({ blind, judgement }) => blind && judgement === 'preferred'));
    await table.getByRole('button', { name: 'Reveal Columns' }).click();
    await table.getByTitle(/^preferred 1\.000/).waitFor();
  });

  it('restores its judgements with the results of a lost file', async () => {
    const { panels } = suite;
    // Those of one moment have no order of their own.
    const judgements = async () =>
      (await results()).judgements.toSorted((a, b) => (a.custom_id < b.custom_id ? -1 : 1));
    const before = await judgements();
    await fs.rm(path.join(workspace, 'colors.results.jsonl'));
    const table = await tableOf();
    await table.getByRole('button', { name: /^Run 16/ }).click();
    await panels.answer(/16 results are no longer in colors\.results\.jsonl/, 'Restore Results');
    await panels.notification(/Nothing to run: all 16 runs have finished/);
    assert.deepEqual(await judgements(), before);
    await table.getByTitle(/^preferred 1\.000/).waitFor();
  });

  it('shows a confusion matrix whose cells filter the table, in every theme and in a narrow window', async () => {
    const table = await tableOf();
    await chooseInMenu(table, 'View', 'Charts');
    const pair = table.getByRole('button', { name: /^Expected red, got / }).first();
    await pair.click();
    await table.getByText(/^\d of 8 rows/).waitFor();
    assert.equal(await table.getByRole('rowheader').filter({ hasText: 'expected blue' }).count(), 0);
    assert.deepEqual(await violationsInEachTheme(table), []);
    await table.setViewportSize({ width: 800, height: 700 });
    assert.deepEqual(await accessibilityViolations(table), []);
    await table.setViewportSize({ width: 1400, height: 900 });
    await pair.click();
    await chooseInMenu(table, 'View', 'Charts');
  });

  it('exports a report that a browser reads without a network and without scripts', async () => {
    const { panels } = suite;
    const table = await tableOf();
    await chooseInMenu(table, 'Export', 'HTML Report');
    const file = await panels.chooseFile();
    assert.equal(file, path.join(workspace, 'colors.html'));
    await panels.notification('The report was saved.');
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ offline: true, javaScriptEnabled: false });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      await page.getByRole('rowheader').filter({ hasText: 'accuracy' }).first().waitFor();
      assert.equal(await page.locator('table.rows').getByRole('row').count(), 1 + 8);
      const { length } = asked.filter((url) => !url.startsWith('data:'));
      assert.equal(length, 1, asked.join('\n').slice(0, 2000));
    } finally {
      await browser.close();
    }
    const report = await fs.readFile(file, 'utf8');
    assert.equal(report.match(/<img /g)?.length, 8 + 16, 'each input and each outcome');
    assert.equal(report.match(/src="data:image\/webp/g)?.length, 1, 'a photograph is drawn small');
    assert.ok(report.length < 400_000, `${report.length} characters`);
    assert.doesNotMatch(report, /<script|https?:|file:/);
    assert.ok(!report.includes(workspace));
  });
});
