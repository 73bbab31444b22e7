import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { readResults } from '../../../src/experiments/results';
import { connect } from '../../support/connect';
import { useVSCode } from '../../support/journey';
import { makePictures } from '../../support/pictures';
import { type ChildSandbox, sandboxInChild } from '../../support/sandbox';

const IMAGES = 24;
const COLOURS = [2, 3, 4, 5];

describe('The runs of an experiment, from a right-click through a closed window to their results', () => {
  let sandbox: ChildSandbox;
  before(async () => {
    sandbox = await sandboxInChild({ flags: ['--wallet', '100'] });
  });
  after(() => sandbox?.stop());
  let workspace: string;
  const journey = useVSCode({
    prepare: async (folder) => {
      workspace = folder;
      await makePictures(path.join(workspace, 'photos'), IMAGES);
    },
  });

  const file = () => path.join(workspace, 'photos.experiment.json');
  const results = async () => {
    const text = await fs.readFile(path.join(workspace, 'photos.results.jsonl'), 'utf8');
    return readResults(text).results;
  };
  const sent = async () => (await sandbox.ledger()).requests.runs ?? 0;

  it('connects to the service', async () => {
    const { vscode } = journey;
    await connect(vscode, { name: 'test', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    await vscode.showModelBench();
    await vscode.treeRow('Catalog', /Palette/i).waitFor();
  });

  it('writes an experiment over a folder, of a model that takes its files, and runs nothing', async () => {
    const { vscode } = journey;
    await vscode.contextMenu(await vscode.revealInExplorer('photos'), 'Run on Files with Model');
    await vscode.expectQuickInput(/Run which model on the files/);
    await vscode.screenshot('journeys/experiment-model');
    await vscode.pick(/palette/i, /Run which model/);
    await vscode.editorTab(/photos\.experiment\.json/).waitFor();
    assert.deepEqual(JSON.parse(await fs.readFile(file(), 'utf8')), {
      version: 1,
      run: { model: 'colour-palette', input: {} },
      vary: {},
      over: { files: 'photos/**/*.png', map: { '/input/image': 'file' } },
    });
    await vscode.screenshot('journeys/experiment-written');
    assert.equal(await sent(), 0);
  });

  it('ask once, with their number and cost, and then run', async () => {
    const { vscode } = journey;
    const experiment = JSON.parse(await fs.readFile(file(), 'utf8'));
    await fs.writeFile(file(), JSON.stringify({ ...experiment, vary: { '/params/colours': COLOURS } }));
    await sandbox.change({ latencyMs: 100 });
    await vscode.runCommand('Model Bench: Run Experiment');
    await vscode.dialog.waitFor();
    const text = (await vscode.dialog.innerText()).replaceAll(/\s+/g, ' ');
    assert.match(text, /Start 96 runs in “test”\?/);
    assert.match(text, /4 variations × 24 inputs/);
    assert.match(text, /96 runs, about \$/);
    await vscode.screenshot('journeys/experiment-question');
    assert.equal(await sent(), 0);
    await vscode.clickDialogButton('Start 96 Runs');
    await vscode.notification(/Running photos\.experiment\.json/).waitFor();
    await vscode.screenshot('journeys/experiment-running');
  });

  it('resume after their window was closed', async () => {
    const { vscode } = journey;
    while ((await sent()) < 20) await new Promise((resolve) => setTimeout(resolve, 50));
    await sandbox.change({ latencyMs: 2_000 });
    await vscode.reload();
    const words = await vscode.notificationText(/photos\.experiment\.json was interrupted/);
    await sandbox.change({ latencyMs: 0 });
    await vscode.screenshot('journeys/experiment-interrupted');
    await vscode.clickNotificationAction(/was interrupted/, 'Resume');
    const unconfirmed = Number(/(\d+) are unconfirmed/.exec(words)?.[1] ?? 0);
    const ended = await vscode.notificationText(/photos\.experiment\.json: \d+ of \d+ runs finished/);
    assert.match(ended, /\$/);
    await vscode.screenshot('journeys/experiment-ended');
    const lines = await results();
    assert.equal(lines.length, 96);
    assert.equal(lines.filter(({ state }) => state === 'unconfirmed').length, unconfirmed);
    assert.ok((await sent()) <= 96);
    assert.deepEqual(new Set(lines.map(({ variation }) => variation['/params/colours'])), new Set(COLOURS));
  });

  it('restores results that git has rolled back, and pays for nothing again', async () => {
    const { vscode } = journey;
    await vscode.clearNotifications();
    const before = await sent();
    const all = await results();
    const whole = await fs.readFile(path.join(workspace, 'photos.results.jsonl'), 'utf8');
    const left = whole.split('\n').slice(0, 10).join('\n');
    await fs.writeFile(path.join(workspace, 'photos.results.jsonl'), `${left}\n`);
    // The window was reloaded moments after it had been opened: VS Code may have forgotten it.
    await vscode.openFile('photos.experiment.json');
    await vscode.runCommand('Model Bench: Run Experiment');
    const kept = readResults(left);
    const lost = all.length - (kept.results.length - kept.sent.size);
    await vscode.dialog
      .getByText(`${lost} results are no longer in photos.results.jsonl. Restore them?`)
      .waitFor();
    await vscode.screenshot('journeys/experiment-restore');
    await vscode.clickDialogButton('Restore Results');
    // Unconfirmed runs may be sent again, by the user's choice.
    if (all.some(({ state }) => state === 'unconfirmed')) {
      await vscode.dialog.getByText(/Start \d+ runs? in/).waitFor();
      await vscode.clickDialogButton('Cancel');
    } else await vscode.notification(/Nothing to run: all 96 runs have finished/).waitFor();
    assert.equal((await results()).length, 96);
    assert.equal(await sent(), before);
  });

  it('ask about an unreadable line before a run is sent', async () => {
    const { vscode } = journey;
    await vscode.clearNotifications();
    const before = await sent();
    const lines = (await fs.readFile(path.join(workspace, 'photos.results.jsonl'), 'utf8')).split('\n');
    const at = lines.findIndex((line) => line.includes('"state":"finished"'));
    const torn = lines.with(at, lines[at]!.slice(0, 120));
    await fs.writeFile(path.join(workspace, 'photos.results.jsonl'), torn.join('\n'));
    await vscode.runCommand('Model Bench: Run Experiment');
    await vscode.dialog
      .getByText(`Line ${at + 1} of “photos.results.jsonl” cannot be read. It may be a run that was paid.`)
      .waitFor();
    await vscode.screenshot('journeys/experiment-unreadable');
    await vscode.clickDialogButton('Treat as Unconfirmed');
    await vscode.dialog.getByText(/Start \d+ runs? in/).waitFor();
    await vscode.clickDialogButton('Cancel');
    assert.equal(await sent(), before);
  });
});
