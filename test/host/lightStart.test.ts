import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { offerInterruptedJobs } from '../../src/features/indexing/interruptedJobs';
import { watchOtherMedia } from '../../src/features/indexing/otherMedia';
import { registerChangeBadges } from '../../src/features/scopes/changeBadges';
import type { Ledger } from '../../src/indexing/ledger';
import { openLedger } from '../../src/indexing/ledger';
import type { LedgerItem } from '../../src/indexing/ledgerItem';
import type { Services } from '../../src/services';

const BASE_URL = 'https://models.test';
/** Longer than every delay after start-up. */
const STARTED_MS = 2_500;

describe('A window that starts', () => {
  const makeWatcher = vscode.workspace.createFileSystemWatcher;
  let folder: string;
  let watched: string[];
  let opened: Ledger | undefined;
  let ledgersRead: number;
  let started: vscode.Disposable[];
  let services: Services;

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'light-start-'));
    const ledgerFile = path.join(folder, 'ledger.jsonl');
    watched = [];
    ledgersRead = 0;
    started = [];
    vscode.workspace.createFileSystemWatcher = (pattern, ...flags) => {
      watched.push(typeof pattern === 'string' ? pattern : `${pattern.baseUri.path} ${pattern.pattern}`);
      return makeWatcher(pattern, ...flags);
    };
    const never = () => ({ dispose: () => undefined });
    const ledgerOpened = new vscode.EventEmitter<Ledger>();
    services = {
      connection: { active: { name: 'test', baseUrl: BASE_URL }, onDidChange: never },
      catalog: { models: undefined, onDidChange: never, cachedContract: async () => undefined },
      context: { globalState: memento(), workspaceState: memento() },
      log: { warn: assert.fail, error: assert.fail },
      jobs: { folder: path.join(folder, 'jobs'), of: assert.fail },
      onDidOpenLedger: ledgerOpened.event,
      ledgerVersion: async () => {
        const found = await fs.stat(ledgerFile).catch(() => undefined);
        return found && `${found.size} ${found.mtimeMs}`;
      },
      ledger: async () => {
        ledgersRead++;
        const ledger = opened ?? (await openLedger(ledgerFile));
        if (!opened) ledgerOpened.fire(ledger);
        opened = ledger;
        return ledger;
      },
    } as unknown as Services;
  });
  afterEach(async () => {
    vscode.workspace.createFileSystemWatcher = makeWatcher;
    for (const one of started) one.dispose();
    await opened?.close();
    opened = undefined;
    await fs.rm(folder, { recursive: true });
  });

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
    ledgersRead = 0;
    await start();
  };
  const record = async (...files: readonly vscode.Uri[]) => {
    const ledger = await openLedger(path.join(folder, 'ledger.jsonl'));
    await ledger.record(
      files.map((uri): LedgerItem => {
        const place = { baseUrl: BASE_URL, model: 'm', scope: 's', imageId: uri.path, file: uri.toString() };
        return { ...place, sha256: 'x', sizeBytes: 4, modifiedMs: 1, at: 1, outcome: 'indexed' };
      }),
    );
    await ledger.close();
  };

  it('reads no ledger and watches no file where nothing was ever indexed', async () => {
    await start();
    assert.deepEqual(watched, []);
    assert.equal(ledgersRead, 0);
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
    assert.deepEqual(watched.sort(), [`${root.path} *`, `${root.path}/pictures [1] **/*`].sort());
  });

  it('reads a ledger without files of this window once, until the ledger changes', async () => {
    await record(vscode.Uri.file('/elsewhere/1.png'));
    await start();
    assert.ok(ledgersRead > 0);
    assert.deepEqual(watched, []);
    await restart();
    assert.equal(ledgersRead, 0, 'known from the last start');
    await record(vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'new.png'));
    await restart();
    assert.equal(watched.length, 1);
  });
});

function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? values.get(key) : fallback) as T,
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    },
  };
}
