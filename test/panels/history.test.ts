import assert from 'node:assert/strict';
import path from 'node:path';
import { accessibilityViolations, violationsInEachTheme } from '../support/axe';
import { check } from '../support/check';
import { makePictures } from '../support/pictures';
import { usePanels } from './usePanels';

describe('The history', () => {
  const suite = usePanels({
    prepare: (workspace) => makePictures(path.join(workspace, 'images'), 3),
  });
  const time = /^\d{1,2}:\d{2}\s[AP]M\s+/;

  it('begins rows with the time and the input, so that runs of one model can be told apart', async () => {
    const { panels } = suite;
    await panels.startSandbox();
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

  it('shows a pinned run once, under Pinned, and counts it there', async () => {
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

  it('compares in one grid: each value is above the result that it led to', async () => {
    const { panels } = suite;
    const [one, other] = [await panels.row('History', 'lovely'), await panels.row('History', 'awful')];
    await panels.rowMenu(one, 'Compare Runs', [one, other]);
    const page = await panels.page('What a lovely day. ↔ What an awful day.');
    const results = page.getByRole('region', { name: /^Result of the/ });
    await results.nth(1).locator('.mb-labels li').first().waitFor();
    await check(page.getByRole('checkbox', { name: /equal values/ }));
    await page.getByRole('rowheader', { name: 'model' }).waitFor();
    const left = (all: Element[]) => all.map((one) => Math.round(one.getBoundingClientRect().left));
    const columns = await results.evaluateAll(left);
    const cells = await page.getByRole('cell').evaluateAll(left);
    assert.equal(columns.length, 2);
    assert.ok(cells.length >= 4);
    for (const [at, x] of cells.entries()) assert.equal(x, columns[at % 2]);
    assert.deepEqual(await violationsInEachTheme(page), []);
  });

  it('opens a kept run that is found by words of its input', async () => {
    const { panels } = suite;
    panels.closePanels();
    await panels.runCommand('Model Bench: Find Run…');
    const question = await panels.question(/history/);
    await question.enter('day lovel');
    await panels.until(() => question.choices.length === 1, 'The only run with these words');
    question.pick(/Sentiment/);
    const panel = await panels.runPanel(/Sentiment.* · What a lovely/);
    await panel.frame.locator('.mb-labels li').first().waitFor();
    assert.equal(await panel.field('Text').inputValue(), 'What a lovely day.');
    assert.deepEqual(await violationsInEachTheme(await panels.page(/Sentiment/)), []);
  });

  it('lists earlier runs in the panel too: shows one, leaves the form unchanged, and compares the two', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel(/Sentiment/);
    await panel.fill('Text', 'Typed and not run yet.');
    await panel.frame.getByText('Earlier runs (2)').click();
    const rows = panel.frame.locator('.earlier li');
    for (const text of ['awful', 'lovely']) {
      const row = rows.filter({ hasText: text });
      await row.getByRole('button').first().click();
      await row.and(panel.frame.locator('[aria-current=true]')).waitFor();
      await panel.result.getByRole('tab', { name: 'Request' }).click();
      await panel.result.getByRole('tabpanel', { name: 'Request' }).getByText(text).waitFor();
      await panel.result.getByRole('tab', { name: 'Preview' }).click();
    }
    assert.equal(await panel.field('Text').inputValue(), 'Typed and not run yet.');
    assert.deepEqual(await accessibilityViolations(panel.frame), []);
    await rows
      .filter({ hasText: 'awful' })
      .getByRole('button', { name: 'Compare with the Run Shown' })
      .click();
    const page = await panels.page(/↔/);
    await page.locator('.places').getByText('awful').waitFor();
    panels.closePanels();
  });

  it('runs a run again without a question, and deletes a run after one', async () => {
    const { panels } = suite;
    await panels.rowMenu(await panels.row('History', 'lovely'), 'Run Again');
    const rows = await panels.rowsWith('History', 'lovely', (count) => count === 2);
    await panels.rowMenu(rows[0]!, 'Delete Runs');
    const question = await panels.dialog(/Delete this run and its result/);
    assert.equal((await panels.rowsWith('History', 'lovely', () => true)).length, 2);
    question.pick('Delete');
    await panels.rowsWith('History', 'lovely', (count) => count === 1);
  });

  it('filters by words, and clears a filter without matches', async () => {
    const { panels } = suite;
    const filter = async (words: string) => {
      await panels.runCommand('Model Bench: Filter History…');
      await panels.enter(/Filter the History/, words);
    };
    await filter('lovel');
    await panels.noRow('History', 'awful');
    await panels.row('History', 'lovely');
    await filter('nothing of the kind');
    await panels.noRow('History', /./);
    await panels.runCommand('Model Bench: Clear History Filter');
    await panels.row('History', 'awful');
  });

  it('shows a job as one row that opens its runs', async () => {
    const { panels } = suite;
    await panels.index('images');
    (await panels.dialog(/Index/)).pick('Index 3 Files');
    await panels.indexedInto('playground');
    const job = await panels.row('History', /Image Similarity.*playground · 1 run · \$/);
    const [run, ...others] = await panels.rows('History', job.element);
    assert.match(run?.text ?? '', /^Run no\. 1.*picture-\d\.png and 2 more · \$/);
    assert.deepEqual(others, []);
  });

  it('compares runs of images: pictures and results side by side, even after a reload', async () => {
    const { panels } = suite;
    for (const name of ['picture-1.png', 'picture-2.png']) {
      await panels.explorerMenu('Run with Model…', `images/set-0/${name}`);
      await panels.answer(/Run which model|with/i, /Color Palette/);
      const panel = await panels.runPanel(/Color Palette/);
      await panel.button(name).first().waitFor();
      await panel.run();
      panels.closePanels();
    }
    const rows = await panels.rowsWith('History', /Color Palette/, (count) => count === 2);
    await panels.rowMenu(rows[0]!, 'Compare Runs', rows);
    await (await panels.page(/↔/)).locator('.places mb-thumbnail canvas').nth(1).waitFor();
    await panels.reload();
    const page = await panels.page(/↔/);
    await page.locator('.places mb-thumbnail canvas').nth(1).waitFor();
    const result = page.locator('.pair section').nth(1);
    await result
      .getByText(/#[0-9a-f]{6}/i)
      .first()
      .waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
  });

  it('begins a row with the name that the user gave', async () => {
    const { panels } = suite;
    panels.command('modelBench.renameRun', (await panels.row('History', 'lovely')).element);
    await panels.enter(/Rename Run/, 'My best');
    const row = await panels.row('History', 'My best');
    assert.match(row.description, /What a lovely day\. · Sentiment/);
  });
});
