import assert from 'node:assert/strict';
import { formatBalance, formatMoney } from '../../src/wording/money';
import { violationsInEachTheme } from '../support/axe';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../support/faultProxy';
import { chooseInMenu } from '../support/pageMenu';
import { sandboxInProcess, type TestSandbox } from '../support/sandbox';
import { smallService } from '../support/smallService';
import { usePanels } from './usePanels';

const page = 'Usage and Billing';
const texts = Array.from({ length: 60 }, (_, index) => `word ${index}`);

describe('Usage and billing', () => {
  const suite = usePanels();
  let sandbox: TestSandbox & { readonly sandbox: { readonly accounts?: unknown } };
  const get = async (route: string) => {
    const response = await fetch(`${sandbox.baseUrl}/api/billing/${route}`, {
      headers: { 'X-API-Key': sandbox.apiKey },
    });
    return (await response.json()) as Record<string, unknown>;
  };

  before(async () => {
    sandbox = await sandboxInProcess();
    for (const text of texts) {
      const response = await fetch(`${sandbox.baseUrl}/api/runs`, {
        method: 'POST',
        headers: { 'X-API-Key': sandbox.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: 'sentiment', input: { text }, params: {} }),
      });
      assert.equal(response.status, 200, await response.text());
    }
  });
  after(() => sandbox?.stop());

  it('says Connect in the status bar while there is no key', async () => {
    await suite.panels.statusItem('modelBench.wallet', 'Connect');
  });

  it('shows the balance that the service tells', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'local', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    const wallet = await get('wallet');
    const shown = formatBalance({ amount: String(wallet.balance), currency: String(wallet.currency) }, 'en');
    await panels.statusItem('modelBench.wallet', shown);
  });

  it('opens from the wallet, with the figures of the service itself', async () => {
    const { panels } = suite;
    panels.clickStatusItem('modelBench.wallet');
    const frame = await panels.page(page);
    const summary = await get('usage/summary');
    const { balance, currency } = await get('wallet');
    const wallet = formatBalance({ amount: String(balance), currency: String(currency) }, 'en');
    await frame.locator('.card', { hasText: 'Balance · local' }).getByText(wallet).waitFor();
    const [row] = summary.by_model as { runs: number; cost: { amount: string } }[];
    const shown = frame.getByRole('region', { name: 'By model' }).getByRole('row', { name: /^Sentiment/ });
    await shown.getByText(formatMoney({ amount: String(row!.cost.amount), currency: 'USD' }, 'en')).waitFor();
    await shown.getByText(String(texts.length), { exact: true }).waitFor();
    await frame.getByRole('region', { name: 'By day' }).locator('.bars b').last().waitFor();
  });

  it('reads the activity page by page, and searches it', async () => {
    const frame = await suite.panels.page(page);
    const activity = frame.getByRole('region', { name: 'Activity' }).first();
    await activity.getByText('50 entries').click();
    await activity.getByRole('button', { name: 'Load More' }).click();
    await activity.getByText('60 entries').waitFor();
    await activity.getByLabel('Search').fill('nothing like this');
    await activity.getByText('0 of 60 entries').waitFor();
    await activity.getByLabel('Search').fill('');
    await activity.getByText('60 entries', { exact: true }).waitFor();
  });

  it('stays readable in every theme and in a narrow panel', async () => {
    const { panels } = suite;
    const frame = await panels.page(page);
    assert.deepEqual(await violationsInEachTheme(frame), []);
    await frame.setViewportSize({ width: 400, height: 800 });
    assert.equal(
      await frame.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
      false,
    );
  });

  it('opens the raw response', async () => {
    const { panels } = suite;
    const frame = await panels.page(page);
    await chooseInMenu(frame, 'Raw Responses and Exports', 'By model: Raw Response');
    await panels.editor('by_model');
  });
});

describe('Usage and billing of a service in trouble', () => {
  const suite = usePanels();
  let service: FaultProxy;
  let responses: Record<string, StubResponse> = {};
  let silent = true;
  before(async () => {
    service = await startFaultProxy({
      behind: (request) =>
        responses[new URL(request.path, 'http://service').pathname] ?? smallService('Echo')(request),
      fault: ({ path }) =>
        silent && path.startsWith('/api/billing/usage/summary') ? { kind: 'silent' } : undefined,
    });
    responses = {
      '/api/billing/usage/timeseries': { status: 403, body: { error: { message: 'No billing for you.' } } },
      '/api/billing/activity': { body: { items: [] } },
    };
  });
  after(() => service?.close());

  it('names the trouble and the next step in each part', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'local', baseUrl: service.url, apiKey: 'mb-key' });
    await panels.row('Catalog', 'Echo');
    await panels.runCommand('Model Bench: Show Usage and Billing');
    let frame = await panels.page(page);
    const part = (name: string) => frame.getByRole('region', { name, exact: true });
    await part('By day').getByText('No permission', { exact: true }).waitFor();
    await part('By day').getByText('No billing for you.').waitFor();
    await part('Activity').getByText('No activity yet. Entries appear after the first run.').waitFor();
    await part('By model').getByText('Loading…').waitFor();
    await part('By day').getByRole('button', { name: 'Set API Key…' }).click();
    await panels.question(/API Key for “local”/);
    (await panels.question(/API Key for “local”/)).cancel();
    silent = false;
    responses = {
      '/api/billing/usage/summary': { status: 500, body: '<h1>Bad</h1>' },
      '/api/billing/usage/timeseries': { body: { hello: ['world'] } },
      '/api/billing/activity': { body: { items: [] } },
    };
    frame = await panels.page(page);
    await panels.runCommand('Model Bench: Refresh');
    await part('By model').getByText('Could not load').waitFor();
    await part('By model')
      .getByText(/The service failed \(status 500\)/)
      .waitFor();
    await part('By day').getByRole('button', { name: 'Open Raw Response' }).click();
    await panels.editor('world');
  });

  it('says Connect once the key is gone', async () => {
    const { panels } = suite;
    await panels.runCommand('Model Bench: Forget API Key…');
    (await panels.dialog()).pick('Forget Key');
    await panels.runCommand('Model Bench: Show Usage and Billing');
    const frame = await panels.page(page);
    await frame.getByText('Not connected').first().waitFor();
    await frame.getByRole('button', { name: 'Set API Key…' }).first().waitFor();
  });
});
