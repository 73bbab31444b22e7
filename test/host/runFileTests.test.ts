import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { registerTests } from '../../src/features/runFiles/index';
import { runTests } from '../../src/features/runFiles/testRun';
import { TestTree } from '../../src/features/runFiles/testTree';
import type { Services } from '../../src/services';
import { eventually } from '../support/eventually';

const COUNT = 2000;
const tested = { version: 1, model: 'm', input: { text: 'a' }, expect: [{ status: 'finished' }] };

describe('Run files as tests', () => {
  const make = vscode.tests.createTestController;
  const search = vscode.workspace.findFiles;
  let root: string;
  let controllers: vscode.TestController[];
  let registered: vscode.Disposable | undefined;
  /** Searches of the workspace that have ended. */
  let searches = 0;

  before(() => {
    root = path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'runs');
  });
  beforeEach(async () => {
    controllers = [];
    searches = 0;
    vscode.tests.createTestController = (id, label) => {
      const made = make(`${id}.${randomUUID()}`, label);
      controllers.push(made);
      return made;
    };
    // A server that was installed without native modules has no search.
    const walk = async () =>
      (await readdir(root, { recursive: true }))
        .filter((name) => name.endsWith('.run.json'))
        .map((name) => vscode.Uri.file(path.join(root, name)));
    vscode.workspace.findFiles = async (...args) => {
      const found = await search(...args).then((uris) => uris, walk);
      searches += 1;
      return found;
    };
    await mkdir(root, { recursive: true });
  });
  afterEach(async () => {
    registered?.dispose();
    vscode.tests.createTestController = make;
    vscode.workspace.findFiles = search;
    await rm(root, { recursive: true });
  });

  /** Every access to the services, even to the service itself, comes too early. */
  const untouched = () =>
    new Proxy({} as Services, {
      get: (_, name) =>
        name === 'log' ? { warn: assert.fail } : assert.fail(`${String(name)} was asked for`),
    });
  const register = () => {
    registered = registerTests(untouched());
  };
  const write = (name: string, content: object) =>
    writeFile(path.join(root, name), JSON.stringify(content, null, 2));
  /** The newest; the extension itself, which is active here, may also create one. */
  const controller = async () => {
    await eventually(() => controllers.length > 0);
    return controllers.at(-1) ?? assert.fail('no controller was made');
  };
  const testsIn = (items: vscode.TestItemCollection): vscode.TestItem[] =>
    [...items].flatMap(([, item]) => (item.children.size > 0 ? testsIn(item.children) : [item]));

  it('show no Testing icon before a file has expectations', async () => {
    const { expect: _, ...plain } = tested;
    await write('plain.run.json', plain);
    register();
    // The workspace is searched after the start.
    await eventually(() => searches > 0);
    // It is read meanwhile, and once more when it is opened.
    await vscode.workspace.openTextDocument(path.join(root, 'plain.run.json'));
    await vscode.workspace.fs.readFile(vscode.Uri.file(path.join(root, 'plain.run.json')));
    assert.equal(controllers.length, 0);
    await write('tested.run.json', tested);
    await vscode.workspace.openTextDocument(path.join(root, 'tested.run.json'));
    const { items, resolveHandler } = await controller();
    await resolveHandler!(undefined);
    assert.deepEqual(
      testsIn(items).map(({ label }) => label),
      ['tested.run.json'],
    );
  });

  it('run once each, without those that a run excludes by themselves or with their folder', async () => {
    await mkdir(path.join(root, 'nested'));
    for (const name of ['a', 'b', 'nested/c', 'nested/d']) await write(`${name}.run.json`, tested);
    register();
    const made = await controller();
    const { items } = made;
    const tree = new TestTree(made);
    await tree.list();
    const all = testsIn(items);
    const named = (label: string) => all.find((item) => item.label === `${label}.run.json`)!;
    const labels = async (include: vscode.TestItem[] | undefined, exclude: vscode.TestItem[]) =>
      (await tree.testsOf(new vscode.TestRunRequest(include, exclude))).map(({ label }) => label[0]).sort();
    const nested = named('c').parent!;
    assert.deepEqual(await labels(undefined, []), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await labels(undefined, [named('b'), nested]), ['a']);
    assert.deepEqual(await labels([nested, named('c')], [named('d')]), ['c']);
    assert.deepEqual(await labels([named('a')], [named('a')]), []);
    tree.dispose();
  });

  it('end as skipped when their run is cancelled before it began, without reading, asking or sending', async () => {
    await write('a.run.json', tested);
    register();
    const made = await controller();
    const tree = new TestTree(made);
    await tree.list();
    const items = testsIn(made.items);
    const ended: string[] = [];
    const begin = made.createTestRun.bind(made);
    made.createTestRun = (...args) => {
      const run = begin(...args);
      for (const outcome of ['skipped', 'passed', 'failed', 'errored', 'started'] as const)
        run[outcome] = (item: vscode.TestItem) => ended.push(`${outcome} ${item.label}`);
      return run;
    };
    const cancelled = new vscode.CancellationTokenSource();
    cancelled.cancel();
    await runTests(untouched(), made, new vscode.TestRunRequest(items), items, cancelled.token);
    assert.deepEqual(ended, ['skipped a.run.json']);
    tree.dispose();
  });

  it(`appear in the list, all ${COUNT} of them, without a request to the service`, async () => {
    for (let at = 0; at < COUNT; at++) await write(`${at}.run.json`, { ...tested, model: `model-${at}` });
    register();
    const { items, resolveHandler } = await controller();
    await resolveHandler!(undefined);
    assert.equal(testsIn(items).length, COUNT);
  });

  it('follow their folder where it is moved in, renamed and removed', async () => {
    const inside = path.join(root, '..', `outside-${randomUUID()}`);
    await mkdir(path.join(inside, 'deep'), { recursive: true });
    await writeFile(path.join(inside, 'deep', 'moved.run.json'), JSON.stringify(tested));
    await write('stays.run.json', tested);
    register();
    const made = await controller();
    const { items } = made;
    const tree = new TestTree(made);
    await tree.list();
    const folders = () =>
      testsIn(items)
        .map(({ uri }) => path.relative(root, uri!.fsPath).split(path.sep).join('/'))
        .filter((name) => !name.startsWith('..'))
        .sort();
    try {
      await eventually(() => folders().join() === 'stays.run.json');
      await rename(inside, path.join(root, 'one'));
      await eventually(() => folders().join() === 'one/deep/moved.run.json,stays.run.json');
      await rename(path.join(root, 'one'), path.join(root, 'two'));
      await eventually(() => folders().join() === 'stays.run.json,two/deep/moved.run.json');
      await rm(path.join(root, 'two'), { recursive: true });
      await eventually(() => folders().join() === 'stays.run.json');
    } finally {
      tree.dispose();
      await rm(inside, { recursive: true, force: true });
    }
  });
});
