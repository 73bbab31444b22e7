import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { Catalog } from '../../src/connection/catalog';
import { gate } from '../support/gate';
import { memento } from '../support/memory';
import { model, paintNext, useCatalog } from './useCatalog';

describe('The catalog', () => {
  const suite = useCatalog();
  const { roots } = suite;

  it('shows each page when it arrives, and finally all of them', async () => {
    const { service, store } = suite.catalog;
    const { opened, open } = gate();
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    service.pages = [
      { models: [model('a')] },
      paintNext,
      { models: [model('b')] },
      opened,
      { models: [model('c')] },
    ];
    const bIsShown = new Promise((resolve) => store.onDidChange(resolve));
    const listing = store.active.refresh();
    await bIsShown;
    assert.deepEqual(await roots(), ['Model a', 'Model b']);
    open();
    await listing;
    assert.deepEqual(await roots(), ['Model a', 'Model b', 'Model c']);
    assert.equal(service.listed, 1);
  });

  it('lists once for simultaneous requests, and again for a later one', async () => {
    const { service, store } = suite.catalog;
    service.pages = [{ models: [model('a')] }];
    const [one, other] = await Promise.all([store.active.refresh(), store.active.refresh()]);
    assert.equal(one, other);
    assert.equal(service.listed, 1);
    await store.active.refresh();
    assert.equal(service.listed, 2);
  });

  it('takes a model that two pages name as one', async () => {
    const { service, store } = suite.catalog;
    service.pages = [{ models: [model('a')] }, { models: [model('a', { name: 'Newer' }), model('b')] }];
    assert.deepEqual(
      (await store.active.refresh()).map(({ name }) => name),
      ['Newer', 'Model b'],
    );
  });

  it('stays empty without a key, and sends no request', async () => {
    const { service, tree } = suite.catalog;
    service.key = false;
    assert.deepEqual(await tree.getChildren(), []);
    assert.equal(service.listed, 0);
  });

  it('says at once that the models of the next environment are not there yet, in place of the former ones', async () => {
    const { service, tree } = suite.catalog;
    service.pages = [{ models: [model('of-staging')] }];
    assert.deepEqual(await roots(), ['Model of-staging']);
    const { opened, open } = gate();
    service.pages = [opened, { models: [model('of-production')] }];
    service.active = { name: 'Production', baseUrl: 'https://example.com' };
    service.changed.fire();
    assert.deepEqual(suite.labels(await tree.getChildren()), ['Loading the models of Production…']);
    open();
    assert.deepEqual(await roots(), ['Model of-production']);
  });

  it('keeps details on disk for the next start, each environment’s apart, and survives a torn file', async () => {
    const { folder, service, store } = suite.catalog;
    service.pages = [{ models: [model('a', { name: 'As listed' })] }];
    await store.active.refresh();
    assert.equal(
      (await store.active.contract('a')).name,
      'As listed',
      'the list knows the name that the detail leaves out',
    );
    const restarted = () =>
      new Catalog(service.connection, {
        storage: vscode.Uri.file(folder),
        log: {} as never,
        memory: memento(),
      });
    assert.equal((await restarted().active.cachedContract('a'))?.name, 'As listed');
    service.active = { name: 'Production', baseUrl: 'https://example.com' };
    assert.equal(await restarted().active.cachedContract('a'), undefined);
    service.active = { name: 'Staging', baseUrl: 'https://staging.example' };
    const [file] = await readdir(path.join(folder, 'contracts'));
    await writeFile(path.join(folder, 'contracts', file!), '{"slug": "a", "na');
    assert.equal(await restarted().active.cachedContract('a'), undefined);
  });
});
