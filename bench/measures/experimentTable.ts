import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readModel } from '../../src/contracts/model';
import { loadExperiment } from '../../src/experiments/file/load';
import { comparingOf } from '../../src/experiments/results/measuredValue';
import { resultText } from '../../src/experiments/results/results';
import { ResultsFile, resultPlaces } from '../../src/experiments/results/resultsFile';
import { ExperimentTable, type TablePlan } from '../../src/experiments/table/table';
import { launchBrowser } from '../../test/support/browser';
import { openExperimentPage } from '../../test/support/experiments/page';
import { chooseInMenu } from '../../test/support/pageMenu';
import { type Measure, timed } from '../measure';
import { timeUntil } from '../support/page';
import { pagesMemory } from '../support/pageMemory';

const ROWS = 1000;
const COLUMNS = 10;
const LABELS = ['en', 'de', 'fr', 'es'];
const EXPERIMENT = {
  run: { model: 'languages', input: {} },
  vary: { '/params/top_k': { from: 1, to: COLUMNS, step: 1 } },
  over: { rows: 'texts.csv', map: { '/input/text': 'text' } },
  expected: { column: 'language', at: '/language' },
  metrics: ['accuracy' as const],
};

/** The table of an experiment over the host's own code, in a browser; each act is timed inside the page. */
export const experimentTable: Measure = {
  name: 'experiment-table',
  what: `${ROWS * COLUMNS} cells: file and results read, then page opened until its first cells are there; sorted, filtered, folded until the rows are others; memory of the page`,
  goals: [
    { figure: 'opened', label: 'opened', unit: 'ms', atMost: 700 },
    { figure: 'read', label: 'of which file and results read', unit: 'ms', atMost: 300 },
    { figure: 'added', label: 'a result added, read again', unit: 'ms', atMost: 16 },
    { figure: 'sorted', label: 'sorted', unit: 'ms', atMost: 60 },
    { figure: 'filtered', label: 'filtered', unit: 'ms', atMost: 60 },
    { figure: 'folded', label: 'folded', unit: 'ms', atMost: 60 },
    { figure: 'heap', label: 'heap after scrolling through', unit: 'MB', atMost: 150 },
    ...(process.platform === 'linux'
      ? [
          { figure: 'memory', label: 'memory of its process', unit: 'MB', atMost: 150 } as const,
          { figure: 'garbage', label: 'the same before garbage is collected', unit: 'MB' } as const,
          { figure: 'bare', label: 'memory of an empty page', unit: 'MB' } as const,
        ]
      : []),
  ],
  pairs: 15,
  async prepare({ folder }) {
    const file = await writeExperiment(folder);
    return {
      warmUp: 2,
      async pair() {
        // A browser of its own: processes of an earlier page cannot be told apart from ours.
        const browser = await launchBrowser();
        try {
          await (await browser.newPage()).goto('about:blank');
          const bare = process.platform === 'linux' ? await pagesMemory(browser) : 0;
          await browser.contexts()[0]!.close();
          const { table, ...host } = await readAll(file);
          const opened = await openExperimentPage(browser, {
            table,
            metrics: [{ name: 'accuracy', tolerance: 0 }],
            experiment: EXPERIMENT,
            before: WHEN_OPENED,
          });
          const { page } = opened;
          await page.locator('#cell-0-0 .facts').waitFor();
          await chooseInMenu(page, 'View', 'Fold Equal Rows');
          await page.locator(FIRST_ROW, { hasText: `text number ${ROWS / 2}` }).waitFor();
          await page.getByRole('button', { name: 'View', exact: true }).click();
          const unfolded = await untilFirstRow(page, 'unfold', 'text number 0', () =>
            page.getByRole('menuitemcheckbox', { name: 'Fold Equal Rows' }).click(),
          );
          await page.getByRole('button', { name: 'Actions for top_k 1', exact: true }).click();
          const figures = {
            ...host,
            opened: host.read + (await page.evaluate<number>('firstCells')),
            folded: unfolded,
            sorted: await untilFirstRow(page, 'sort', `text number ${ROWS - 1}`, () =>
              page.getByRole('menuitem', { name: 'Sort by Time', exact: true }).click(),
            ),
            filtered: await untilFirstRow(page, 'filter', 'text number 77', () =>
              page.getByRole('searchbox').fill('number 77'),
            ),
            heap: await heapAfterScrolling(page),
            bare,
          };
          const garbage = process.platform === 'linux' ? await pagesMemory(browser) : 0;
          await (await page.context().newCDPSession(page)).send('HeapProfiler.collectGarbage');
          const memory = process.platform === 'linux' ? await pagesMemory(browser) : 0;
          await opened.close();
          return { ...figures, garbage, memory };
        } finally {
          await browser.close();
        }
      },
    };
  },
};

const CONTRACT = readModel(
  {
    slug: 'languages',
    modes: {
      execute: {
        input_schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        params_schema: {
          type: 'object',
          properties: { top_k: { type: 'integer', minimum: 1, maximum: COLUMNS } },
        },
      },
    },
  },
  'languages',
)!;

/** An experiment of which every run has a result, as the product writes them. */
async function writeExperiment(folder: string): Promise<string> {
  const file = path.join(folder, 'table.experiment.json');
  await writeFile(file, JSON.stringify(EXPERIMENT));
  const rows = Array.from({ length: ROWS }, (_, at) => `text number ${at},${LABELS[at % LABELS.length]}\n`);
  await writeFile(path.join(folder, 'texts.csv'), ['text,language\n', ...rows].join(''));
  const { plan } = await planned(file);
  const lines = plan.runs.map(({ customId, repeat, requestSha256, serves: [place] }) => {
    const { variation, item } = place!;
    // The last rows differ, so that the first of them comes into sight when rows are folded.
    const guessed = LABELS[(item + (item >= ROWS / 2 ? variation : 0)) % LABELS.length]!;
    return resultText({
      custom_id: customId,
      variation: plan.variations[variation]!,
      item: plan.items[item]!.name,
      repeat,
      request_sha256: requestSha256,
      state: 'finished',
      result: { language: guessed, scores: LABELS.map((label, at) => ({ label, score: 0.5 / (at + 1) })) },
      cost: { amount: '0.001', currency: 'USD' },
      started_at: '2026-11-23T00:00:00.000Z',
      duration_ms: ROWS - item,
      run_id: `run_${customId}`,
      metrics: { accuracy: Number(guessed === LABELS[item % LABELS.length]) },
    });
  });
  await writeFile(resultPlaces(file).file, lines.join(''));
  return file;
}

async function planned(file: string) {
  const { loaded } = await loadExperiment(file, JSON.stringify(EXPERIMENT), async () => CONTRACT);
  if (!loaded) throw new Error('The experiment of the measure has errors.');
  return loaded;
}

/** The host's work before the page can show anything; and after a run has added its line. */
async function readAll(file: string) {
  const { file: results } = resultPlaces(file);
  const opened = new ResultsFile(results);
  let table: ExperimentTable | undefined;
  const show = async (plan: TablePlan) => {
    const read = await opened.read();
    const lines = new Map(read.results.map((line) => [line.custom_id, line]));
    table = new ExperimentTable(plan, lines, comparingOf(EXPERIMENT as never), read.judgements, read.costs);
  };
  const start = performance.now();
  const { plan } = await planned(file);
  await show(plan);
  const read = performance.now() - start;
  // The last line again: the file grows, the table stays the same.
  const text = await readFile(results, 'utf8');
  await appendFile(results, text.slice(text.lastIndexOf('\n', text.length - 2) + 1));
  const added = await timed(() => show(plan));
  await writeFile(results, text);
  return { table: table!, read, added };
}

/** Puts into the page when its first cells were there, in milliseconds since it was navigated to. */
const WHEN_OPENED = `{
  const observer = new MutationObserver(() => {
    if (!document.querySelector('#cell-0-0 .facts')) return;
    observer.disconnect();
    globalThis.firstCells = performance.now();
  });
  observer.observe(document, { childList: true, subtree: true });
}`;

const FIRST_ROW = '#cell-0--1 .outcome';

/** Milliseconds inside the page from an act's event to another first row. */
function untilFirstRow(page: Page, name: string, text: string, act: () => Promise<unknown>): Promise<number> {
  const isFirst = `document.querySelector('${FIRST_ROW}')?.textContent.trim().startsWith('${text}')`;
  return timeUntil(page, { name, from: ['input', 'change', 'click'], until: [isFirst] }, act);
}

/** Megabytes that the page's scripts hold after every part of the table was in sight. */
async function heapAfterScrolling(page: Page): Promise<number> {
  await page.getByRole('searchbox').fill('');
  const grid = page.getByRole('grid');
  for (let part = 0; part <= 20; part += 1) {
    await grid.evaluate((element, share) => {
      element.scrollTo(share * element.scrollWidth, share * element.scrollHeight);
    }, part / 20);
    await page.waitForTimeout(30);
  }
  const session = await page.context().newCDPSession(page);
  const { usedSize, embedderHeapUsedSize = 0 } = (await session.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    embedderHeapUsedSize?: number;
  };
  return (usedSize + embedderHeapUsedSize) / 1_000_000;
}
