import type { Page } from 'playwright-core';

/** Longest time that the page's event loop was busy while `work` went on, in milliseconds: a timer of 1 ms, how late. */
export async function longestStallDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const watch = { longest: 0, last: performance.now(), on: true };
    Object.assign(window, { watch });
    const tick = () => {
      const now = performance.now();
      watch.longest = Math.max(watch.longest, now - watch.last);
      watch.last = now;
      if (watch.on) setTimeout(tick, 0);
    };
    tick();
  });
  await work();
  return page.evaluate(() => {
    const { watch } = window as unknown as { watch: { longest: number; on: boolean } };
    watch.on = false;
    return watch.longest;
  });
}
