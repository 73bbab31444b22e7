import type { Page } from 'playwright-core';

/** Controls and texts of a page that are not on the one grid of sizes (`webview/shared/tokens.css`), one line each. */
export function offGrid(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const heights = (selector: string, wanted: number) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility({ opacityProperty: false, visibilityProperty: true }))
        .map((element) => ({ element, height: element.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height !== wanted)
        .map(({ element, height }) => `${height} px high: ${element.outerHTML.slice(0, 140)}`);
    const sizes = new Set(['12px', '13px', '16px', '18px']);
    const texts = [...document.querySelectorAll<HTMLElement>('main *')].filter((element) => {
      const { fontSize } = getComputedStyle(element);
      // The figures of the usage page are as large as two lines.
      return (
        element.checkVisibility({ visibilityProperty: true }) &&
        !sizes.has(fontSize) &&
        !element.closest('.big, .cm-editor, svg')
      );
    });
    return [
      ...heights('input:not([type=hidden], .hidden-picker)', 26),
      ...heights('vscode-checkbox, vscode-radio', 24),
      ...heights('select, .primary, .secondary, .icon-button:not(.field-menu), .tool-button', 26),
      ...heights('.drop-row', 40),
      ...texts.map((element) => `${getComputedStyle(element).fontSize}: ${element.outerHTML.slice(0, 140)}`),
    ];
  });
}

export function pixelsTooWide(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
