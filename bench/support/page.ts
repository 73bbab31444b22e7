import type { Page } from 'playwright-core';
import { STEP_SECONDS, within } from '../measure';

/** A step of a measure in a page. */
interface PageStep {
  /** For the error when the state does not come. */
  readonly name: string;
  /** The events of the act; the first of them begins the time. */
  readonly from: readonly string[];
  /** Expressions of the states that the act must bring, one after the other; the first is not there before. */
  readonly until: readonly [string, ...string[]];
  /** The most that it may take; `STEP_SECONDS` where it is missing. */
  readonly seconds?: number;
}

/**
 * Milliseconds from the act's event to its last state, as the page itself sees it: driving the browser from outside takes
 * tens of milliseconds of its own.
 * @throws with the step's name when the first state is there before the act, or one does not come
 */
export async function timeUntil(page: Page, step: PageStep, act: () => Promise<unknown>): Promise<number> {
  const { name, from, until, seconds = STEP_SECONDS } = step;
  const isThere = await page.evaluate<boolean>(`(() => {
    const states = [${until.map((state) => `() => ${state}`).join(', ')}];
    const isThere = Boolean(states[0]());
    let start = 0;
    const begin = () => { start ||= performance.now(); };
    for (const name of ${JSON.stringify(from)}) addEventListener(name, begin, { capture: true, once: true });
    globalThis.stepTook = new Promise((resolve) => {
      const look = () => {
        if (start === 0) return;
        while (states.length > 0 && states[0]()) states.shift();
        if (states.length > 0) return;
        observer.disconnect();
        clearInterval(looking);
        resolve(performance.now() - start);
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
      // Styles and canvases change without the document.
      const looking = setInterval(look, 10);
    });
    return isThere;
  })()`);
  if (isThere) throw new Error(`${name}: it is there before the act.`);
  return within(
    seconds,
    name,
    (async () => {
      await act();
      return page.evaluate<number>('globalThis.stepTook');
    })(),
  );
}

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
