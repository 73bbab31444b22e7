import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { type ChangedResponses, changedResponses } from '../support/changedResponses';
import { connect } from '../support/connect';
import { useVSCode } from '../support/journey';
import { makePictures } from '../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../support/sandbox';

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
  let sandbox: ChildSandbox;
  let service: ChangedResponses;
  let second: string;
  const sent: SentRun[] = [];
  before(async () => {
    sandbox = await sandboxInChild({ flags: ['--wallet', '100'] });
    service = await changedResponses(sandbox.baseUrl);
    service.change('/api/marketplace/models/image-similarity', ({ body }) => {
      const model = body as { modes: Record<string, object> };
      return {
        body: { ...model, modes: { ...model.modes, index: { ...model.modes.index, params_schema: PARAMS } } },
      };
    });
    // The sandbox knows none of these parameters.
    service.changeRequest('/api/runs', (run) => {
      const { image_ids: ids = [] } = run.input as { image_ids?: string[] };
      sent.push({ params: run.params, ids });
      return { ...run, params: {} };
    });
  });
  after(async () => {
    await service?.stop();
    await sandbox?.stop();
  });
  const journey = useVSCode({
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

  async function index(): Promise<void> {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('images'), 'Index Image with Model');
    await vscode.pick(/image similarity/i, /Index with which model/);
    await vscode.expectQuickInput(/Into which scope/);
    await vscode.quickInputBox.fill('photos');
    await vscode.quickPickRow('photos').first().click();
  }

  it('asks for what the model requires, takes the rest by keyboard, and sends it', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'Test', baseUrl: service.baseUrl, apiKey: sandbox.apiKey });
    await vscode.treeRow('Catalog', /Image/).waitFor();
    await index();
    assert.match(await vscode.dialogText(), /Parameters: service defaults/);
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    await vscode.expectQuickInput(/Parameters of indexing into photos/);
    await vscode.screenshot('journeys/index-params');
    await vscode.pick('Threshold');
    await vscode.expectQuickInput(/Threshold/);
    await vscode.quickInputBox.fill('2');
    await vscode.page.locator('.quick-input-message', { hasText: /1/ }).waitFor();
    await vscode.screenshot('journeys/index-params-invalid');
    await vscode.answerQuickInput('0.5', /Threshold/);
    await vscode.pick('Normalize', /Parameters of indexing into photos/);
    await vscode.pick('Off', /Normalize/);
    await vscode.pick('Done', /Parameters of indexing into photos/);
    assert.match(await vscode.dialogText(), /Parameters: Threshold 0\.5, Normalize false\./);
    await vscode.screenshot('journeys/index-params-question');
    await vscode.clickDialogButton(`Index ${IMAGES} Files`);
    await vscode.notificationText(/Test: Indexed 3 of 3 files into photos/);
    assert.deepEqual(
      sent.splice(0).map(({ params }) => params),
      [{ threshold: 0.5, normalize: false }],
    );
    await vscode.clearNotifications();
  });

  it('gives the file of another folder an id of its own, and pays for no copy', async () => {
    const { vscode } = journey;
    await vscode.openWorkspace(second);
    await index();
    const asked = await vscode.dialogText();
    assert.match(asked, /Index 1 file with Image Similarity into photos/);
    assert.match(asked, /1 new, 2 unchanged/);
    assert.match(asked, /1 file gets an ID of its own, because photos already has an image of the same path/);
    assert.match(asked, /Parameters: Threshold 0\.5, Normalize false\./, 'they are remembered per scope');
    await vscode.screenshot('journeys/index-ids');
    await vscode.clickDialogButton('Index 1 File');
    await vscode.notificationText(/Test: Indexed 1 of 1 file into photos/);
    await vscode.clearNotifications();
    const [run] = sent.splice(0);
    assert.match(run?.ids[0] ?? '', /^images\/.*-[0-9a-f]{8}$/);
    const { indexed } = await sandbox.ledger();
    const times = Object.entries(indexed).filter(([key]) => key.split(' ')[1] === 'photos');
    assert.equal(times.length, IMAGES + 1);
    assert.ok(
      times.every(([, often]) => often === 1),
      'no image was replaced',
    );
    await index();
    assert.match(await vscode.notificationText(/Nothing to index/), /all 3 files are already in photos/);
  });
});
