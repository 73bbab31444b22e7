import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in a page or a webview, one line each. */
export async function accessibilityViolations(page: Page | Frame): Promise<string[]> {
  // A webview is transparent over its editor: axe would take what is under it for white.
  await page.evaluate(() => {
    document.documentElement.style.background = 'var(--vscode-editor-background)';
  });
  // The page's policy forbids injected script elements; an evaluated one is the browser's own.
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
  });
}
