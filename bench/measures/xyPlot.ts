import type { CDPSession, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { variationsOf } from '../../src/experiments/plan/grid';
import { launchBrowser } from '../../test/support/browser';
import { openExperimentPage } from '../../test/support/experiments/page';
import { rowOf, tableOf } from '../../test/support/experiments/table';
import { type Measure, STEP_SECONDS, within } from '../measure';
import { timeUntil } from '../support/page';
import { pagesMemory } from '../support/pageMemory';

const SIDE = 20;
const PIXELS = 512;
/** Different pictures: each is served under many addresses, so that each address is decoded. */
const DIFFERENT = 16;

/** The X/Y plot of 400 pictures in a browser: opened, scrolled in every direction at two sizes, and turned to a page. */
export const xyPlot: Measure = {
  name: 'xy-plot',
  what: `X/Y of ${SIDE * SIDE} pictures of ${PIXELS} × ${PIXELS} pixels: opened until those in sight are drawn, frames while scrolling through, a page turned; memory of the page`,
  goals: [
    { figure: 'opened', label: 'pictures in sight drawn', unit: 'ms' },
    {
      ...{ figure: 'frame', label: 'frame, 95th of 100', unit: 'ms', atMost: 32 },
      missedBecause: 'a machine without a graphics card draws the pictures itself',
    },
    { figure: 'work', label: 'work of the page in a frame, on its own processor', unit: 'ms', atMost: 32 },
    { figure: 'longest', label: 'longest frame', unit: 'ms' },
    { figure: 'turned', label: 'page turned until its cells are there', unit: 'ms' },
    ...(process.platform === 'linux'
      ? [{ figure: 'memory', label: 'memory of its process', unit: 'MB' } as const]
      : []),
  ],
  pairs: 15,
  async prepare() {
    const pictures = Array.from({ length: DIFFERENT }, (_, seed) => photo(seed));
    return {
      warmUp: 1,
      async pair() {
        // A browser of its own: processes of an earlier page cannot be told apart from ours.
        const browser = await launchBrowser();
        try {
          const opened = await openExperimentPage(browser, {
            table: pictureTable(),
            width: 1400,
            picture: (name) => `/pictures/${name}`,
          });
          const { page } = opened;
          await page.route('**/pictures/**', (route) =>
            route.fulfill({
              contentType: 'image/png',
              body: pictures[Number(/(\d+)\.png/.exec(route.request().url())![1]) % DIFFERENT]!,
            }),
          );
          await page.getByRole('button', { name: 'View', exact: true }).click();
          const whole = await timeUntil(
            page,
            { name: 'the pictures in sight', from: ['click'], until: [`(${areDrawn})()`] },
            () => page.getByRole('menuitemradio', { name: 'X/Y' }).click(),
          );
          await page.getByRole('slider', { name: 'Size' }).fill('1');
          const session = await page.context().newCDPSession(page);
          await session.send('Performance.enable', { timeDomain: 'threadTicks' });
          const before = await taskSeconds(session);
          const frames = [...(await scrolled(page)), ...(await zoomed(page))].sort((a, b) => a - b);
          const work = (1000 * ((await taskSeconds(session)) - before)) / frames.length;
          const turned = await timeUntil(
            page,
            { name: 'the next page', from: ['click'], until: [IS_TURNED] },
            () => page.getByRole('button', { name: 'Next Input' }).click(),
          );
          const figures = {
            ...{ opened: whole, work, turned },
            frame: frames[Math.floor(0.95 * frames.length)]!,
            longest: frames.at(-1)!,
          };
          await session.send('HeapProfiler.collectGarbage');
          const memory = process.platform === 'linux' ? await pagesMemory(browser) : 0;
          await opened.close();
          return { ...figures, memory };
        } finally {
          await browser.close();
        }
      },
    };
  },
};

function pictureTable() {
  const variations = variationsOf({
    '/params/steps': { from: 1, to: SIDE, step: 1 },
    '/params/guidance': { from: 1, to: SIDE, step: 1 },
  });
  return tableOf({
    variations,
    items: [rowOf('A lighthouse on a cliff'), rowOf('A fox in the snow, at night')],
    line: ({ item, variation }) => ({
      result: null,
      result_file: `a.results/${item}-${variation + item * variations.length}.png`,
    }),
  });
}

/** Soft shapes: decoded like any picture of this size, and short. */
function photo(seed: number): Buffer {
  const png = new PNG({ width: PIXELS, height: PIXELS });
  for (let at = 0; at < PIXELS * PIXELS; at++) {
    const [x, y] = [at % PIXELS, Math.floor(at / PIXELS)];
    const level = (phase: number) => 128 + 90 * Math.sin((x + phase * y) / (40 + seed));
    png.data.set([level(0.3), level(0.7), level(1.1), 255], 4 * at);
  }
  return PNG.sync.write(png);
}

/** Seconds that the page's main thread has worked. */
async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = (await session.send('Performance.getMetrics')) as {
    metrics: readonly { readonly name: string; readonly value: number }[];
  };
  return metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

/** Runs in the page: whether the pictures in sight are drawn. */
function areDrawn(): boolean {
  const all = [...document.querySelectorAll<HTMLCanvasElement>('.xy mb-thumbnail canvas')];
  const { right, bottom } = document.querySelector('.xy')?.getBoundingClientRect() ?? { right: 0, bottom: 0 };
  const inSight = all.filter((canvas) => {
    const { left, top } = canvas.parentElement!.getBoundingClientRect();
    return left < right - 1 && top < bottom - 1;
  });
  // A canvas is 300 pixels wide until a picture is drawn.
  return inSight.length > 0 && inSight.every(({ width }) => width !== 300);
}

/** Milliseconds between frames while the plot is scrolled down and back to the right. */
function scrolled(page: Page): Promise<number[]> {
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const plot = document.querySelector<HTMLElement>('.xy')!;
        const frames: number[] = [];
        let before = 0;
        const step = (now: number) => {
          if (before > 0) frames.push(now - before);
          before = now;
          const isDown = plot.scrollTop + plot.clientHeight < plot.scrollHeight - 1;
          const isRight = plot.scrollLeft + plot.clientWidth < plot.scrollWidth - 1;
          if (isDown) plot.scrollTop += 30;
          else if (isRight) plot.scrollLeft += 30;
          else return resolve(frames);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
  return within(STEP_SECONDS, 'the scrolling', frames);
}

/** The same with larger cells. */
async function zoomed(page: Page): Promise<number[]> {
  await page.getByRole('slider', { name: 'Size' }).fill('3');
  await page.locator('.xy').evaluate((plot) => plot.scrollTo(0, 0));
  return scrolled(page);
}

/** The cells of the next page are there. */
const IS_TURNED = `document.querySelector('.xy .sizer [role=gridcell] mb-thumbnail')?.getAttribute('title')?.startsWith('1-')`;
