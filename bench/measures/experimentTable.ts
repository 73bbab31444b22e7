import type { Page } from 'playwright-core';
import { variationsOf } from '../../src/experiments/grid';
import { launchBrowser } from '../../test/support/browser';
import { openExperimentPage } from '../../test/support/experiments/page';
import { rowOf, tableOf } from '../../test/support/experiments/table';
import type { Measure } from '../measure';

const ROWS = 1000;
const COLUMNS = 10;
const LABELS = ['en', 'de', 'fr', 'es'];

/** The table of an experiment over the host's own code, in a browser; each act is timed inside the page. */
export const experimentTable: Measure = {
  name: 'experiment table',
  what: `${ROWS * COLUMNS} cells: page opened until its first cells are there; sorted, filtered, folded until the rows are others; heap of the page`,
  goals: [
    { figure: 'opened', label: 'opened', unit: 'ms', atMost: 1000 },
    { figure: 'sorted', label: 'sorted', unit: 'ms', atMost: 100 },
    { figure: 'filtered', label: 'filtered', unit: 'ms', atMost: 100 },
    { figure: 'folded', label: 'folded', unit: 'ms', atMost: 100 },
    { figure: 'heap', label: 'heap after scrolling through', unit: 'MB', atMost: 150 },
  ],
  pairs: 15,
  async prepare() {
    const browser = await launchBrowser();
    const table = tableOf({
      variations: variationsOf({ '/params/top_k': { from: 1, to: COLUMNS, step: 1 } }),
      items: Array.from({ length: ROWS }, (_, at) => rowOf(`text number ${at}`, LABELS[at % LABELS.length]!)),
      at: '/language',
      // The last rows differ, so that the first of them comes into sight when rows are folded.
      line: ({ item, variation }) => ({
        result: { language: LABELS[(item + (item >= ROWS / 2 ? variation : 0)) % LABELS.length]! },
        cost: { amount: '0.001', currency: 'USD' },
        duration_ms: ROWS - item,
      }),
    });
    return {
      warmUp: 2,
      async pair() {
        const start = performance.now();
        const opened = await openExperimentPage(browser, {
          table,
          metrics: [{ name: 'accuracy', tolerance: 0 }],
          experiment: { expected: { column: 'language', at: '/language' }, metrics: ['accuracy'] },
        });
        const { page } = opened;
        await page.locator('#cell-0-0 .facts').waitFor();
        const openedMs = performance.now() - start;
        const figures = {
          opened: openedMs,
          folded: await untilFirstRow(page, 'text number 0', () =>
            page.getByLabel('Fold equal rows').uncheck(),
          ),
          sorted: await untilFirstRow(page, `text number ${ROWS - 1}`, () =>
            page
              .getByRole('combobox', { name: 'Actions for top_k 1', exact: true })
              .selectOption('Sort by Time'),
          ),
          filtered: await untilFirstRow(page, 'text number 77', () =>
            page.getByRole('searchbox').fill('number 77'),
          ),
          heap: await heapAfterScrolling(page),
        };
        await opened.close();
        return figures;
      },
      close: () => browser.close(),
    };
  },
};

/** Milliseconds inside the page from an act's event to another first row. */
async function untilFirstRow(page: Page, text: string, act: () => Promise<unknown>): Promise<number> {
  const watching = page.evaluate<number, string>(
    (wanted) =>
      new Promise((resolve) => {
        let start = 0;
        const begin = () => {
          start ||= performance.now();
        };
        for (const name of ['input', 'change']) addEventListener(name, begin, { capture: true });
        const observer = new MutationObserver(() => {
          const first = document.querySelector('#cell-0--1 .outcome')?.textContent?.trim();
          if (start === 0 || !first?.startsWith(wanted)) return;
          observer.disconnect();
          resolve(performance.now() - start);
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    text,
  );
  await page.evaluate('0');
  await act();
  return watching;
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
