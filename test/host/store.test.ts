import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { openOwnStore } from '../../src/platform/ownStore';
import { type Store, storeFolder } from '../../src/store/store';
import { root } from '../support/paths';

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
  const context = () =>
    ({
      globalStorageUri: vscode.Uri.file(folder),
      asAbsolutePath: (file: string) => path.join(root, file),
    }) as unknown as vscode.ExtensionContext;
  const open = async () => {
    const store = await openOwnStore(context(), log);
    opened.push(store);
    return store;
  };
  const file = () => path.join(storeFolder(folder), 'model-bench.db');

  it('opens without a warning of Node.js', async () => {
    await open();
    assert.deepEqual([warnings, shown], [[], []]);
  });

  it('reports a file that is no database, and leaves it unchanged', async () => {
    await fs.mkdir(path.dirname(file()), { recursive: true });
    await fs.writeFile(file(), 'the only copy of something'.repeat(500));
    await assert.rejects(open(), { kind: 'damaged' });
    assert.equal(shown.length, 1);
    assert.match(String(shown[0]![0]), /is damaged\. Nothing was deleted/);
    assert.match(await fs.readFile(file(), 'utf8'), /only copy/);
  });
});
