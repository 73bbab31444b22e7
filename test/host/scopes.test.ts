import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { IndexJobs } from '../../src/features/indexing/jobs';
import type { ScopesNode } from '../../src/features/scopes/nodes';
import { ScopesTree } from '../../src/features/scopes/tree';
import type { Services } from '../../src/services';
import type { Datasets } from '../../src/store/datasets';
import type { IndexedFile } from '../../src/store/items';
import { openStore, type Store } from '../../src/store/store';

const BASE_URL = 'https://models.test';

describe('The scopes view', () => {
  let folder: string;
  let store: Store;
  let datasets: Datasets;
  let tree: ScopesTree;
  let jobs: IndexJobs;
  let revealed: ScopesNode | undefined;

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'scopes-'));
    store = await openStore(path.join(folder, 'store'));
    datasets = store.datasets;
    const never = () => ({ dispose: () => undefined });
    const services = {
      connection: { active: { name: 'test', baseUrl: BASE_URL }, onDidChange: never },
      catalog: { active: { models: [{ slug: 'm', name: 'Model M' }] }, onDidChange: never },
      log: { warn: () => undefined },
      store: async () => store,
    } as unknown as Services;
    jobs = new IndexJobs(services);
    revealed = undefined;
    tree = new ScopesTree({ ...services, jobs }, (row) => {
      revealed = row;
    });
  });
  afterEach(async () => {
    tree.dispose();
    jobs.dispose();
    await store.close();
    await fs.rm(folder, { recursive: true });
  });

  const item = (imageId: string, more: Partial<IndexedFile> = {}): IndexedFile => ({
    ...{
      baseUrl: BASE_URL,
      model: 'm',
      scope: 's',
      imageId,
      sha256: 'x',
      sizeBytes: 4,
      modifiedMs: 1,
      at: 1,
    },
    file: vscode.Uri.file(path.join(folder, imageId)).toString(),
    outcome: 'indexed',
    ...more,
  });
  const labels = (nodes: readonly ScopesNode[]) =>
    nodes.map((node) => {
      const { label, description } = tree.getTreeItem(node);
      return `${String(label)}${typeof description === 'string' && description !== '' ? ` (${description})` : ''}`;
    });
  const open = async (...steps: number[]): Promise<ScopesNode[]> => {
    let nodes = await tree.getChildren();
    for (const step of steps) nodes = await tree.getChildren(nodes[step]);
    return nodes;
  };

  const showMore = async (rows: readonly ScopesNode[]) => {
    const [more] = tree.getTreeItem(rows.at(-1)!).command!.arguments as [() => Promise<void>];
    await more();
  };

  it('shows scope, model, folders and items, with counts and reasons', async () => {
    for (const name of ['a/1.png', 'a/b/2.png', 'top.png']) {
      await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await fs.writeFile(path.join(folder, name), 'same');
      await fs.utimes(path.join(folder, name), 0.001, 0.001);
    }
    await datasets.record([
      item('a/1.png'),
      item('a/b/2.png'),
      item('top.png', { outcome: 'failed', reason: 'broken' }),
    ]);
    assert.deepEqual(labels(await open()), ['s (2 items)']);
    assert.match(labels(await open(0))[0] ?? '', /^Model M \(1 failed, 2 items, /);
    assert.deepEqual(labels(await open(0, 0)), ['Failed (1)', 'a (2)', 'top.png (broken)']);
    assert.deepEqual(labels(await open(0, 0, 0)), ['top.png (broken)']);
    assert.deepEqual(labels(await open(0, 0, 1)), ['b (1)', '1.png']);
    assert.deepEqual(labels(await open(0, 0, 1, 0)), ['2.png']);
  });

  it('shows 10,000 items of one folder a page at a time', async () => {
    await datasets.record(
      Array.from({ length: 10_000 }, (_, n) => item(`${String(n).padStart(5, '0')}.png`)),
    );
    const rows = await open(0, 0);
    assert.equal(rows.length, 501);
    assert.equal(labels(rows).at(-1), 'Show more (9500 left)');
    await showMore(rows);
    const more = await open(0, 0);
    assert.equal(more.length, 1001);
    assert.equal(revealed?.id, more[500]?.id, 'the first new row, for the focus');
    assert.equal(tree.getParent(revealed!)?.id, (await open(0))[0]?.id);
  });

  it('lists names as people count, and folders before items also over several pages', async () => {
    const names = Array.from({ length: 1_200 }, (_, n) => [`folder-${n}/x.png`, `picture-${n}.png`]).flat();
    await datasets.record(names.map((name) => item(name)));
    let rows = await open(0, 0);
    assert.deepEqual(labels(rows).slice(9, 12), ['folder-9 (1)', 'folder-10 (1)', 'folder-11 (1)']);
    for (let more = 0; more < 3; more++) {
      await showMore(rows);
      rows = await open(0, 0);
    }
    // Whether their files still exist is found out afterwards.
    const shown = rows.slice(1_199, 1_203).map((row) => tree.getTreeItem(row).label);
    assert.deepEqual(shown, ['folder-1199', 'picture-0.png', 'picture-1.png', 'picture-2.png']);
    assert.equal(labels(rows).at(-1), 'Show more (400 left)');
  });

  it('shows the files that another window has indexed', async () => {
    await open();
    const drawn = new Promise<void>((resolve) => {
      tree.onDidChangeTreeData((node) => node === undefined && resolve());
    });
    const other = await openStore(path.join(folder, 'store'));
    await other.datasets.record([item('1.png')]);
    await other.close();
    await drawn;
    assert.deepEqual(labels(await open()), ['s (1 item)']);
  });

  it('marks a file that has changed since it was indexed, and one that was deleted', async () => {
    await fs.writeFile(path.join(folder, 'changed.png'), 'other');
    await datasets.record([item('changed.png'), item('gone.png')]);
    const rows = await open(0, 0);
    assert.deepEqual(labels(rows), ['changed.png (changed)', 'gone.png (file deleted)']);
  });
});

describe('Commands of indexing and search', () => {
  it('exist, and have no effect without a job or a scope', async () => {
    const all = await vscode.commands.getCommands(true);
    for (const id of ['indexMedia', 'findSimilar', 'searchScope', 'addScope', 'indexChanges', 'forgetScope'])
      assert.ok(all.includes(`modelBench.${id}`), id);
    await vscode.commands.executeCommand('modelBench.indexChanges');
    await vscode.commands.executeCommand('modelBench.pauseJob');
  });
});
