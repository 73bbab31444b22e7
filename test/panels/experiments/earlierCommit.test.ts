import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { readResults } from '../../support/atOnce';
import { chooseInMenu } from '../../support/pageMenu';
import { disc } from '../../support/sandboxPictures';
import { usePanels } from '../usePanels';

const COLORS = { red: [230, 20, 30], yellow: [250, 220, 30], green: [30, 170, 60] } as const;

const experiment = (colors: number) =>
  JSON.stringify({
    version: 1,
    run: { model: 'color-palette', input: {}, params: { colors } },
    over: { files: 'colors/**/*.png', map: { '/input/image': 'file' } },
    expected: { folder: true, at: '/palette/0/name' },
    metrics: ['accuracy'],
  });

describe('An experiment compared with an earlier commit', () => {
  let workspace: string;
  const suite = usePanels({
    prepare: async (folder) => {
      workspace = folder;
      for (const [name, color] of Object.entries(COLORS)) {
        await fs.mkdir(path.join(folder, 'colors', name), { recursive: true });
        await fs.writeFile(
          path.join(folder, 'colors', name, `${name}.png`),
          disc(color[0], color[1], color[2]),
        );
      }
      await fs.writeFile(path.join(folder, 'try.experiment.json'), experiment(2));
    },
  });
  const file = (name: string) => path.join(workspace, name);
  const tableOf = (): Promise<Page> => suite.panels.page('try.experiment.json');
  const git = (...words: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: workspace,
    });
  /** The outcomes in the results file. */
  const finishedRuns = async () => {
    const text = await fs.readFile(file('try.results.jsonl'), 'utf8').catch(() => '');
    return readResults(text).results.filter(({ state }) => state === 'finished');
  };
  const finishedColumns = async (count: number) => {
    const heads = (await tableOf()).getByRole('columnheader').filter({ hasText: /(?<!of )3 finished/ });
    await suite.panels.until(async () => (await heads.count()) === count, `${count} columns`);
  };
  const run = async () => {
    const all = (await finishedRuns()).length + 3;
    await (await tableOf()).getByRole('button', { name: /^Run 3/ }).click();
    await suite.panels.answer(/Start 3 runs/, 'Start 3 Runs');
    // The head of the table may still be that of the runs before.
    await suite.panels.until(async () => (await finishedRuns()).length === all, `${all} results`);
    await finishedColumns(1);
  };

  it('shows its results as a column beside those of now, with the pictures that git has kept', async () => {
    const { panels } = suite;
    await panels.startSandbox();
    panels.openFile('try.experiment.json');
    const table = await tableOf();
    await table.setViewportSize({ width: 1400, height: 900 });
    await run();
    // The results of then are right; most of a picture is white.
    const lines = (await finishedRuns()).map(({ result, ...line }) => ({
      ...line,
      result: { ...(result as object), palette: [{ name: line.item.split('/')[1] }] },
    }));
    await fs.writeFile(file('try.results.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await git('init', '--quiet');
    await git('add', 'try.results.jsonl', 'try.results');
    await git('commit', '--quiet', '-m', 'two colors');
    // Other requests for the same pictures; their files take the place of those of the commit.
    const { documents } = panels.window;
    const document = documents.open.find(({ fileName }) => fileName === file('try.experiment.json'))!;
    documents.type(document, experiment(8));
    await table.getByRole('button', { name: /^Run 3/ }).waitFor();
    await fs.rm(file('try.results'), { recursive: true });
    await run();
    const before = (await git('status', '--porcelain')).stdout;
    await table.getByRole('button', { name: 'Compare With…' }).click();
    const question = await panels.question(/Compare the results with/);
    assert.ok(question.separators.some((text) => text.includes('Commits that changed try.results.jsonl')));
    question.pick(/\d{4}/);
    await finishedColumns(2);
    await table.locator('#cell-0-1 mb-thumbnail canvas').waitFor();
    assert.equal((await git('status', '--porcelain')).stdout, before, 'the repository is unchanged');
  });

  it('puts both pictures of a row side by side', async () => {
    const table = await tableOf();
    await table.getByRole('grid').focus();
    await table.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Compare…' }).click();
    await table.getByRole('grid').focus();
    await table.keyboard.press('ArrowRight');
    await table.keyboard.press('Enter');
    const images = table.locator('.cells-beside > img');
    await images.nth(1).waitFor();
    const widths = () =>
      images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
    await suite.panels.until(async () => (await widths()).every((width) => width > 0), 'Both pictures');
    const addresses = await images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src));
    assert.equal(new Set(addresses).size, 2);
    await table.screenshot({ path: 'out/journeys/earlier-commit.png' });
    await table.getByRole('button', { name: 'Close' }).click();
  });

  it('says that it has no results of the same requests, and keeps the comparison for the file', async () => {
    const { panels } = suite;
    const isNamed = async () => {
      const changes = (await tableOf()).getByRole('list', { name: 'Changes' });
      const text = /Not compared with .*, [\da-f]{7}, which has no results of the same requests: Result\./;
      await changes.getByText(text).waitFor();
    };
    await isNamed();
    panels.closePanels(/try/);
    panels.openFile('try.experiment.json');
    await finishedColumns(2);
    await isNamed();
  });

  it('reports the regressions, with the pictures of both, in one file that loads and runs nothing', async () => {
    const { panels } = suite;
    const table = await tableOf();
    await chooseInMenu(table, 'Export', 'HTML Report');
    const target = file('report.html');
    await fs.writeFile(target, '');
    await panels.chooseFile(target);
    const html = await panels.until(async () => {
      const text = await fs.readFile(target, 'utf8');
      return text.endsWith('</html>\n') && text;
    }, 'A whole report');
    assert.ok(html.length < 5_000_000);
    assert.doesNotMatch(html, /<script|<link|src="(?!data:)|https?:/);
    const page = await table.context().browser()!.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`file://${target}`);
    const text = await page.locator('body').innerText();
    assert.match(text, new RegExp(`${new Date().getFullYear()} at `));
    assert.match(text, /Regressions\s+.*, [\da-f]{7}, against Result: 0 became wrong, 3 became right/);
    const pictures = page.locator('.rows tbody tr').first().locator('img');
    assert.equal(await pictures.count(), 3, 'the input, and the result of now and of then');
    const widths = await page
      .locator('img')
      .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
    assert.ok(widths.every((width) => width > 0));
    assert.deepEqual(
      asked.filter((url) => !url.startsWith('data:')),
      [`file://${target}`],
    );
    await page.screenshot({ path: 'out/journeys/report.png' });
    await page.close();
  });

  it('keeps its copies of a commit while it is compared, and no longer', async () => {
    const { panels } = suite;
    const commit = (await git('rev-parse', 'HEAD')).stdout.trim();
    const copies = path.join(panels.workspaceStorage, 'answers', 'compared', commit);
    const isThere = (place: string) => fs.stat(place).then(Boolean, () => false);
    await fs.writeFile(path.join(copies, 'mark'), '');
    const { documents } = panels.window;
    const document = documents.open.find(({ fileName }) => fileName === file('try.experiment.json'))!;
    documents.type(document, experiment(7));
    const table = await tableOf();
    await table.getByRole('button', { name: /^Run 3/ }).waitFor();
    assert.ok(await isThere(path.join(copies, 'mark')), 'the same copies');
    documents.type(document, experiment(8));
    await finishedColumns(2);
    const head = table.getByRole('columnheader').filter({ hasText: commit.slice(0, 7) });
    await chooseInMenu(table, head.getByRole('button', { name: /^Actions for/ }), 'Stop Comparing');
    await finishedColumns(1);
    assert.ok(!(await isThere(copies)));
  });

  it('compares with another file, and reports missing pictures', async () => {
    const { panels } = suite;
    const table = await tableOf();
    const lines = await fs.readFile(file('try.results.jsonl'), 'utf8');
    await fs.mkdir(file('copies'));
    await fs.writeFile(file('copies/old.results.jsonl'), lines);
    await table.getByRole('button', { name: 'Compare With…' }).click();
    await panels.answer(/Compare the results with/, 'Results File…');
    await panels.chooseFile(file('copies/old.results.jsonl'));
    await finishedColumns(2);
    await table.getByText(/^The files of 3 results of old\.results\.jsonl are not available/).waitFor();
    const head = table.getByRole('columnheader').filter({ hasText: 'old.results.jsonl' });
    await chooseInMenu(table, head.getByRole('button', { name: /^Actions for/ }), 'Stop Comparing');
    await finishedColumns(1);
  });

  it('opens a copy of the experiment for another environment, to be run first', async () => {
    const { panels } = suite;
    panels.changeSettings({
      'modelBench.environments': { Sandbox: 'http://127.0.0.1:1', Staging: 'http://127.0.0.1:2' },
    });
    const table = await tableOf();
    await table.getByRole('button', { name: 'Compare With…' }).click();
    await panels.answer(/Compare the results with/, 'Staging');
    const message = table.getByText(/^Run “try\.Staging\.experiment\.json” first/);
    await message.waitFor();
    const { documents } = panels.window;
    documents.type(
      documents.open.find(({ fileName }) => fileName === file('try.experiment.json'))!,
      experiment(4),
    );
    await table.getByRole('button', { name: /^Run 3/ }).waitFor();
    assert.ok(await message.isVisible(), 'the message outlasts a change of the table');
    const copy = JSON.parse(await fs.readFile(file('try.Staging.experiment.json'), 'utf8'));
    assert.deepEqual([copy.environment, copy.run.model], ['Staging', 'color-palette']);
  });
});
