import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RawResponse } from '../../src/domain/response';
import type { PastRun } from '../../src/domain/runRecord';
import { modelTooltip } from '../../src/features/catalog/nodes';
import { Estimates } from '../../src/runs/estimates/estimates';
import { ServiceError } from '../../src/service/errors';
import { gate } from '../support/gate';
import { isPlain } from '../support/hostileText';
import { contract, model, useCatalog } from './useCatalog';

const raw: RawResponse = {
  status: 200,
  contentType: 'application/json',
  headers: {},
  bytes: new TextEncoder().encode('[1]'),
};

describe('The tree of the catalog', () => {
  const suite = useCatalog();
  const { labels, roots } = suite;

  it('lists favourites first, out of their groups, until they are removed', async () => {
    const { service, store, tree } = suite.catalog;
    const group = (slug: string, name: string) => model(slug, { group: name });
    service.pages = [{ models: [group('a', 'Image'), group('b', 'Text'), group('c', 'Text')] }];
    await store.active.refresh();
    assert.deepEqual(await roots(), ['Image', 'Text']);
    await tree.toggleFavourite(model('c'));
    assert.deepEqual(await roots(), ['Model c', 'Image', 'Text']);
    const [favourite] = await tree.getChildren();
    assert.match(tree.getTreeItem(favourite!).contextValue ?? '', / favourite$/);
    await tree.toggleFavourite(model('c'));
    assert.deepEqual(await roots(), ['Image', 'Text']);
  });

  it('shows missing and unreadable entries in rows of their own, which open the response', async () => {
    const { service, store, tree, warned } = suite.catalog;
    service.pages = [
      { models: [model('a')], unrecognised: raw },
      { models: [model('b')], unrecognised: raw, incomplete: { reason: 'repeats' } },
    ];
    await store.active.refresh();
    const nodes = await tree.getChildren();
    assert.deepEqual(labels(nodes), [
      'Some catalog entries could not be read. Click to open the raw response.',
      'The catalog’s pages repeat, so loading stopped.',
      'Model a',
      'Model b',
    ]);
    assert.equal(tree.getTreeItem(nodes[0]!).command?.command, 'modelBench.showMore');
    assert.equal(warned.filter((line) => line.startsWith('Catalog: ')).length, 2);
  });

  it('shows a failure as a row with its next step, and the list again once it comes', async () => {
    const { service, store, tree } = suite.catalog;
    service.pages = [new ServiceError('badKey')];
    await roots();
    const [row, ...more] = await tree.getChildren();
    assert.equal(more.length, 0);
    const item = tree.getTreeItem(row!);
    assert.equal(item.label, 'The service does not accept the API key.');
    assert.equal(item.command?.command, 'modelBench.setApiKey');
    await tree.getChildren();
    assert.equal(service.listed, 1, 'drawing the row again asks for nothing');
    service.pages = [new ServiceError('unreachable')];
    await store.active.refresh().catch(() => undefined);
    const again = tree.getTreeItem((await tree.getChildren())[0]!);
    assert.equal(again.command?.command, 'modelBench.refresh', 'trying again is a refresh');
    service.pages = [{ models: [model('a')] }];
    await store.active.refresh();
    assert.deepEqual(await roots(), ['Model a']);
  });

  it('says that models are loading, and asks no service without a key', async () => {
    const { service, tree } = suite.catalog;
    const { opened, open } = gate();
    service.pages = [opened, { models: [model('a')] }];
    assert.deepEqual(labels(await tree.getChildren()), ['Loading the models of Staging…']);
    open();
    assert.deepEqual(await roots(), ['Model a']);
    service.key = false;
    assert.deepEqual(await tree.getChildren(), []);
    assert.equal(service.listed, 1);
  });

  it('groups where there is more than one group, and opens the groups of a filter’s finds', async () => {
    const { service, store, tree } = suite.catalog;
    const many = Array.from({ length: 30 }, (_, at) => model(`m${at}`, { group: at % 2 ? 'Image' : 'Text' }));
    service.pages = [{ models: [...many, model('alone')] }];
    await store.active.refresh();
    const groups = await tree.getChildren();
    assert.deepEqual(labels(groups), ['Text', 'Image', 'Other']);
    assert.deepEqual(
      groups.map((group) => tree.getTreeItem(group).description),
      ['15', '15', '1'],
    );
    const state = () => tree.getTreeItem(groups[0]!).collapsibleState;
    assert.equal(state(), vscode.TreeItemCollapsibleState.Collapsed);
    tree.filter = 'm1 text';
    assert.equal(state(), vscode.TreeItemCollapsibleState.Expanded);
    // One group is no group.
    assert.deepEqual(await roots(), ['Model m10', 'Model m12', 'Model m14', 'Model m16', 'Model m18']);
    tree.filter = '';
    assert.deepEqual(labels(await tree.getChildren()), ['Text', 'Image', 'Other']);
  });

  it('requests a model’s detail once, when its row is opened, and lists the model’s modes', async () => {
    const { service, tree } = suite.catalog;
    service.pages = [{ models: [model('a')] }];
    await roots();
    const [row] = await tree.getChildren();
    assert.equal(service.details, 0);
    const modes = await tree.getChildren(row);
    assert.deepEqual(labels(modes), ['index', 'search']);
    assert.deepEqual(tree.getTreeItem(modes[1]!).command?.arguments, [
      { model: 'a', mode: 'search', preview: true },
    ]);
    await tree.getChildren(row);
    assert.equal(service.details, 1);
  });

  it('reports the rows of models, each of them the same, when modes or runs become known', async () => {
    const { service, tree } = suite.catalog;
    const all: Record<string, PastRun[]> = {};
    const past = (_baseUrl: string, slug: string) => all[slug] ?? [];
    let ran = () => {};
    const onDidChange = (listener: () => void) => {
      ran = listener;
      return () => undefined;
    };
    suite.catalog.estimates = async () => new Estimates([{ past, onDidChange }]);
    service.pages = [{ models: [model('a'), model('b'), model('c')] }];
    service.detail = (slug) => ({ ...contract(slug), modesDeclared: true });
    const one: PastRun = { startedAt: 0, finishedAt: 1_000, state: 'finished', items: 0 };
    await roots();
    const rows = await tree.getChildren();
    const [a, b] = rows;
    labels(rows);
    const drawn = new Promise<unknown>((resolve) => tree.onDidChangeTreeData(resolve));
    await tree.getChildren(a);
    all.b = [one, one];
    ran();
    const changed = (await drawn) as unknown[];
    assert.ok(rows.every((row) => changed.includes(row)));
    assert.match(String(tree.getTreeItem(a!).contextValue), /index search/);
    assert.equal(tree.getTreeItem(b!).description, '2 runs · b');
  });

  it('says why a detail cannot be had, in the place of the modes', async () => {
    const { service, tree } = suite.catalog;
    service.pages = [{ models: [model('a')] }];
    service.detail = () => {
      throw new ServiceError('notFound');
    };
    await roots();
    const [row] = await tree.getChildren();
    assert.deepEqual(labels(await tree.getChildren(row)), [
      'Not found on the service: it may have been renamed or removed.',
    ]);
  });

  it('bears ten thousand models: shows a page of them, and finds one', async () => {
    const { service, store, tree } = suite.catalog;
    service.pages = [{ models: Array.from({ length: 10_000 }, (_, at) => model(`filler-${at}`)) }];
    await store.active.refresh();
    const rows = await tree.getChildren();
    for (const row of rows) tree.getTreeItem(row);
    // A page at a time, and each with how many are left.
    assert.equal(rows.length, 1001);
    assert.equal(labels(rows).at(-1), 'Show more (9000 left)');
    const more = tree.getTreeItem(rows.at(-1)!).command!;
    await vscode.commands.executeCommand(more.command, ...more.arguments!);
    assert.equal((await tree.getChildren()).length, 2001);
    tree.filter = 'filler-9999';
    assert.deepEqual(await roots(), ['Model filler-9999']);
  });

  it('shows a service’s markup as plain text', () => {
    const { tree } = suite.catalog;
    const evil = '<img src=x> $(trash) [link](command:workbench.action.quit) **bold**';
    const shown = modelTooltip(model('evil', { name: evil, description: evil, tags: [evil] }));
    assert.ok(!shown.isTrusted && !shown.supportHtml);
    assert.doesNotMatch(shown.value, /(?<!\\)\[link\]|(?<!\\)\$\(trash\)|(?<!\\)\*\*bold/);
    const label = tree.getTreeItem({
      kind: 'model',
      model: model('evil', { name: evil }),
    }).label;
    assert.equal(String(label).replaceAll('\u2060', ''), evil);
    assert.ok(isPlain(String(label)));
  });
});
