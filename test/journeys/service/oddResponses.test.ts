import assert from 'node:assert/strict';
import { connect } from '../../support/connect';
import { type FaultProxy, type StubResponse, startFaultProxy } from '../../support/faultProxy';
import { useVSCode } from '../../support/journey';
import { RunPanel } from '../../support/runPanel';

const html: StubResponse = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Sign in</title><h1>Sign in to the gateway</h1><script>alert(1)</script>',
};
const markup = '<img src=x onerror=alert(1)> **bold** $(trash) [link](command:workbench.action.quit)';

describe('A service whose responses have other shapes', () => {
  const journey = useVSCode();
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
    await journey.vscode.runCommand('Model Bench: Refresh');
  };
  const row = (label: string | RegExp) => journey.vscode.treeRow('Catalog', label).waitFor();

  it('lists a bare array of slugs', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Odd', baseUrl: service.url, apiKey: 'mb-odd' });
    await vscode.showModelBench();
    await row('vendor-a-tiny');
    await row('vendor-b-large');
  });

  it('reports a wallet without a known balance, and opens the raw response', async () => {
    const { vscode } = journey;
    const item = vscode.statusBarItem('modelBench.wallet');
    await item.filter({ hasText: 'balance not found' }).waitFor();
    await item.click();
    await vscode.page.locator('.monaco-editor').getByText('no money here').first().waitFor();
    await vscode.screenshot('journeys/service/odd-wallet');
  });

  it('gives a model that tells nothing a form of its own, and shows a page of HTML as the text it is', async () => {
    const { vscode } = journey;
    await vscode.treeRow('Catalog', 'vendor-a-tiny').click();
    const panel = await RunPanel.in(vscode, 'vendor-a-tiny');
    await vscode.screenshot('journeys/service/odd-detail');
    await panel.frame
      .getByText(/publishes no input schema/)
      .first()
      .waitFor();
    await panel.button('Run').click();
    await panel.result
      .getByText(/Sign in to the gateway/)
      .first()
      .waitFor();
    assert.equal(await panel.frame.locator('h1', { hasText: 'Sign in to the gateway' }).count(), 0);
    await panel.result.getByText('Response not understood').first().waitFor();
    await vscode.screenshot('journeys/service/odd-run');
  });

  it('shows names as text, whatever they hold', async () => {
    const { vscode } = journey;
    await refresh({ body: { data: [{ slug: 'marked', name: markup, description: markup }, { what: 1 }] } });
    await row(/onerror/);
    await row(/Some catalog entries could not be read/);
    const hover = vscode.page
      .locator('.workbench-hover-container, .monaco-hover')
      .getByText('marked')
      .first();
    // A row that is drawn anew while the pointer rests on it loses its hover: then the pointer comes again.
    while (!(await hover.isVisible())) {
      await vscode.page.mouse.move(800, 600);
      await vscode.treeRow('Catalog', /onerror/).hover();
      await hover.waitFor({ timeout: 3000 }).catch(() => undefined);
    }
    assert.equal(
      await vscode.page.locator('.monaco-hover img, .monaco-hover a[data-href^="command:"]').count(),
      0,
    );
    await vscode.screenshot('journeys/service/odd-names');
  });

  it('says that a list goes on elsewhere, and does not ask there', async () => {
    await refresh({
      body: { results: [{ slug: 'first' }], next: 'https://elsewhere.example/api/marketplace/models?page=2' },
    });
    await row('first');
    await row(/https:\/\/elsewhere\.example.* is another server/);
    await journey.vscode.screenshot('journeys/service/odd-next');
  });

  it('opens a catalog that is no list as it came', async () => {
    const { vscode } = journey;
    await refresh(html);
    await vscode.notification(/not a list of models/).waitFor();
    await vscode.screenshot('journeys/service/odd-html');
    await vscode.clickNotificationAction(/not a list of models/, 'Open the Response');
    await vscode.page.locator('.monaco-editor').getByText('Sign in to the gateway').first().waitFor();
  });

  it('shows ten thousand models, and finds one among them', async () => {
    const { vscode } = journey;
    const models = Array.from({ length: 10_000 }, (_, index) => ({
      slug: `model-${index}`,
      name: `Model ${index}`,
    }));
    await refresh({ body: { models } });
    await row(/^Model 0$/);
    await vscode.runCommandThatAsks('Model Bench: Filter Catalog…', /Name, description, tag or mode/, () =>
      vscode.quickInputBox.fill('model-9876'),
    );
    await row(/^Model 9876$/);
    await vscode.quickInputBox.press('Enter');
    await vscode.screenshot('journeys/service/odd-many');
  });
});

describe('A service that makes one wait', () => {
  const journey = useVSCode();
  let service: FaultProxy;
  let limited = false;
  let silent = false;
  let closed = 0;

  before(async () => {
    service = await startFaultProxy({
      behind: ({ path }) =>
        path === '/api/runs'
          ? { body: { output: 'done' } }
          : path.startsWith('/api/marketplace/models/')
            ? {
                body: {
                  slug: 'echo',
                  modes: ['execute'],
                  input_schema: { type: 'object', properties: { text: { type: 'string' } } },
                },
              }
            : path.startsWith('/api/marketplace')
              ? { body: [{ slug: 'echo', name: 'Echo' }] }
              : { body: { balance: '5.00', currency: 'USD' } },
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
    const { vscode } = journey;
    await connect(vscode, { name: 'Slow', baseUrl: service.url, apiKey: 'mb-slow' });
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', 'Echo').click();
    const panel = await RunPanel.in(vscode, 'Echo');
    limited = true;
    await panel.button('Run').click();
    await panel.frame
      .getByText(/Waiting until \d/)
      .first()
      .waitFor();
    const item = vscode.statusBarItem('modelBench.rateLimit');
    await item.filter({ hasText: /Slow: waiting until \d/ }).waitFor();
    await vscode.screenshot('journeys/service/waiting');
    await panel.result
      .getByText(/Finished in/)
      .last()
      .waitFor();
    await item.waitFor({ state: 'hidden' });
    assert.equal(service.executedRuns, 1);
  });

  it('closes the connection when one stops waiting, and says that the run may go on', async () => {
    const { vscode } = journey;
    const panel = await RunPanel.in(vscode, 'Echo');
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
    while (closed === before) await vscode.page.evaluate(() => new Promise(requestAnimationFrame));
    await vscode.screenshot('journeys/service/stopped');
    assert.equal(service.executedRuns, 2);
  });
});
