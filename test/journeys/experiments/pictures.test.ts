import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frame } from 'playwright-core';
import { PNG } from 'pngjs';
import { readResults } from '../../../src/experiments/results';
import { accessibilityViolations } from '../../support/axe';
import { launchBrowser } from '../../support/browser';
import { useVSCode } from '../../support/journey';
import { sampleImages } from '../../support/runtime/parts';
import { png } from '../../support/sandboxPictures';
import type { VSCode } from '../../support/vscode';

/** Emoji by the colour of which they are. */
const EMOJI = { red: '2764-fe0f', yellow: '1f49b', green: '1f49a', blue: '1f499' };

const experiment = {
  version: 1,
  run: { model: 'colour-palette', input: {} },
  vary: { '/params/colours': [2, 8] },
  over: { files: 'hearts/**/*.png', map: { '/input/image': 'file' } },
  expected: { folder: true, at: '/palette/0/name' },
  metrics: ['accuracy'],
};

/** Makes a picture as large as photographs are: the same to the eye, with noise that does not compress. */
async function enlarge(file: string): Promise<void> {
  const small = PNG.sync.read(await fs.readFile(file));
  const at = (x: number, y: number) =>
    4 * (Math.floor(y * small.height) * small.width + Math.floor(x * small.width));
  const large = png(700, 700, (x, y) => {
    const [red = 0, green = 0, blue = 0, alpha = 0] = small.data.subarray(at(x, y), at(x, y) + 4);
    const noise = Math.random() * 4;
    return [red, green, blue].map((value) => Math.max(0, value - noise)).concat(alpha) as never;
  });
  assert.ok(large.length > 200_000, 'a large file');
  await fs.writeFile(file, large);
}

describe('An experiment over labelled pictures', () => {
  let workspace: string;
  const journey = useVSCode({
    prepare: async (folder) => {
      workspace = folder;
      const emoji = await sampleImages();
      for (const [colour, code] of Object.entries(EMOJI)) {
        await fs.mkdir(path.join(folder, 'hearts', colour), { recursive: true });
        for (const [vendor, from] of Object.entries(emoji))
          await fs.copyFile(
            path.join(from, `${code}.png`),
            path.join(folder, 'hearts', colour, `${vendor}.png`),
          );
      }
      await enlarge(path.join(folder, 'hearts', Object.keys(EMOJI)[0]!, 'google.png'));
      await fs.writeFile(path.join(folder, 'hearts.experiment.json'), JSON.stringify(experiment, null, 2));
    },
  });
  const results = async () =>
    readResults(await fs.readFile(path.join(workspace, 'hearts.results.jsonl'), 'utf8'));

  it('keeps the pictures that come back as files named after their inputs', async () => {
    const { vscode } = journey;
    await vscode.resize(1400, 900);
    await vscode.runCommand('Model Bench: Try the Built-in Sandbox');
    await vscode.treeRow('Catalog', /./).waitFor();
    await vscode.openFile('hearts.experiment.json');
    const table = await tableIn(vscode);
    await table.getByRole('button', { name: /^Run 16/ }).click();
    await vscode.clickDialogButton('Start 16 Runs');
    await table
      .getByRole('columnheader')
      .filter({ hasText: /(?<!of )8 finished/ })
      .nth(1)
      .waitFor();
    const files = await fs.readdir(path.join(workspace, 'hearts.results'));
    assert.equal(files.length, 16);
    assert.ok(
      files.every((name) => /^(google|twitter)-[\da-f]+-0\.png$/.test(name)),
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
    await vscode.screenshot('journeys/experiment-pictures');
  });

  it('compares two of them side by side, by swiping and by blinking', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByLabel('Fold equal rows').uncheck();
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Compare…' }).click();
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('ArrowRight');
    await vscode.page.keyboard.press('Enter');
    const compared = table.locator('mb-compare-pictures');
    await compared.getByRole('button', { name: 'Swipe' }).click();
    await compared.getByRole('slider').fill('30');
    const widths = await compared
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
    assert.deepEqual(widths, [320, 320], 'both pictures are there');
    assert.match(
      (await compared.locator('img').nth(1).getAttribute('style')) ?? '',
      /inset\(0px 70% 0px 0px\)/,
    );
    assert.deepEqual(await accessibilityViolations(table), []);
    await vscode.screenshot('journeys/experiment-swipe');
    await compared.getByRole('button', { name: 'Blink' }).click();
    const title = compared.locator('strong');
    const first = await title.innerText();
    await compared.getByRole('button', { name: 'Show the Other' }).click();
    await title.filter({ hasNotText: first }).waitFor();
    const other = await title.innerText();
    await compared.getByRole('button', { name: 'Show the Other' }).click();
    await title.filter({ hasText: first }).waitFor();
    assert.match(`${first}${other}`, /colours/);
  });

  it('hides its columns while it is judged blind, and keeps the judgements in the results file', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByRole('button', { name: 'Close' }).click();
    await table.getByRole('button', { name: 'Judge', exact: true }).click();
    await table.getByRole('button', { name: 'Judge Blind' }).click();
    await table.getByRole('columnheader', { name: 'Outcome B', exact: true }).waitFor();
    await table.getByRole('grid').focus();
    await vscode.page.keyboard.press('b');
    await table.getByRole('img', { name: 'best of row' }).first().waitFor();
    await vscode.screenshot('journeys/experiment-judged-blind');
    const { judgements } = await results();
    assert.deepEqual(judgements.map(({ value }) => value).toSorted(), [0, 1]);
    assert.ok(judgements.every(({ blind, judgement }) => blind && judgement === 'preferred'));
    await table.getByRole('button', { name: 'Reveal Columns' }).click();
    await table.getByTitle(/^preferred 1\.000/).waitFor();
  });

  it('shows a confusion matrix whose cells filter the table, in every theme and in a narrow window', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByRole('button', { name: 'Charts' }).click();
    const pair = table.getByRole('button', { name: /^Expected red, got / }).first();
    await pair.click();
    await table.getByText(/^\d of 8 rows/).waitFor();
    assert.equal(await table.getByRole('rowheader').filter({ hasText: 'expected blue' }).count(), 0);
    for (const theme of ['light', 'high contrast', 'dark'] as const) {
      await vscode.setTheme(theme);
      assert.deepEqual(await accessibilityViolations(table), []);
      await vscode.screenshot(`journeys/experiment-charts-${theme.replace(' ', '-')}`);
    }
    await vscode.resize(800, 700);
    await vscode.screenshot('journeys/experiment-charts-800');
    await vscode.resize(1400, 900);
    await pair.click();
    await table.getByRole('button', { name: 'Charts' }).click();
  });

  it('exports a report that a browser reads without a network and without scripts', async () => {
    const { vscode } = journey;
    const table = await tableIn(vscode);
    await table.getByRole('combobox', { name: 'Export' }).selectOption('HTML Report');
    await vscode.answerFileDialog();
    const file = path.join(workspace, 'hearts.html');
    await vscode.page
      .locator('.monaco-editor .view-lines')
      .filter({ hasText: 'Content-Security-Policy' })
      .waitFor();
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
      await page.screenshot({ path: 'out/journeys/experiment-report.png' });
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

/** The page of the editor on screen: the frame of an editor of a file has no title. */
function tableIn(vscode: VSCode): Promise<Frame> {
  return vscode.webview(/^/);
}
