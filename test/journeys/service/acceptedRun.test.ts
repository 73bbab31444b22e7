import assert from 'node:assert/strict';
import { connect } from '../../support/connect';
import { eventually } from '../../support/eventually';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { RunPanel } from '../../support/runPanel';
import { smallService } from '../../support/smallService';
import { useVSCode } from '../journey';

/** Polls of the background wait five minutes: meanwhile only the user asks. */
const SLOWLY = { 'retry-after': '300' };

describe('A run that a service has accepted', () => {
  const journey = useVSCode();
  let service: FaultProxy;
  let isDone = false;
  before(async () => {
    const others = smallService('Echo');
    service = await startFaultProxy({
      behind: (request) => {
        const { method, path: route } = request;
        if (method === 'POST' && route === '/api/runs')
          return { status: 202, body: { run_id: 'r1', status: 'queued', status_url: '/api/runs/r1' } };
        if (route !== '/api/runs/r1') return others(request);
        const ended = isDone ? { status: 'succeeded', output: 'Late, but here.' } : { status: 'running' };
        return { headers: SLOWLY, body: { run_id: 'r1', ...ended } };
      },
    });
  });
  after(() => service?.close());

  const asked = () => service.seen.filter(({ path: route }) => route.startsWith('/api/runs'));

  it('leads to its outcome after a reload of the window, by result and history', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Slow', baseUrl: service.url, apiKey: 'key-slow' });
    await vscode.treeRow('Catalog', 'Echo').waitFor();
    const before = await RunPanel.open(vscode, 'Echo');
    await before.fill('text', 'See you later.');
    await before.button('Run').click();
    await before.button('Stop waiting').waitFor();
    await eventually(() => assert.equal(asked().length, 2));
    await vscode.reloadByCommand();
    const panel = await RunPanel.in(vscode, 'Echo');
    await panel.result.getByText('Accepted, not finished yet').first().waitFor();
    await vscode.screenshot('journeys/service/accepted');
    await panel.button('Ask Again').click();
    await vscode.notification(/has not finished the run yet/).waitFor();
    await vscode.clearNotifications();
    isDone = true;
    await vscode.showModelBench();
    const row = vscode.treeRow('History', /See you later/);
    await vscode.contextMenu(row, 'Ask Again');
    await panel.result
      .getByText(/^Finished/)
      .first()
      .waitFor();
    await panel.result.getByText('Late, but here.').first().waitFor();
    await vscode.screenshot('journeys/service/accepted-ended');
    const [sent, ...polls] = asked().map(({ method, path: route }) => `${method} ${route}`);
    assert.equal(sent, 'POST /api/runs');
    assert.ok(polls.length >= 4, 'before the reload, after it, and twice by the user');
    assert.deepEqual([...new Set(polls)], ['GET /api/runs/r1']);
    assert.equal(service.executedRuns, 1);
  });
});
