import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { showInTheme, themeNames } from './themes';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds in a page or a webview, one line each. */
export async function accessibilityViolations(page: Page | Frame): Promise<string[]> {
  await prepare(page);
  return violations(page, 'html');
}

/**
 * The same of a page that no VS Code shows, with its contrast in each theme. It is in the dark one afterwards.
 * @param within the element that is looked at
 */
export async function violationsInEachTheme(page: Page, within = 'html'): Promise<string[]> {
  await showInTheme(page, 'dark');
  await prepare(page);
  const found = await violations(page, within);
  // All rules were looked at in the dark one.
  for (const theme of themeNames.filter((name) => name !== 'dark')) {
    await showInTheme(page, theme);
    found.push(...(await violations(page, within, ['color-contrast'])).map((one) => `${theme}: ${one}`));
  }
  await showInTheme(page, 'dark');
  return found;
}

async function prepare(page: Page | Frame): Promise<void> {
  // A webview is transparent over its editor: axe would take the background under it for white.
  await page.evaluate(() => {
    document.documentElement.style.background = 'var(--vscode-editor-background)';
  });
  // The page's policy forbids injected script elements; an evaluated one is the browser's own. It is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
}

/** @param rules those that are looked at; all by default */
async function violations(page: Page | Frame, within: string, rules?: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async ([where, only]) => {
      const { axe } = window as unknown as {
        axe: {
          run(
            where: string,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      };
      const found = await axe.run(where, {
        // Violations are reported in full; axe would otherwise also describe each passing element.
        resultTypes: ['violations'],
        ...(only ? { runOnly: only } : { rules: { 'target-size': { enabled: true } } }),
      });
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
      );
    },
    [within, rules] as const,
  );
}
