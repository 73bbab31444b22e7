import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { makePictures } from '../support/pictures';
import { timesIndexed } from '../support/sandbox';
import { useService } from './useService';

const IMAGES = 3;

const PARAMS = {
  type: 'object',
  required: ['threshold'],
  properties: {
    threshold: { type: 'number', title: 'Threshold', minimum: 0, maximum: 1 },
    normalize: { type: 'boolean', title: 'Normalize', default: true },
  },
};

interface SentRun {
  readonly params: unknown;
  readonly ids: readonly string[];
}

describe('Parameters of index jobs, and the ids of files of two folders', () => {
  let second: string;
  const sent: SentRun[] = [];
  const suite = useService({
    changes: (service) => {
      service.change('/api/marketplace/models/image-similarity', ({ body }) => {
        const model = body as { modes: Record<string, object> };
        const index = { ...model.modes.index, params_schema: PARAMS };
        return { body: { ...model, modes: { ...model.modes, index } } };
      });
      // The sandbox knows none of these parameters.
      service.changeRequest('/api/runs', (run) => {
        const { image_ids: ids = [] } = run.input as { image_ids?: string[] };
        sent.push({ params: run.params, ids });
        return { ...run, params: {} };
      });
    },
    prepare: async (workspace) => {
      await makePictures(path.join(workspace, 'images'), IMAGES);
      second = path.join(path.dirname(workspace), 'second');
      await fs.cp(path.join(workspace, 'images'), path.join(second, 'images'), { recursive: true });
      const [set = ''] = await fs.readdir(path.join(second, 'images'));
      const [name = ''] = await fs.readdir(path.join(second, 'images', set));
      // The first has another content under the same path; the others are copies.
      await makePictures(path.join(second, 'other'), 1, 500);
      const [otherSet = ''] = await fs.readdir(path.join(second, 'other'));
      const [other = ''] = await fs.readdir(path.join(second, 'other', otherSet));
      await fs.rename(path.join(second, 'other', otherSet, other), path.join(second, 'images', set, name));
      await fs.rm(path.join(second, 'other'), { recursive: true });
    },
  });

  it('asks for required values, takes the rest by keyboard, and sends it', async () => {
    const { panels } = suite;
    await panels.index('images', 'photos');
    assert.match((await panels.dialog()).text, /Parameters: service defaults/);
    (await panels.dialog()).pick(`Index ${IMAGES} Files`);
    await panels.question(/Parameters of indexing into photos/);
    await panels.answer(/./, 'Threshold');
    await panels.question(/Threshold/);
    const threshold = await panels.question(/Threshold/);
    await threshold.enter('2');
    assert.match(threshold.validation ?? '', /1/);
    await panels.enter(/Threshold/, '0.5');
    await panels.answer(/Parameters of indexing into photos/, 'Normalize');
    await panels.answer(/Normalize/, 'Off');
    await panels.answer(/Parameters of indexing into photos/, 'Done');
    assert.match((await panels.dialog()).text, /Parameters: Threshold 0\.5, Normalize false\./);
    (await panels.dialog()).pick(`Index ${IMAGES} Files`);
    assert.match(await panels.indexedInto('photos'), /Indexed 3 of 3 files/);
    assert.deepEqual(
      sent.splice(0).map(({ params }) => params),
      [{ threshold: 0.5, normalize: false }],
    );
  });

  it('gives the file of another folder an id of its own, and pays for no copy', async () => {
    const { panels } = suite;
    await panels.openFolder(second);
    await panels.index('images', 'photos');
    const asked = (await panels.dialog()).text;
    assert.match(asked, /Index 1 file with Image Similarity into photos/);
    assert.match(asked, /1 new, 2 unchanged/);
    assert.match(asked, /1 file gets an ID of its own, because photos already has an image of the same path/);
    assert.match(asked, /Parameters: Threshold 0\.5, Normalize false\./, 'they are remembered per scope');
    (await panels.dialog()).pick('Index 1 File');
    assert.match(await panels.indexedInto('photos'), /Indexed 1 of 1 file /);
    const [run] = sent.splice(0);
    assert.match(run?.ids[0] ?? '', /^images\/.*-[0-9a-f]{8}$/);
    const times = await timesIndexed(suite.sandbox, 'photos');
    assert.equal(times.size, IMAGES + 1);
    assert.deepEqual(new Set(times.values()), new Set([1]), 'no image was replaced');
    await panels.index('images', 'photos');
    assert.match((await panels.notification(/Nothing to index/)).text, /all 3 files are already in photos/);
    panels.command('modelBench.showFailedFiles');
    await panels.notification('No scope has files that failed or are unconfirmed.');
  });
});
