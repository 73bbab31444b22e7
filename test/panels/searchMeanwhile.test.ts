import path from 'node:path';
import { makePictures } from '../support/pictures';
import { useService } from './useService';

describe('A second query, chosen while a search is under way', () => {
  const suite = useService({ prepare: (workspace) => makePictures(path.join(workspace, 'images'), 4) });

  it('stays, and “Back” leads to the hits of the first', async () => {
    const { panels, service } = suite;
    await panels.index('images', 'photos');
    (await panels.dialog()).pick('Index 4 Files');
    await panels.indexedInto('photos');
    service.hold(0);
    const query = (name: string) => page.locator('.controls').getByText(name);
    await panels.explorerMenu('Find Similar', 'images/set-0/picture-0.png');
    const page = await panels.page('Search photos');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await panels.explorerMenu('Find Similar', 'images/set-0/picture-1.png');
    await query('picture-1.png').waitFor();
    service.release();
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
    await query('picture-1.png').waitFor();
    await panels.runCommand('Model Bench: Back to the Previous Search');
    await query('picture-0.png').waitFor();
    await page.getByRole('button', { name: /^Hit 1: / }).waitFor();
  });
});
