import assert from 'node:assert/strict';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { smallService } from '../../support/smallService';
import { usePanels } from '../usePanels';

const html: StubResponse = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Sign in</title><h1>Sign in to the gateway</h1><script>alert(1)</script>',
};
const markup = '<img src=x onerror=alert(1)> **bold** $(trash) [link](command:workbench.action.quit)';

describe('A service whose responses have other shapes', () => {
  const suite = usePanels();
  let service: FaultProxy;
  let catalog: StubResponse;
  let detail: StubResponse;
  let wallet: StubResponse;
  let run: StubResponse;

  before(async () => {
    catalog = { body: ['vendor-a-tiny', 'vendor-b-large'] };
    detail = { body: {} };
    wallet = { body: { moons: 3, note: 'no money here' } };
    run = html;
    service = await startFaultProxy({
      behind: ({ method, path }) => {
        if (method === 'POST') return run;
        if (path.startsWith('/api/marketplace/models/')) return detail;
        if (path.startsWith('/api/marketplace/models')) return catalog;
        if (path.startsWith('/api/billing/wallet')) return wallet;
        return html;
      },
    });
  });
  after(() => service?.close());

  const refresh = async (response: StubResponse) => {
    catalog = response;
    await suite.panels.runCommand('Model Bench: Refresh');
  };
  const row = (label: string | RegExp) => suite.panels.row('Catalog', label);

  it('lists a bare array of slugs', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Odd', baseUrl: service.url, apiKey: 'mb-odd' });
    await row('vendor-a-tiny');
    await row('vendor-b-large');
  });

  it('reports a wallet without a known balance, and opens the raw response', async () => {
    const { panels } = suite;
    await panels.statusItem('modelBench.wallet', 'balance not found');
    panels.clickStatusItem('modelBench.wallet');
    await panels.editor('no money here');
  });

  it('gives a model that tells nothing a form of its own, and shows a page of HTML as the text it is', async () => {
    const { panels } = suite;
    panels.click(await panels.row('Catalog', 'vendor-a-tiny'));
    const panel = await panels.runPanel('vendor-a-tiny');
    await panel.frame
      .getByText(/This model publishes no schema\. Enter JSON/)
      .first()
      .waitFor();
    await panel.button('Run').click();
    await panel.result
      .getByText(/Sign in to the gateway/)
      .first()
      .waitFor();
    assert.equal(await panel.frame.locator('h1', { hasText: 'Sign in to the gateway' }).count(), 0);
    await panel.result.getByText('Response not understood').first().waitFor();
  });

  it('asks for the outcome of a run whose response was not understood, from its row in the history', async () => {
    const { panels } = suite;
    await panels.rowMenu(await panels.row('History', /not understood/), 'Set Run Outcome…');
    (await panels.question(/outcome/i)).cancel();
  });

  it('shows names as text, with any markup', async () => {
    const { panels } = suite;
    await refresh({ body: { data: [{ slug: 'marked', name: markup, description: markup }, { what: 1 }] } });
    await row(/onerror/);
    await row(/Some catalog entries could not be read/);
    const { tooltip } = await panels.row('Catalog', /onerror/);
    assert.match(tooltip, /onerror/);
    assert.doesNotMatch(tooltip, /(?<!\\)<img|\*\*bold|\[link\]\(/, 'marks are escaped');
  });

  it('says that a list goes on elsewhere, and does not ask there', async () => {
    await refresh({
      body: { results: [{ slug: 'first' }], next: 'https://elsewhere.example/api/marketplace/models?page=2' },
    });
    await row('first');
    await row(/https:\/\/elsewhere\.example.* is another server/);
  });

  it('opens the raw response of a catalog that is no list', async () => {
    const { panels } = suite;
    await refresh(html);
    await panels.notification(/not a list of models/);
    await panels.press(/not a list of models/, 'Open the Response');
    await panels.editor('Sign in to the gateway');
  });

  it('shows ten thousand models, and finds one among them', async () => {
    const { panels } = suite;
    const models = Array.from({ length: 10_000 }, (_, index) => ({
      slug: `model-${index}`,
      name: `Model ${index}`,
    }));
    await refresh({ body: { models } });
    await row(/^Model 0$/);
    await panels.runCommand('Model Bench: Filter Catalog…');
    const filter = await panels.question(/Name, description, tag or mode/);
    await filter.enter('model-9876');
    await row(/^Model 9876$/);
  });
});

describe('A service that makes one wait', () => {
  const suite = usePanels();
  let service: FaultProxy;
  let limited = false;
  let silent = false;
  let closed = 0;

  before(async () => {
    service = await startFaultProxy({
      behind: (request) =>
        request.path === '/api/runs' ? { body: { output: 'done' } } : smallService('Echo')(request),
      fault: ({ path }) => {
        if (path !== '/api/runs') return undefined;
        if (silent) return { kind: 'silent' };
        if (!limited) return undefined;
        limited = false;
        return { kind: 'response', response: { status: 429, headers: { 'retry-after': '4' } } };
      },
      onClosed: ({ path }) => {
        if (path === '/api/runs') closed++;
      },
    });
  });
  after(() => service?.close());

  it('says until when, in the panel and the status bar, and then goes on by itself', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Slow', baseUrl: service.url, apiKey: 'mb-slow' });
    panels.click(await panels.row('Catalog', 'Echo'));
    const panel = await panels.runPanel('Echo');
    limited = true;
    await panel.button('Run').click();
    await panel.frame
      .getByText(/Waiting until \d/)
      .first()
      .waitFor();
    await panels.statusItem('modelBench.rateLimit', /Slow: waiting until \d/);
    await panel.result
      .getByText(/Finished in/)
      .last()
      .waitFor();
    await panels.until(
      () => !panels.window.statusItems.get('modelBench.rateLimit')?.isShown,
      'The end of the wait',
    );
    assert.equal(service.executedRuns, 1);
  });

  it('closes the connection when one stops waiting, and says that the run may go on', async () => {
    const { panels } = suite;
    const panel = await panels.runPanel('Echo');
    silent = true;
    const before = closed;
    await panel.button('Run').click();
    await panel.frame
      .getByText(/Running…/)
      .first()
      .waitFor();
    assert.equal(closed, before);
    await panel.button('Stop waiting').click();
    await panel.result
      .getByText(/may have been executed and charged/)
      .first()
      .waitFor();
    await panels.until(() => closed > before, 'The end of the connection');
    assert.equal(service.executedRuns, 2);
  });
});
