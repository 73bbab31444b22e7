import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser';
import { type ExperimentPageHarness, type ExperimentPageOptions, openExperimentPage } from './page';

/** One browser for the tests of a block, and a page for each, which has no errors in the end. */
export function useExperimentPage() {
  let browser: Browser;
  let opened: ExperimentPageHarness;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());
  afterEach(async () => {
    const { errors } = opened;
    await opened.close();
    assert.deepEqual(errors, []);
  });
  return async (options: ExperimentPageOptions): Promise<ExperimentPageHarness> => {
    opened = await openExperimentPage(browser, options);
    return opened;
  };
}
