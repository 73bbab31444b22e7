import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { rowOf, tableOf } from '../../support/experiments/table';
import { chooseInMenu } from '../../support/pageMenu';
import { useExperimentTable } from './useTable';

describe('The table of an experiment, by keyboard and pointer', () => {
  const { open } = useExperimentTable({
    table: tableOf({
      items: ['first', 'second'].map((text) => rowOf(text)),
      line: () => ({ result: 'See [the page](https://models.test/x) for it.\n\n- one' }),
    }),
  });
  const focused = (page: Page, selector: string) =>
    page.locator(selector).and(page.locator(':focus')).waitFor();

  it('takes the focus back when the charts beside it are closed', async () => {
    const page = await open();
    for (const close of ['click', 'Escape']) {
      await chooseInMenu(page, 'View', 'Charts');
      const beside = page.getByRole('complementary', { name: 'Charts' });
      const closing = beside.getByRole('button', { name: 'Close' });
      if (close === 'click') await closing.click();
      else await closing.press('Escape');
      await beside.waitFor({ state: 'detached' });
      await focused(page, '[role=grid]');
    }
  });

  it('moves to the filter at Ctrl+F, and from Clear Filter', async () => {
    const page = await open();
    await page.getByRole('grid').focus();
    await page.keyboard.press('ControlOrMeta+f');
    await focused(page, '#filter');
    await page.keyboard.type('first');
    await page.getByText('1 of 2 rows').waitFor();
    await page.getByRole('button', { name: 'Clear Filter' }).press('Enter');
    await page.getByText('2 rows', { exact: true }).waitFor();
    await focused(page, '#filter');
  });

  it('opens no link of a cell, whose click shows the cell', async () => {
    const page = await open();
    await chooseInMenu(page, 'View', 'Render Markdown');
    // VS Code opens the link of each click that reaches the window.
    await page.evaluate(() => {
      window.addEventListener('click', (event) => {
        if (event.target instanceof HTMLAnchorElement) Object.assign(window, { opened: event.target.href });
      });
    });
    const link = page.getByRole('link', { name: 'the page' }).first();
    await link.click();
    await page.locator('.cell.active:has(a)').waitFor();
    assert.equal(await page.evaluate(() => Reflect.get(window, 'opened')), undefined);
  });
});
