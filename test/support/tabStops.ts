import type { Page } from 'playwright-core';

/** The elements that Tab stops at between the head of a run panel and its Run button, that button among them. */
export async function tabStopsToRun(page: Page, most = 60): Promise<string[]> {
  await page.locator('h1').evaluate((heading) => {
    heading.tabIndex = -1;
    heading.focus();
  });
  const stops: string[] = [];
  const isAtRun = () => page.evaluate(() => document.activeElement?.matches('.run') === true);
  while (!(await isAtRun()) && stops.length < most) {
    await page.keyboard.press('Tab');
    stops.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? ''));
  }
  return stops;
}
