import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser';
import { mochaHooks } from '../support/evidence';
import { Panels } from '../support/panels/panels';
import type { PanelsOptions } from '../support/panels/session';

/** For use at the top of a `describe`: an extension without a window for its tests, which follow one another in it. */
export function usePanels(options: PanelsOptions = {}): { readonly panels: Panels } {
  let panels: Panels | undefined;
  let browser: Promise<Browser> | undefined;
  // Mocha's own --require loads another copy of that module, which knows of no page here.
  before(mochaHooks.beforeAll);
  beforeEach(mochaHooks.beforeEach);
  afterEach(mochaHooks.afterEach);
  before('opens the extension', async () => {
    panels = await Panels.open(() => {
      browser ??= launchBrowser();
      return browser;
    }, options);
  });
  after('closes the extension', async () => {
    const errors = panels?.errors ?? [];
    await panels?.close();
    await (await browser)?.close();
    if (errors.length > 0) throw new Error(`Errors of the pages:\n${errors.join('\n')}`);
  });
  return {
    get panels() {
      if (!panels) throw new Error('The extension is opened by a hook, before the first test.');
      return panels;
    },
  };
}
