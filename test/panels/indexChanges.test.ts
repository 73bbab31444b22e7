import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { type HeldRuns, startHeldRuns } from '../support/heldRuns';
import { usePanels } from '../support/panels/usePanels';
import { makePictures } from '../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../support/sandbox';

const IMAGES = 12;
const MANY = 60;

describe('Files that were added and deleted, and the row of an interrupted job', () => {
  let sandbox: ChildSandbox;
  let service: HeldRuns;
  let folder: string;
  before(async () => {
    sandbox = await sandboxInChild({ flags: ['--wallet', '100'] });
    service = await startHeldRuns(sandbox.baseUrl);
  });
  after(async () => {
    await service?.close();
    await sandbox?.stop();
  });
  const suite = usePanels({
    prepare: async (workspace) => {
      folder = workspace;
      await makePictures(path.join(workspace, 'images'), IMAGES);
      await makePictures(path.join(workspace, 'many'), MANY, 300);
    },
  });

  async function index(name: string, scope: string): Promise<void> {
    const { panels } = suite;
    await panels.explorerMenu('Index Image with Model', name);
    await panels.answer(/Index with which model/, /image similarity/i);
    await panels.enter(/Into which scope/, scope);
    await panels.answer(/Into which scope/, scope);
  }

  it('finds a file that was added to an indexed folder, and names one that was deleted', async () => {
    const { panels } = suite;
    await panels.connect({ name: 'Test', baseUrl: service.url, apiKey: sandbox.apiKey });
    await panels.row('Catalog', /Image/);
    await index('images', 'photos');
    (await panels.dialog()).pick(`Index ${IMAGES} Files`);
    (await panels.notification(/Test: Indexed 12 of 12 files into photos/)).text;
    panels.clearNotifications();

    const [set = ''] = await fs.readdir(path.join(folder, 'images'));
    const [gone = ''] = await fs.readdir(path.join(folder, 'images', set));
    await fs.rm(path.join(folder, 'images', set, gone));
    await makePictures(path.join(folder, 'images', 'later'), 1, 900);
    await panels.rowMenu(await panels.row('Scopes', 'Image Similarity'), 'Index Changes');
    const asked = (await panels.dialog()).text;
    assert.match(asked, /Index 1 file with Image Similarity into photos/);
    assert.match(asked, /1 new, 11 unchanged/);
    assert.ok(
      asked.includes(`1 file was deleted here, but the service still has it: images/${set}/${gone}.`),
      asked,
    );
    (await panels.dialog()).pick('Index 1 File');
    (await panels.notification(/Test: Indexed 1 of 1 file into photos/)).text;
    panels.clearNotifications();
    await panels.rowMenu(await panels.row('Scopes', 'Image Similarity'), 'Index Changes');
    const nothing = (await panels.notification(/Nothing to index/)).text;
    assert.match(nothing, /still has it/);
    panels.clearNotifications();
  });

  it('counts only the bytes that will be uploaded', async () => {
    const { panels } = suite;
    await index('images', 'again');
    assert.match((await panels.dialog()).text, /Nothing to upload: earlier uploads are used again\./);
    (await panels.dialog()).cancel();
  });

  it('gives an interrupted job a row that stays when the notification is gone, and resumes it from there', async () => {
    const { panels } = suite;
    service.hold(1);
    await index('many', 'struck');
    (await panels.dialog()).pick(`Index ${MANY} Files`);
    await panels.row('Scopes', /[1-9]\d* of 60/);
    await panels.reload();
    await panels.notification(/Indexing into struck was interrupted/);
    panels.clearNotifications();
    const row = await panels.row('Scopes', /^Indexing into struck.*Interrupted/);
    service.cut();
    await panels.rowMenu(row, 'Resume Indexing');
    (await panels.notification(/Test: Indexed \d+ of 60 files into struck/)).text;
    await panels.noRow('Scopes', 'Indexing into struck');
    const { indexed } = await sandbox.ledger();
    const times = Object.entries(indexed).filter(([key]) => key.split(' ')[1] === 'struck');
    assert.ok(times.every(([, often]) => often === 1));
  });
});
