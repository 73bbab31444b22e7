import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { makePictures } from '../support/pictures';
import { timesIndexed } from '../support/sandbox';
import { useService } from './useService';

const IMAGES = 12;
const MANY = 60;

describe('Files that were added and deleted, and the row of an interrupted job', () => {
  const suite = useService({
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), IMAGES);
      await makePictures(path.join(workspace, 'many'), MANY, 300);
    },
  });

  it('finds a file that was added to an indexed folder, and names one that was deleted', async () => {
    const { panels } = suite;
    const { workspace: folder } = panels;
    await panels.index('images', 'photos');
    (await panels.dialog()).pick(`Index ${IMAGES} Files`);
    assert.match(await panels.indexedInto('photos'), /^local: Indexed 12 of 12 files/);

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
    assert.match(await panels.indexedInto('photos'), /Indexed 1 of 1 file /);
    await panels.rowMenu(await panels.row('Scopes', 'Image Similarity'), 'Index Changes');
    assert.match((await panels.notification(/Nothing to index/)).text, /still has it/);
    panels.clearNotifications();
  });

  it('counts only the bytes that will be uploaded', async () => {
    const { panels } = suite;
    await panels.index('images', 'again');
    assert.match((await panels.dialog()).text, /Nothing to upload: earlier uploads are used again\./);
    (await panels.dialog()).cancel();
  });

  it('gives an interrupted job a row that stays when the notification is gone, and resumes it from there', async () => {
    const { panels, service } = suite;
    service.hold(1);
    await panels.index('many', 'struck');
    (await panels.dialog()).pick(`Index ${MANY} Files`);
    await panels.row('Scopes', /[1-9]\d* of 60/);
    await panels.reload();
    await panels.notification(/Indexing into struck was interrupted/);
    panels.clearNotifications();
    const row = await panels.row('Scopes', /^Indexing into struck.*Interrupted/);
    service.cut();
    await panels.rowMenu(row, 'Resume Indexing');
    await panels.indexedInto('struck');
    await panels.noRow('Scopes', 'Indexing into struck');
    const times = await timesIndexed(suite.sandbox, 'struck');
    assert.deepEqual(new Set(times.values()), new Set([1]));
  });
});
