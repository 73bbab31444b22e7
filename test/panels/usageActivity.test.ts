import assert from 'node:assert/strict';
import { violationsInEachTheme } from '../support/axe';
import { activity, entries, unresolved } from '../support/shownUsage';
import { useUsagePage } from '../support/usagePage';

describe('The activity of the usage page', () => {
  const suite = useUsagePage();
  const { open, part, choose, lastAsked } = suite;

  const openActivity = () => part('Activity').getByText('300 entries').click();

  it('folds below the table of models, searches its entries, and exports the shown ones', async () => {
    await open({ exportActivity: () => undefined, exportSeries: () => undefined });
    assert.equal(await part('Activity').getByRole('table').isVisible(), false);
    await openActivity();
    await part('Activity').getByLabel('Search').fill('top_up');
    await part('Activity').getByText('30 of 300 entries').waitFor();
    await part('Activity').getByLabel('Search').fill('top_up language run_19');
    await part('Activity').getByText('2 of 300 entries').waitFor();
    await choose('Activity: Export as CSV');
    await choose('By day: Export as JSON');
    assert.deepEqual(lastAsked('exportSeries'), { format: 'json' });
    const asked = lastAsked('exportActivity') as unknown as { format: string; rows: number[] };
    assert.equal(asked.format, 'csv');
    assert.deepEqual(asked.rows, [19, 199]);
  });

  it('holds few rows of many in the page, and opens the run of one', async () => {
    await open();
    await openActivity();
    const rows = part('Activity').getByRole('row');
    assert.ok((await rows.count()) < 100, `${await rows.count()} rows`);
    // Only rows in sight are in the page.
    await part('Activity').getByRole('table').scrollIntoViewIfNeeded();
    await part('Activity').getByRole('button', { name: 'Open Run' }).press('Enter');
    assert.deepEqual(lastAsked('openRun'), { historyId: 'local-1' });
    const opened = () => suite.usage.said.filter(({ method }) => method === 'openRun').length;
    assert.equal(opened(), 1);
    await rows.nth(1).getByRole('cell').nth(0).click();
    assert.equal(opened(), 2, 'a click anywhere on the row');
    await rows.nth(2).getByRole('cell').nth(2).click();
    assert.equal(opened(), 2, 'a row without a run opens none');
    assert.equal(await part('Activity').getByRole('button', { name: 'Open Run' }).count(), 1);
    const box = part('Activity').locator('.rows');
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const last = part('Activity').locator('[aria-rowindex="301"]');
    await last.waitFor();
    const [whole, end] = [await box.boundingBox(), await last.boundingBox()];
    assert.ok(Math.abs(whole!.y + whole!.height - end!.y - end!.height) < 20, 'the last row is at the end');
  });

  it('asks whether a charge is that of a run whose response was lost', async () => {
    const page = await open({
      matchRun: () => ({ ...activity, unresolved: unresolved.slice(1) }),
      setOutcome: () => undefined,
    });
    const runs = part('Unconfirmed runs');
    await runs.getByText(/Slow Echo · hello · unconfirmed · \$0\.005 reserved/).waitFor();
    await runs.getByText(/The activity lists \$0\.01 at .+\. Is it this run\?/).waitFor();
    await page.screenshot({ path: 'out/looks/usage-page-unresolved.png' });
    assert.deepEqual(await violationsInEachTheme(page), []);
    await runs.getByRole('button', { name: 'Set All Outcomes…' }).click();
    assert.deepEqual(lastAsked('setOutcome'), { historyIds: ['lost-1', 'lost-2'] });
    await runs.getByRole('button', { name: /^Yes: .+Slow Echo/ }).click();
    await runs.getByText('Slow Echo').waitFor({ state: 'detached' });
    assert.deepEqual(lastAsked('matchRun'), { historyId: 'lost-1', isThisRun: true });
    await runs.getByRole('button', { name: /^Set Outcome….+Echo/ }).click();
    assert.deepEqual(lastAsked('setOutcome'), { historyIds: ['lost-2'] });
    assert.equal(await runs.getByRole('button', { name: 'Set All Outcomes…' }).count(), 0);
  });

  it('marks charges that no known run explains', async () => {
    await open({ activity: () => ({ ...activity, entries: [{ ...entries[1], isUnexplained: true }] }) });
    await part('Activity').getByText('1 entry').click();
    await part('Activity').getByRole('table').scrollIntoViewIfNeeded();
    await part('Activity').getByText('No known run').waitFor();
  });

  it('keeps loaded rows when a further page fails', async () => {
    await open({ moreActivity: () => ({ state: 'failing', message: 'The service is failing.' }) });
    await openActivity();
    await part('Activity').getByRole('button', { name: 'Load More' }).click();
    await part('Activity').getByText('The service is failing.').waitFor();
    await part('Activity').getByText('300 entries').waitFor();
  });
});
