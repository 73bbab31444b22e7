import path from 'node:path';
import { changedResponses } from '../support/changedResponses';
import { usePanels } from '../support/panels/usePanels';
import { makePictures } from '../support/pictures';
import { sandboxInProcess } from '../support/sandbox';

describe('A second query, chosen while a search is under way', () => {
  const suite = usePanels({ prepare: (workspace) => makePictures(path.join(workspace, 'images'), 4) });
  let sandbox: Awaited<ReturnType<typeof sandboxInProcess>>;
  let service: Awaited<ReturnType<typeof changedResponses>>;
  before(async () => {
    sandbox = await sandboxInProcess();
    service = await changedResponses(sandbox.baseUrl);
  });
  after(async () => {
    await service?.stop();
    await sandbox?.stop();
  });

  it('stays, and “Back” leads to the hits of the first', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'local', baseUrl: service.baseUrl, apiKey: sandbox.apiKey });
    await panels.row('Catalog', /^Image Similarity/);
    await panels.explorerMenu('Index Image with Model', 'images');
    await panels.answer(/Index with which model/, /image similarity/i);
    await panels.enter(/Into which scope/, 'photos');
    await panels.answer(/Into which scope/, 'photos');
    (await panels.dialog()).pick('Index 4 Files');
    await panels.notification(/Indexed 4 of 4 files/);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.change('/api/runs', async () => {
      await held;
      return {};
    });
    const query = (name: string) => page.locator('.controls').getByText(name);
    await panels.explorerMenu('Find Similar Images', 'images/set-0/picture-0.png');
    const page = await panels.page('Search photos');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await panels.explorerMenu('Find Similar Images', 'images/set-0/picture-1.png');
    await query('picture-1.png').waitFor();
    release();
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
    await query('picture-1.png').waitFor();
    await panels.runCommand('Model Bench: Back to the Previous Search');
    await query('picture-0.png').waitFor();
    await page.getByRole('button', { name: /^Hit 1: / }).waitFor();
  });
});
