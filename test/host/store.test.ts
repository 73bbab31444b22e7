import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { openServices } from '../../src/openServices';
import { openOwnStore } from '../../src/platform/ownStore';
import { sqlite } from '../../src/store/sqlite';
import type { Store } from '../../src/store/store';
import { memento } from '../support/memento';
import { root } from '../support/paths';
import { oldFiles, oldJob } from '../support/store/oldFiles';
import { dataset, jobsOf } from '../support/store/samples';

describe('The store in the extension host', () => {
  const { showWarningMessage, showErrorMessage } = vscode.window;
  let folder: string;
  let opened: Store[];
  let shown: unknown[][];
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'own-store-'));
    opened = [];
    shown = [];
    warnings.length = 0;
    process.on('warning', onWarning);
    const show = async (...args: unknown[]) => void shown.push(args);
    Object.assign(vscode.window, { showWarningMessage: show, showErrorMessage: show });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showWarningMessage, showErrorMessage });
    process.off('warning', onWarning);
    for (const store of opened) await store.close();
    await fs.rm(folder, { recursive: true });
  });

  const log = { warn: assert.fail, error: () => undefined } as unknown as vscode.LogOutputChannel;
  const contextWith = (more: Partial<vscode.ExtensionContext> = {}) =>
    ({
      globalStorageUri: vscode.Uri.file(folder),
      asAbsolutePath: (file: string) => path.join(root, file),
      ...more,
    }) as unknown as vscode.ExtensionContext;
  const open = async () => {
    const store = await openOwnStore(contextWith(), log);
    opened.push(store);
    return store;
  };
  const file = () => path.join(folder, 'store/model-bench.db');

  it('opens, with a thread for long work, without a warning of Node.js', async () => {
    const store = await open();
    assert.equal(store.database.readOnly, undefined);
    assert.deepEqual(await store.check(), [], 'by the bundled worker');
    assert.deepEqual([warnings, shown], [[], []]);
  });

  it('of a newer version can be read, which is shown with what to do', async () => {
    await (await open()).close();
    const newer = new (sqlite().DatabaseSync)(file());
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const store = await open();
    assert.equal(store.database.readOnly, 'newer');
    assert.deepEqual(store.runs.list({ limit: 1 }), []);
    assert.equal(shown.length, 1);
    assert.match(String(shown[0]![0]), /newer version/);
    const buttons = shown[0]!.slice(1).flatMap((action) => (action as { title?: string }).title ?? []);
    assert.deepEqual(buttons, ['Check for Extension Updates']);
  });

  it('that is no database is reported, and left as it is', async () => {
    await fs.mkdir(path.dirname(file()), { recursive: true });
    await fs.writeFile(file(), 'the only copy of something'.repeat(500));
    await assert.rejects(open(), { kind: 'damaged' });
    assert.equal(shown.length, 1);
    assert.match(String(shown[0]![0]), /is damaged\. Nothing was deleted/);
    assert.match(await fs.readFile(file(), 'utf8'), /only copy/);
  });

  it('opens with what version 0.1.0 left: history, scopes, an interrupted job and what was spent', async () => {
    await oldFiles(folder);
    await oldJob(folder);
    const workspaceState = memento();
    await workspaceState.update('modelBench.spent', { spent: { [dataset.baseUrl]: '1.25', other: 'lots' } });
    const quiet = { ...log, warn: () => undefined } as unknown as vscode.LogOutputChannel;
    const startWindow = () => {
      const subscriptions: vscode.Disposable[] = [];
      const storageUri = vscode.Uri.file(path.join(folder, 'workspace'));
      const context = contextWith({ workspaceState, subscriptions, storageUri });
      const ready = { context, log: quiet } as unknown as Parameters<typeof openServices>[0];
      return { services: openServices(ready), subscriptions };
    };
    const first = startWindow();
    const history = await first.services.history();
    const states = history.list({ limit: 9 }).map(({ id, state }) => `${id} ${state}`);
    assert.deepEqual(states.sort(), ['large finished', 'running unknown', 'small finished']);
    assert.equal((await history.result('large'))?.length, 300_000);
    const store = await first.services.store();
    const scopes = store.datasets.summaries(dataset.baseUrl).map(({ scope, items }) => `${scope} ${items}`);
    assert.deepEqual(scopes.sort(), ['again 1', 'empty 0', 'playground 4']);
    assert.deepEqual(
      jobsOf(store)
        .list()
        .map(({ id }) => id),
      ['j1'],
    );
    const spent = async ({ services }: typeof first) =>
      (await services.guard()).spending(dataset.baseUrl).workspace.spent;
    assert.equal(await spent(first), '1.25');
    assert.deepEqual(workspaceState.keys(), []);
    for (const left of ['ledger.jsonl', 'uploads.jsonl', 'history/runs.jsonl', 'jobs/j1.jsonl'])
      await assert.rejects(fs.access(path.join(folder, left)), left);
    // As if the window had been killed before it forgot what it took over.
    await workspaceState.update('modelBench.spent', { spent: { [dataset.baseUrl]: '1.25' } });
    for (const one of first.subscriptions) one.dispose();
    await store.close();
    const second = startWindow();
    assert.equal(await spent(second), '1.25');
    assert.equal((await second.services.history()).count(), 3);
    opened.push(await second.services.store());
    for (const one of second.subscriptions) one.dispose();
    assert.deepEqual(warnings, []);
  });
});
