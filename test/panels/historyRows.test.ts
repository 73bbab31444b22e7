import assert from 'node:assert/strict';
import { violationsInEachTheme } from '../support/axe';
import { usePanels } from '../support/panels/usePanels';

describe('The rows of the history', () => {
  const suite = usePanels();
  const time = /^\d{1,2}:\d{2}\s[AP]M\s+/;

  it('begin with the time and the input, so that runs of one model can be told apart', async () => {
    const { panels } = suite;
    panels.command('modelBench.startSandbox');
    await panels.row('Catalog', /^Sentiment/);
    const page = await panels.openRunPanel(/Sentiment/);
    for (const text of ['What a lovely day.', 'What an awful day.']) {
      await page.fill('Text', text);
      await page.run();
      const row = await panels.row('History', text);
      assert.match(row.label, time);
      assert.equal(row.label.replace(time, ''), text);
      assert.match(row.description, /^\$0\.\d+ · \d.*(ms|s) · Sentiment/);
    }
  });

  it('show a pinned run once, under Pinned, and count it there', async () => {
    const { panels } = suite;
    const row = await panels.row('History', 'lovely');
    panels.command('modelBench.pinRuns', row.element);
    const pinned = await panels.row('History', /^Pinned 1\b/);
    assert.equal((await panels.rows('History', pinned.element)).length, 1);
    assert.equal((await panels.allRows('History')).filter(({ label }) => label.includes('lovely')).length, 1);
    const today = await panels.row('History', /^Today/);
    assert.match(today.description, /^1 · \$/);
    panels.command('modelBench.unpinRuns', (await panels.row('History', 'lovely')).element);
    await panels.noRow('History', /^Pinned/);
    await panels.row('History', /^Today 2\b/);
  });

  it('compare in one grid: each value is above the result that it led to', async () => {
    const { panels } = suite;
    const [one, other] = [await panels.row('History', 'lovely'), await panels.row('History', 'awful')];
    await panels.rowMenu(one, 'Compare Runs', [one, other]);
    const page = await panels.page('What a lovely day. ↔ What an awful day.');
    const results = page.getByRole('region', { name: /^Result of the/ });
    await results.nth(1).locator('.mb-labels li').first().waitFor();
    await page.getByRole('checkbox', { name: /equal values/ }).check();
    await page.getByRole('rowheader', { name: 'model' }).waitFor();
    const left = (all: Element[]) => all.map((one) => Math.round(one.getBoundingClientRect().left));
    const columns = await results.evaluateAll(left);
    const cells = await page.getByRole('cell').evaluateAll(left);
    assert.equal(columns.length, 2);
    assert.ok(cells.length >= 4);
    for (const [at, x] of cells.entries()) assert.equal(x, columns[at % 2]);
    assert.deepEqual(await violationsInEachTheme(page), []);
  });

  it('begin with the name that the user gave', async () => {
    const { panels } = suite;
    panels.command('modelBench.renameRun', (await panels.row('History', 'lovely')).element);
    await panels.enter(/Rename Run/, 'My best');
    const row = await panels.row('History', 'My best');
    assert.match(row.description, /What a lovely day\. · Sentiment/);
  });
});
