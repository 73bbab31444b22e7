import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from './paths';
import type { Theme } from './vscode';

/** VS Code's values for a page in a theme; of its 900 colors, those that our pages use. */
export interface ThemeOfPage {
  readonly id: string;
  readonly className: string;
  readonly colors: Readonly<Record<string, string>>;
}

/** From VS Code 1.139; test/journeys/history.test.ts compares them with those of the newest. */
export const themesOfPages: Readonly<Record<Theme, ThemeOfPage>> = JSON.parse(
  readFileSync(path.join(root, 'test/support/themes.json'), 'utf8'),
);

export const themeNames = Object.keys(themesOfPages) as Theme[];

/** Puts a page that no VS Code shows into a theme, as VS Code does. */
export async function showInTheme(page: Page, name: Theme): Promise<void> {
  await page.evaluate(({ id, className, colors }) => {
    const { style } = document.documentElement;
    for (const name of [...style]) if (name.startsWith('--vscode-')) style.removeProperty(name);
    for (const [name, value] of Object.entries(colors)) style.setProperty(`--vscode-${name}`, value);
    document.documentElement.className = '';
    document.body.dataset.vscodeThemeId = id;
    document.body.className = className;
    // The toolkit's components take their colors over in the next frame.
    return new Promise<void>((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
    );
  }, themesOfPages[name]);
}
