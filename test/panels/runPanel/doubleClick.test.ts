import assert from 'node:assert/strict';
import { modelOf, openRunPage, type RunPageHarness } from '../../support/runPage';
import { usePages } from '../../support/webviewPage';

const contract = modelOf({ type: 'object', properties: { text: { type: 'string' } } });

describe('The Run button, which is Stop waiting during a run', () => {
  const openPage = usePages(openRunPage);
  let opened: RunPageHarness;
  const said = (method: string) => opened.said.filter((one) => one.method === method).length;

  it('does not stop the run at the second click of a double click', async () => {
    opened = await openPage(contract);
    const { page } = opened;
    const { x, y } = (await page.getByRole('button', { name: 'Run', exact: true }).boundingBox())!;
    await page.mouse.move(x + 20, y + 10);
    await page.mouse.down({ clickCount: 1 });
    await page.mouse.up({ clickCount: 1 });
    await opened.untilSaid(() => said('run') === 1);
    const step = { step: 'running' } as const;
    await opened.showRun({ state: 'running', elapsedMs: 5, environment: 'Test', step, stopping: false });
    const stop = page.getByRole('button', { name: 'Stop waiting' });
    await stop.and(page.locator('[aria-disabled=false]')).waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    // A message of a later act comes after one of that click.
    await stop.press('Enter');
    await opened.untilSaid(() => said('stopWaiting') > 0);
    assert.equal(said('stopWaiting'), 1);
  });
});
