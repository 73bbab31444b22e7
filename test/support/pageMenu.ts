import type { Frame, Locator, Page } from 'playwright-core';

export function fieldMenu(scope: Page | Frame, pointer: string): Locator {
  return scope
    .locator(`[data-pointer="${pointer}"]`)
    .getByRole('button', { name: /^Field Actions/ })
    .first();
}

/** Opens a menu of a page and chooses an entry. */
export async function chooseInMenu(
  scope: Page | Frame,
  button: Locator | string,
  entry: string | RegExp,
): Promise<void> {
  const opener =
    typeof button === 'string' ? scope.getByRole('button', { name: button, exact: true }) : button;
  await opener.click();
  const named = { name: entry, exact: true };
  await scope
    .getByRole('menuitem', named)
    .or(scope.getByRole('menuitemradio', named))
    .or(scope.getByRole('menuitemcheckbox', named))
    .click();
}

/** Loads an example of the model, or performs another action in the menu of the page's head. */
export function chooseInHead(scope: Page | Frame, entry: string | RegExp): Promise<void> {
  return chooseInMenu(scope, 'Examples and More', entry);
}
