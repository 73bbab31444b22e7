import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { callHere } from '../support/commandLine';
import { useService } from '../support/panels/useService';
import type { RunPanel } from '../support/runPanel';

const WALLET = 'modelBench.wallet';
const DURATION = /\d[\d.,]* (?:ms|s|min)\b/;
const COST = /\$\d[\d.]*/;

const first = (text: string, pattern: RegExp) => pattern.exec(text)?.[0];

describe('A fact of a run', () => {
  const suite = useService();

  /** The cost and the duration of the newest run, in its result, the history and earlier runs. */
  const read = async (panel: RunPanel, input: string) => {
    const result = await panel.result.locator('.outcome').first().innerText();
    const row = await suite.panels.row('History', input);
    const earlier = panel.frame.locator('.earlier li', { hasText: input });
    const listed = (await earlier.count()) === 0 ? undefined : await earlier.first().textContent();
    return { result, history: row.description ?? '', listed: listed ?? '' };
  };
  const equal = async (panel: RunPanel, input: string, pattern: RegExp): Promise<string | undefined> => {
    const { result, history } = await read(panel, input);
    assert.equal(first(result, pattern), first(history, pattern), `${result} ↔ ${history}`);
    return first(result, pattern);
  };
  /** The balance in the status bar, on the usage page and in the terminal. */
  const balances = async (): Promise<string> => {
    const { panels, service, sandbox } = suite;
    await panels.runCommand('Model Bench: Show Usage and Billing');
    const page = await panels.page('Usage and Billing');
    await panels.runCommand('Model Bench: Refresh');
    const { out } = await callHere(['wallet', '--base-url', service.url], {
      cwd: panels.workspace,
      apiKey: sandbox.apiKey,
    });
    const terminal = first(out, COST)!;
    await panels.statusItem(WALLET, terminal);
    await page.locator('.card', { hasText: 'Balance' }).getByText(terminal, { exact: true }).waitFor();
    return terminal;
  };
  const withoutCost = ({ body }: { readonly body?: unknown }) => {
    const { cost: _cost, billing: _billing, usage: _usage, ...rest } = body as Record<string, unknown>;
    return { body: rest };
  };

  it('appears equal in result, history and status bar after the run has finished', async () => {
    const { panels } = suite;
    const panel = await panels.openRunPanel(/^Sentiment/);
    await panel.fill('Text', 'finishes');
    await panel.run();
    await panels.row('History', /finishes.*\$/);
    assert.match((await equal(panel, 'finishes', DURATION))!, DURATION);
    assert.match((await equal(panel, 'finishes', COST))!, COST);
    await balances();
  });

  it('appears equal after the run has failed', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', () => ({ status: 422, body: { message: 'This text is not accepted.' } }));
    const panel = await panels.runPanel(/Sentiment/);
    await panel.fill('Text', 'fails');
    await panel.run();
    service.change('/api/runs');
    await panels.row('History', /fails.*failed|failed.*fails/);
    assert.match((await equal(panel, 'fails', DURATION))!, DURATION);
    const { result, history } = await read(panel, 'fails');
    assert.match(result, /Failed/);
    assert.match(history, /failed/);
  });

  it('names no duration of a run that was stopped, and its input among the unconfirmed', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', () => ({ status: 504, body: { message: 'timed out' } }));
    const panel = await panels.runPanel(/Sentiment/);
    await panel.fill('Text', 'is stopped');
    await panel.run();
    service.change('/api/runs');
    await panels.row('History', /is stopped/);
    assert.equal(await equal(panel, 'is stopped', DURATION), undefined);
    const { result, history } = await read(panel, 'is stopped');
    assert.match(result, /Unconfirmed/);
    assert.match(history, /unconfirmed/);
    await balances();
    const page = await panels.page('Usage and Billing');
    await page
      .getByRole('region', { name: 'Unconfirmed runs' })
      .getByText(/is stopped · unconfirmed/)
      .waitFor();
  });

  it('follows the record everywhere once the run is confirmed', async () => {
    const { panels } = suite;
    const page = await panels.page('Usage and Billing');
    const runs = page.getByRole('region', { name: 'Unconfirmed runs' });
    await runs.getByRole('button', { name: /^Yes: .*is stopped/ }).click();
    await runs.waitFor({ state: 'detached' });
    const panel = await panels.runPanel(/Sentiment/);
    await panel.result.getByText('You matched this run').first().waitFor();
    await panels.until(
      async () => !(await read(panel, 'is stopped')).history.includes('unconfirmed'),
      'The outcome in the history',
    );
    const { result } = await read(panel, 'is stopped');
    assert.doesNotMatch(result, /Unconfirmed/);
    assert.match(result, /Finished/);
    assert.equal(await equal(panel, 'is stopped', DURATION), undefined, 'a time waited is no duration');
    assert.match((await equal(panel, 'is stopped', COST))!, COST);
    await balances();
  });

  it('follows an outcome that is set in the history', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', () => ({ status: 504, body: { message: 'timed out' } }));
    const panel = await panels.runPanel(/Sentiment/);
    await panel.fill('Text', 'was never executed');
    await panel.run();
    service.change('/api/runs');
    await panels.runCommand('Model Bench: Show Usage and Billing');
    const page = await panels.page('Usage and Billing');
    const runs = page.getByRole('region', { name: 'Unconfirmed runs' });
    await runs.getByText('was never executed').waitFor();
    await panels.rowMenu(await panels.row('History', /was never executed.*unconfirmed/), 'Set Run Outcome…');
    await panels.answer(/What was the outcome of this run/, /It was not executed/);
    await runs.waitFor({ state: 'detached' });
    await panel.result.locator('.headline', { hasText: 'Failed' }).waitFor();
    await panels.row('History', /was never executed.*failed|failed.*was never executed/);
    assert.equal(await equal(panel, 'was never executed', DURATION), undefined);
  });

  it('appears everywhere when the run is charged late', async () => {
    const { panels, service } = suite;
    service.change('/api/runs', withoutCost);
    const panel = await panels.runPanel(/Sentiment/);
    await panel.fill('Text', 'is charged late');
    await panel.run();
    service.change('/api/runs');
    await panels.row('History', /is charged late.*\$|\$.*is charged late/);
    await panel.result.locator('.outcome').getByText(COST).waitFor();
    assert.match((await equal(panel, 'is charged late', COST))!, COST);
    await panel.frame.getByText(/^Earlier runs/).click();
    const { listed, result } = await read(panel, 'is charged late');
    assert.equal(first(listed, COST), first(result, COST));
  });

  it('appears equal in the table of an experiment, its results and the history', async () => {
    const { panels } = suite;
    const file = path.join(panels.workspace, 'one.experiment.json');
    const run = { model: 'sentiment', input: {} };
    await writeFile(file, JSON.stringify({ run, vary: { '/input/text': ['of a table'] } }));
    panels.openFile('one.experiment.json');
    const page = await panels.page(/one/);
    panels.command('modelBench.runExperiment', panels.uri('one.experiment.json'));
    await panels.answer(/Start 1 run/, /Start 1 Run/);
    const row = await panels.row('History', /one.*\$/);
    await page
      .getByText(first(row.description ?? '', COST)!)
      .first()
      .waitFor();
    await balances();
  });
});
