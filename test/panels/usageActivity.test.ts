import assert from 'node:assert/strict';
import { violationsInEachTheme } from '../support/axe';
import { activity, entries, unresolved } from './shownUsage';
import { useUsagePage } from './usagePage';

describe('The activity of the usage page', () => {
  const suite = useUsagePage();
  const { open, part, choose, lastAsked } = suite;

  const openActivity = () => part('Activity').getByText('300 entries').click();

  it('folds below the table of models, searches its entries, and exports the shown ones', async () => {
    await open({ exportActivity: () => undefined, exportDays: () => undefined });
    assert.equal(await part('Activity').getByRole('table').isVisible(), false);
    await openActivity();
    await part('Activity').getByLabel('Search').fill('top_up');
    await part('Activity').getByText('30 of 300 entries').waitFor();
    await part('Activity').getByLabel('Search').fill('top_up language run_19');
    await part('Activity').getByText('2 of 300 entries').waitFor();
    await choose('Activity: Export as CSV');
    await choose('By day: Export as JSON');
    assert.deepEqual(lastAsked('exportDays'), { format: 'json' });
    assert.deepEqual(lastAsked('exportActivity'), { format: 'csv', rows: [19, 199] });
  });

  it('holds 200 rows at first, and opens the run of one', async () => {
    await open();
    await openActivity();
    const rows = part('Activity').getByRole('row');
    assert.equal(await rows.count(), 201);
    await part('Activity').getByRole('button', { name: 'Open Run' }).press('Enter');
    assert.deepEqual(lastAsked('openRun'), { historyId: 'local-1' });
    await part('Activity').getByRole('button', { name: 'Load More' }).click();
    await rows.nth(300).waitFor();
    assert.equal(lastAsked('moreActivity'), undefined);
  });

  it('asks whether a charge is that of a run whose response was lost', async () => {
    const page = await open({
      matchRun: () => ({ ...activity, unresolved: unresolved.slice(1) }),
      setOutcome: () => undefined,
    });
    const runs = part('Unknown outcomes and costs');
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
    await part('Activity').getByText('No known run').waitFor();
  });

  it('keeps loaded rows when a further page fails', async () => {
    await open({ moreActivity: () => ({ state: 'failing', message: 'The service is failing.' }) });
    await openActivity();
    const more = part('Activity').getByRole('button', { name: 'Load More' });
    await more.click();
    await part('Activity').getByRole('row').nth(300).waitFor();
    await more.click();
    await part('Activity').getByText('The service is failing.').waitFor();
    await part('Activity').getByText('300 entries').waitFor();
  });
});
