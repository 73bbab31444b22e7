import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from './eventually';

/** Clicks a check box that is not so, and waits for its state: the toolkit tells it in the frame after the click. */
export async function check(box: Locator, isChecked = true): Promise<void> {
  if ((await box.isChecked()) !== isChecked) await box.click();
  await eventually(async () => assert.equal(await box.isChecked(), isChecked));
}
