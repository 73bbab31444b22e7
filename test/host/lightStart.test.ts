import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { offerInterruptedJobs } from '../../src/features/indexing/index';
import { IndexJobs } from '../../src/features/indexing/jobs';
import { watchOtherMedia } from '../../src/features/indexing/otherMedia';
import { registerChangeBadges } from '../../src/features/scopes/changeBadges';
import { storeVersionIn } from '../../src/platform/storeVersion';
import type { Services } from '../../src/services';
import type { IndexedFile } from '../../src/store/items';
import { openStore, type Store, storeFolder } from '../../src/store/store';
import { once } from '../../src/vscode/once';
import { eventually } from '../support/eventually';
import { memento } from '../support/memory';
import { extensionId } from '../support/paths';

const BASE_URL = 'https://models.test';
/** Longer than every delay after start-up. */
const STARTED_MS = 2_500;

describe('A window that starts', () => {
  const makeWatcher = vscode.workspace.createFileSystemWatcher;
  let folder: string;
  let watched: string[];
  let opened: Store | undefined;
  let timesOpened: number;
  let started: vscode.Disposable[];
  let services: Services;
  let globalState: vscode.Memento;
  let workspaceState: vscode.Memento;

  // The window's own extension starts as late as it likes, and watches run files.
  before(() => vscode.extensions.getExtension(extensionId)!.activate());
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'light-start-'));
    watched = [];
    timesOpened = 0;
    started = [];
    vscode.workspace.createFileSystemWatcher = (pattern, ...flags) => {
      watched.push(typeof pattern === 'string' ? pattern : `${pattern.baseUri.path} ${pattern.pattern}`);
      return makeWatcher(pattern, ...flags);
    };
    [globalState, workspaceState] = [memento(), memento()];
    services = makeServices();
  });
  afterEach(async () => {
    vscode.workspace.createFileSystemWatcher = makeWatcher;
    for (const one of started) one.dispose();
    await opened?.close();
    opened = undefined;
    await fs.rm(folder, { recursive: true });
  });

  const makeServices = (): Services => {
    const never = () => ({ dispose: () => undefined });
    const storeOpened = new vscode.EventEmitter<Store>();
    const made = {
      connection: { active: { name: 'test', baseUrl: BASE_URL }, onDidChange: never },
      catalog: { active: { models: undefined, cachedContract: async () => undefined }, onDidChange: never },
      context: { globalState, workspaceState },
      log: { warn: assert.fail, error: assert.fail },
      onDidOpenStore: storeOpened.event,
      storeVersion: () => storeVersionIn(folder),
      store: once(async () => {
        timesOpened++;
        opened = await openStore(storeFolder(folder));
        storeOpened.fire(opened);
        return opened;
      }),
    } as unknown as Services;
    return Object.assign(made, { jobs: new IndexJobs(made) });
  };
  const start = async () => {
    started.push(
      registerChangeBadges(services, () => undefined),
      watchOtherMedia(services),
      offerInterruptedJobs(services),
    );
    await wait(STARTED_MS);
  };
  const restart = async () => {
    for (const one of started.splice(0)) one.dispose();
    await opened?.close();
    opened = undefined;
    watched = [];
    timesOpened = 0;
    services = makeServices();
    await start();
  };
  const record = async (...files: readonly vscode.Uri[]) => {
    const store = await openStore(storeFolder(folder));
    await store.datasets.record(
      files.map((uri): IndexedFile => {
        const place = { baseUrl: BASE_URL, model: 'm', scope: 's', imageId: uri.path, file: uri.toString() };
        return { ...place, sha256: 'x', sizeBytes: 4, modifiedMs: 1, at: 1, outcome: 'indexed' };
      }),
    );
    await store.close();
  };

  it('opens no store and watches no file without indexed files', async () => {
    await start();
    assert.deepEqual(watched, []);
    assert.equal(timesOpened, 0);
    assert.deepEqual(await fs.readdir(folder), [], 'nothing is written either');
  });

  it('watches the folders of its indexed files only', async () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri;
    const inside = ['pictures [1]/a/1.png', 'pictures [1]/2.png', 'top.png'];
    await record(
      ...inside.map((name) => vscode.Uri.joinPath(root, name)),
      vscode.Uri.file('/elsewhere/3.png'),
    );
    await start();
    const wanted = [`${root.path} *`, `${root.path}/pictures [1] **/*`].sort();
    await eventually(() => assert.deepEqual(watched.sort(), wanted));
  });

  it('opens a store without files of this window once, until it changes', async () => {
    await record(vscode.Uri.file('/elsewhere/1.png'));
    await start();
    // The findings are kept for the next start.
    await eventually(() => workspaceState.keys().length > 0 && globalState.keys().length > 0);
    assert.equal(timesOpened, 1);
    assert.deepEqual(watched, []);
    await restart();
    assert.equal(timesOpened, 0, 'known from the last start');
    await record(vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'new.png'));
    await restart();
    await eventually(() => assert.equal(watched.length, 1));
  });
});
