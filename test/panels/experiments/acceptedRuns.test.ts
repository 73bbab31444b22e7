import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FaultProxy, startFaultProxy } from '../../support/faultProxy';
import { smallService } from '../../support/smallService';
import { usePanels } from '../usePanels';

describe('A run of an experiment that the service has accepted', () => {
  const suite = usePanels({
    prepare: (workspace) =>
      writeFile(
        path.join(workspace, 'try.experiment.json'),
        JSON.stringify({ run: { model: 'echo', input: {} }, vary: { '/input/text': ['later'] } }),
      ),
  });
  let service: FaultProxy;
  let isDone = false;
  before(async () => {
    const others = smallService('Echo');
    service = await startFaultProxy({
      behind: (request) => {
        if (request.path === '/api/runs')
          return { status: 202, body: { run_id: 'r1', status: 'queued', status_url: '/api/runs/r1' } };
        if (request.path !== '/api/runs/r1') return others(request);
        const ended = isDone ? { status: 'succeeded', output: 'here' } : { status: 'running' };
        return { body: { run_id: 'r1', ...ended } };
      },
    });
  });
  after(() => service.close());

  it('leads to its outcome from the table, and goes out once', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Slow', baseUrl: service.url, apiKey: 'key' });
    await panels.row('Catalog', 'Echo');
    panels.openFile('try.experiment.json');
    const page = await panels.page('try.experiment.json');
    await panels.runCommand('Model Bench: Run Experiment');
    await panels.answer(/Start 1 run/, /Start/);
    await panels.until(
      () => service.seen.some(({ path: route }) => route === '/api/runs/r1'),
      'The first poll',
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
    await panels.press(/becomes unconfirmed/, 'Stop Waiting');
    const cell = page.locator('#cell-0-0');
    await cell.getByText(/accepted the run/).waitFor();
    await cell.dblclick();
    const again = page.getByRole('button', { name: 'Ask Again' });
    await again.click();
    await page.getByText('The service has not finished the run yet.').waitFor();
    isDone = true;
    await again.click();
    await cell.getByText('here').waitFor();
    assert.equal(service.executedRuns, 1);
  });
});
