import assert from 'node:assert/strict';
import { accessibilityViolations, violationsInEachTheme } from '../support/axe';
import { showInTheme } from '../support/themes';
import { day, hello, nothingRead, responses, timeseries, today, usd } from './shownUsage';
import { useUsagePage } from './usagePage';

describe('The usage page', () => {
  const suite = useUsagePage();
  const { open, settled, part, lastAsked } = suite;
  const models = () => part('By model').getByRole('row');

  it('lists models by their names in one table, and the rest under Details', async () => {
    const page = await open();
    assert.deepEqual(await models().first().getByRole('columnheader').allInnerTexts(), [
      'Model',
      'Runs',
      'Failed',
      'Median time',
      'Cost',
    ]);
    assert.deepEqual(await models().nth(1).getByRole('cell').allInnerTexts(), [
      '180',
      '6',
      '280 ms',
      '$12.34',
    ]);
    assert.equal(await page.getByText('ws-1').isVisible(), false);
    await page.getByText('Details').click();
    await page.getByText('ws-1').waitFor();
    await part('Budgets').getByText('Spent from this window: $0.42 of $5.00').waitFor();
    await part('Budgets')
      .getByText('Spent from this workspace: $1.50 · no budget · $0.25 reserved')
      .waitFor();
  });

  it('follows the balance that the status bar reads', async () => {
    const page = await open();
    await suite.usage.notify('balance', { money: usd('41.987'), readAt: Date.now() });
    await page.locator('.card', { hasText: 'Balance · staging' }).getByText('$41.98').waitFor();
  });

  it('says until when the service has data, and that today has none yet', async () => {
    const recent = { money: usd('2.9'), runs: '11' };
    const page = await open({ overview: () => ({ recent, until: Date.UTC(2026, 9, 30) }) });
    await page.locator('.card', { hasText: '30 days' }).getByText('11 runs · until Oct 30, 2026').waitFor();
    await page.locator('.card', { hasText: 'Today (UTC)' }).getByText('no data yet').waitFor();
  });

  it('edits the budget that was reached, when the user comes for it', async () => {
    const spending = { ...hello.spending!, session: { ...hello.spending!.session, spent: '5' } };
    const page = await open({ hello: () => ({ ...hello, spending, editsBudget: true }) });
    await page.locator('#budget-amount:focus').waitFor();
    await part('Budgets').getByText('Spent from this window', { exact: true }).waitFor();
    await part('Budgets').getByText('USD', { exact: true }).waitFor();
  });

  it('begins with the balance, the money spent lately and the budgets', async () => {
    const page = await open();
    for (const [card, text] of [
      ['Balance · staging', '$42.18'],
      ['Today (UTC)', '$0.58'],
      ['30 days', '$12.40'],
    ])
      await page.locator('.card', { hasText: card }).getByText(text!).waitFor();
    await page.locator('.card', { hasText: '30 days' }).getByText('1,680 runs · 20 failed').waitFor();
    await part('Budgets').getByRole('meter', { name: 'Spent from this window: $0.42 of $5.00' }).waitFor();
    const tops = await page
      .locator('.cards > *')
      .evaluateAll((all) =>
        all.map((card) => card.getBoundingClientRect()).map(({ top, height }) => [top, height]),
      );
    assert.deepEqual(new Set(tops.map(String)).size, 1, 'one row of one height');
    // Three lines and their padding; the budget with a reserved amount needs a second line here.
    assert.ok(tops[0]![1]! <= 92 + 16, String(tops));
    for (const row of await page.locator('.list tr').all())
      if (await row.isVisible()) assert.ok((await row.boundingBox())!.height <= 27);
  });

  it('keeps budgets of several lines inside their card', async () => {
    const page = await open();
    await part('Budgets').getByText('$0.25 reserved').waitFor();
    await part('Budgets').evaluate((budgets) => {
      (budgets as HTMLElement).style.width = '180px';
    });
    const [card, ...texts] = await page
      .locator('.budgets, .budget-text')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    assert.ok(texts.length === 2 && texts.every((bottom) => bottom < card! - 4), String([card, ...texts]));
  });

  it('gives amounts without a currency that of the wallet', async () => {
    await open({
      summary: () => ({ state: 'ready', ...nothingRead, models: [{ name: 'Echo', cost: { amount: '10' } }] }),
    });
    await part('By model').getByText('$10.00').waitFor();
  });

  it('leaves out first figures that the service does not tell', async () => {
    const page = await open({ overview: () => ({ recent: { money: usd('3'), since: today - 5 * day } }) });
    await page.locator('.card', { hasText: /Since/ }).getByText('$3.00').waitFor();
    assert.equal(await page.locator('.card').getByText('Not in the response of the service').count(), 2);
  });

  it('edits a budget in place, by keyboard', async () => {
    const page = await open({ setBudget: () => undefined });
    const edit = part('Budgets').getByRole('button', { name: 'Edit Budget: Spent from this window' });
    await edit.press('Enter');
    const input = part('Budgets').getByRole('spinbutton');
    assert.equal(await input.inputValue(), '5');
    assert.ok(await input.evaluate((at) => at === document.activeElement));
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.keyboard.press('Escape');
    await edit.and(page.locator(':focus')).waitFor();
    assert.equal(lastAsked('setBudget'), undefined);
    await edit.press('Enter');
    await page.keyboard.type('7.5');
    await page.keyboard.press('Enter');
    await edit.and(page.locator(':focus')).waitFor();
    assert.deepEqual(lastAsked('setBudget'), { budget: 'session', amount: 7.5 });
    await edit.press('Enter');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await edit.and(page.locator(':focus')).waitFor();
    assert.deepEqual(lastAsked('setBudget'), { budget: 'session', amount: null });
  });

  for (const width of [1400, 700, 400])
    it(`fits into ${width} px, with the borders of high contrast`, async () => {
      const page = await open();
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `out/looks/usage-page-${width}.png` });
      await showInTheme(page, 'high contrast');
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${over} px`);
    });

  it('draws a bar for each day, which tells its value', async () => {
    await open();
    const bars = part('By day').locator('.bars > i');
    assert.equal(await bars.count(), 30);
    assert.match((await bars.last().getAttribute('title'))!, /^\w{3} \d+, \d{4}: \$0\.24$/);
    const [chart, bar] = [part('By day').locator('.bars'), bars.locator('b').last()];
    assert.ok((await chart.boundingBox())!.height - (await bar.boundingBox())!.height < 3);
  });

  it('asks for a range and shows only it, even if the service returns more', async () => {
    const page = await open();
    const range = page.getByLabel('Range');
    await range.focus();
    const before = Date.now();
    await range.selectOption('Last 7 days');
    await settled();
    const { from } = lastAsked('timeseries')!;
    const end = Number(from) + 7 * day;
    assert.ok(end >= before - 1_000 && end <= Date.now(), from);
    assert.equal(await range.evaluate((element) => element === document.activeElement), true);
    const count = await part('Activity').locator('[role=status]').innerText();
    assert.match(count, /^8[345] of 300 entries$/);
  });

  it('draws one measure by day, and offers the others', async () => {
    const page = await open();
    await part('By day')
      .getByRole('img', { name: /^Cost by day/ })
      .waitFor();
    assert.deepEqual(await page.getByLabel('Measure').locator('option').allInnerTexts(), ['Cost', 'Runs']);
    await page.getByLabel('Measure').selectOption('Runs');
    await part('By day')
      .getByRole('img', { name: /^Runs by day/ })
      .waitFor();
  });

  it('shows a message and a next step for each failure, and the response if there is one', async () => {
    const page = await open({
      summary: () => ({
        state: 'forbidden',
        message: 'This key may not see billing.',
        wayOn: 'Set API Key…',
        answered: true,
      }),
      timeseries: () => ({ state: 'failing', message: 'The service cannot be reached.' }),
      activity: () => ({ state: 'notUnderstood' }),
    });
    await part('By model').getByText('No permission').waitFor();
    await part('By model').getByRole('button', { name: 'Set API Key…' }).click();
    assert.deepEqual(lastAsked('wayOn'), { part: 'summary' });
    await part('By model').getByRole('button', { name: 'Open Raw Response' }).click();
    assert.deepEqual(lastAsked('openRaw'), { part: 'summary' });
    await page.getByRole('button', { name: 'Raw Responses and Exports' }).click();
    const raw = page.getByRole('menuitem', { name: 'By day: Raw Response' });
    assert.equal(await raw.getAttribute('aria-disabled'), 'true');
    await page.keyboard.press('Escape');
    assert.ok(await part('By day').getByText('Could not load').isVisible());
    assert.equal(
      await part('By day')
        .getByRole('button', { name: /raw response/i })
        .count(),
      0,
    );
    await part('Activity').getByRole('button', { name: 'Open Raw Response' }).click();
    assert.deepEqual(lastAsked('openRaw'), { part: 'activity' });
    await page.screenshot({ path: 'out/looks/usage-page-trouble.png', fullPage: true });
    assert.deepEqual(await violationsInEachTheme(page), []);
    suite.usage.response({ timeseries: () => timeseries });
    await part('By day').getByRole('button', { name: 'Try Again' }).click();
    await part('By day').locator('.bars b').last().waitFor();
  });

  it('says once why nothing could be loaded, where all parts have one reason', async () => {
    const trouble = () => ({
      ...{ state: 'notConnected', message: 'No key is stored.', wayOn: 'Set API Key…' },
    });
    const page = await open({
      ...{ summary: trouble, timeseries: trouble, activity: trouble },
      overview: () => ({}),
    });
    assert.equal(await page.getByRole('alert').count(), 1);
    assert.equal(await page.getByText('Not in the response of the service').count(), 0);
    await page.getByRole('alert').getByText('No key is stored.').waitFor();
    await page.getByRole('button', { name: 'Set API Key…' }).click();
    await suite.usage.untilSaid(() => lastAsked('wayOn') !== undefined);
    const { summary, timeseries: overTime, activity } = responses;
    suite.usage.response({ summary, timeseries: overTime, activity });
    await page.getByRole('button', { name: 'Try Again' }).click();
    await part('Activity').getByText('300 entries').waitFor();
  });

  it('shows that there is no usage yet, and that the host failed', async () => {
    const page = await open({
      summary: () => ({ state: 'ready', ...nothingRead }),
      timeseries: () => {
        throw new Error('The extension host is gone.');
      },
      activity: () => ({ state: 'ready', entries: [], unresolved: [], more: false }),
    });
    await part('By model').getByText('The service lists no usage by model.').waitFor();
    await part('By day').getByText('The extension host is gone.').waitFor();
    await part('Activity').getByText('No activity yet. Entries appear after the first run.').waitFor();
    assert.deepEqual(await violationsInEachTheme(page), []);
  });

  it('copes with any response: endless words, absurd amounts, thousands of rows', async () => {
    const long = (letter: string) => `<img src=x onerror=alert(1)>${letter.repeat(2000)}`;
    const page = await open({
      summary: () => ({
        state: 'ready',
        ...nothingRead,
        models: Array.from({ length: 5000 }, () => ({
          ...{ name: long('d'), runs: '9'.repeat(30) },
          cost: usd('0.000000000000000001'),
        })),
      }),
      timeseries: () => ({
        state: 'ready',
        ...nothingRead,
        charts: Array.from({ length: 60 }, (_, at) => ({
          series: long(`s${at}`),
          name: 'cost',
          isMoney: true,
          days: [
            { at: today - 90 * day, amount: `-1${'0'.repeat(30)}` },
            { at: today, amount: '2500000' },
          ],
        })),
      }),
      activity: () => ({
        state: 'ready',
        entries: [{ kind: long('k'), model: long('m'), status: long('s'), id: long('i') }, {}],
        unresolved: [{ historyId: 'x', at: today, model: long('m'), input: long('n'), state: 'unconfirmed' }],
        more: false,
        incomplete: '3 entries could not be read. They are in the raw response.',
      }),
    });
    assert.equal(await models().count(), 201);
    assert.equal(await page.getByLabel('Measure').locator('option').count(), 60);
    await part('By day').getByText('$2,500,000.00', { exact: true }).waitFor();
    assert.ok(await part('Activity').getByText('3 entries could not be read.').isVisible());
    await part('Activity').getByText('2 entries').click();
    assert.equal(await page.locator('main img').count(), 0);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 1000, `${width} px wide`);
    await page.screenshot({ path: 'out/looks/usage-page-rude.png', fullPage: true });
    await part('By day').screenshot({ path: 'out/looks/usage-page-rude-chart.png' });
    await part('Activity').screenshot({ path: 'out/looks/usage-page-rude-activity.png' });
  });

  it('shows nothing of another environment while that is being asked', async () => {
    const page = await open();
    suite.usage.response({
      hello: () => ({ ...hello, environment: 'production' }),
      summary: () => new Promise(() => undefined),
    });
    await suite.usage.notify('reload');
    await page.locator('header').getByText('production').waitFor();
    await part('By model').getByText('Loading…').waitFor();
    assert.equal(await part('By model').getByText('$12.34').count(), 0);
  });

  it('passes axe, wide and narrow', async () => {
    const page = await open();
    await part('Activity').getByText('300 entries').click();
    assert.deepEqual(await violationsInEachTheme(page), []);
    await page.setViewportSize({ width: 300, height: 900 });
    assert.deepEqual(await accessibilityViolations(page), []);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 300, `${width} px wide`);
    for (const inside of ['.cards'])
      assert.ok(
        await page.locator(inside).evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth),
      );
    await part('Activity').getByRole('button', { name: 'Open Run' }).waitFor();
    await part('Activity').getByRole('rowheader', { name: 'charge' }).first().waitFor();
    await page.screenshot({ path: 'out/looks/usage-page-300.png' });
  });
});
