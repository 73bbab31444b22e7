import type { Page } from 'playwright-core';

/** More than any page has. */
const MOST_STOPS = 120;

/** The elements that Tab stops at between the head of a run panel and its Run button, that button among them. */
export async function tabStopsToRun(page: Page): Promise<string[]> {
  await page.locator('h1').evaluate((heading) => {
    heading.tabIndex = -1;
    heading.focus();
  });
  const stops: string[] = [];
  const isAtRun = () => page.evaluate(() => document.activeElement?.matches('.run') === true);
  while (!(await isAtRun()) && stops.length < MOST_STOPS) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? ''));
  }
  return stops;
}

/** The Tab stops of a page whose focus cannot be seen, one line each. */
export async function unseenTabStops(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    // Tab goes on from here.
    getSelection()?.setPosition(document.body, 0);
  });
  const unseen: string[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return undefined;
      // A grid and an editor show their place inside.
      const inside = at.getAttribute('aria-activedescendant');
      const marked = inside === null ? at : (document.getElementById(inside) ?? at);
      const { outlineStyle, outlineWidth } = getComputedStyle(marked);
      const isSeen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || at.closest('.cm-editor');
      return { isSeen: Boolean(isSeen), html: at.outerHTML.slice(0, 140) };
    });
    if (!stop) return unseen;
    if (!stop.isSeen) unseen.push(stop.html);
  }
  return [...unseen, `Tab does not leave the page after ${MOST_STOPS} stops.`];
}
