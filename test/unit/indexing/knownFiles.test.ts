import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { IndexFile } from '../../../src/indexing/indexFile';
import { KnownFiles } from '../../../src/indexing/knownFiles';
import { MovedFiles } from '../../../src/indexing/movedFiles';
import { Turns } from '../../../src/service/turns';
import type { KnownFile } from '../../../src/store/itemPages';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed } from '../../support/store/samples';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const items = fc.uniqueArray(
  fc.record({ id: name, file: name, outcome: fc.constantFrom('indexed', 'failed', 'unknown') }),
  { selector: ({ id }) => id, maxLength: 4 },
);

describe('The record of a file under its URI', () => {
  const use = useStoreFolder();

  it('prefers its own ID, then an indexed one, both by look-ups and by reading the dataset', async () => {
    const store = await use.open();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(items, fc.uniqueArray(name), async (known, names) => {
        const own = { ...dataset, scope: `known-${n++}` };
        const uriOf = (file: string) => `file:///files/${own.scope}/${file}`;
        const others = Array.from({ length: 40 }, (_, i) => itemNamed(`other/${i}`, own));
        const wanted = known.map(({ id, file, outcome }) =>
          itemNamed(id, { ...own, file: uriOf(file), outcome }),
        );
        await store.datasets.record([...others, ...wanted]);
        const files = names.map((imageId) => fileAt(uriOf(imageId), imageId));
        const look = (list: readonly IndexFile[]) =>
          new KnownFiles(store.datasets, own, new Turns()).byUri(list);
        const readAll = await look([...files, ...others.map(({ file, imageId }) => fileAt(file, imageId))]);
        for (const [at, file] of files.entries()) {
          const ranks = wanted
            .filter((item) => item.file === file.uri)
            .map((item) => rankFor(file, item))
            .sort();
          const found = [(await look([file]))[0], readAll[at]];
          assert.deepEqual(
            found.map((one) => one && rankFor(file, one)),
            [ranks[0], ranks[0]],
          );
          for (const one of found) assert.equal(one?.file, ranks.length > 0 ? file.uri : undefined);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('The known files of a dataset', () => {
  const use = useStoreFolder();

  it('exclude the same files of other scopes, models and services', async () => {
    const store = await use.open();
    const others = [{ scope: 'other' }, { model: 'other' }, { baseUrl: 'https://b.example' }];
    const file = 'file:///files/one';
    for (const other of others) await store.datasets.record([itemNamed('one', { ...other, file })]);
    const of = (more: object = {}) => new KnownFiles(store.datasets, { ...dataset, ...more }, new Turns());
    const one = fileAt(file, 'one');
    assert.deepEqual(
      [of().isEmpty, of({ scope: 'other' }).isEmpty, of({ scope: 'none' }).isEmpty],
      [true, false, true],
    );
    assert.deepEqual([await of().byUri([one]), (await of().byId([one])).size], [[undefined], 0]);
    // The file has another id here, so that it is looked up by its URI.
    const many = Array.from({ length: 20 }, (_, n) => itemNamed(`${n}`));
    await store.datasets.record([...many, itemNamed('own', { file, outcome: 'failed' })]);
    for (const rest of [[], many.map((item) => fileAt(item.file, item.imageId))]) {
      const [found, ...known] = await of().byUri([one, ...rest]);
      assert.deepEqual([found?.imageId, found?.outcome], ['own', 'failed'], `beside ${rest.length}`);
      assert.deepEqual(
        known.map((item) => item?.imageId),
        rest.map(({ imageId }) => imageId),
      );
      assert.equal((await of({ scope: 'other' }).byUri([one, ...rest]))[0]?.imageId, 'one');
    }
  });

  it('return the records under the given IDs', async () => {
    const store = await use.open();
    const many = Array.from({ length: 60 }, (_, n) => itemNamed(`${n}`));
    await store.datasets.record(many);
    const of = new KnownFiles(store.datasets, dataset, new Turns());
    for (const count of [3, 40]) {
      const files = [...many.slice(0, count).map(({ imageId }) => fileAt('file:///elsewhere', imageId))];
      const found = await of.byId([...files, fileAt('file:///files/1', 'unknown')]);
      assert.deepEqual([...found.keys()].toSorted(), files.map(({ imageId }) => imageId).toSorted());
      assert.equal(found.get('2')?.file, 'file:///files/2');
    }
  });
});

describe('A file that was moved', () => {
  const use = useStoreFolder();

  it('prefers the same place in another spelling, then the same size, name and folder, then the same name', async () => {
    const store = await use.open();
    const at = (imageId: string, path: string, sizeBytes = 10) =>
      itemNamed(imageId, { file: `file:///${path}`, sizeBytes });
    await store.datasets.record([
      at('name', 'x/y/pic.png'),
      at('folder', 'old/holiday/pic.png'),
      at('spelling', 'New/Holiday/PIC.png', 11),
      at('another size', 'x/holiday/pic.png', 11),
      at('another name', 'new/holiday/pic2.png'),
      at('longer name', 'new/holiday/mypic.png'),
    ]);
    const file = { ...fileAt('file:///new/holiday/pic.png', 'pic'), sizeBytes: 10 };
    const moved = await MovedFiles.of(store.datasets, dataset, [file]);
    const ids = (of: IndexFile) => moved.candidates(of).map(({ imageId }) => imageId);
    assert.deepEqual(ids(file), ['spelling', 'folder', 'name']);
    assert.deepEqual(ids({ ...file, sizeBytes: 12 }), ['spelling']);
    assert.deepEqual(ids(fileAt('file:///nowhere/other.png', 'other')), []);
    const top = { ...fileAt('file:///pic.png', 'pic'), sizeBytes: 11 };
    assert.deepEqual(ids(top).toSorted(), ['another size', 'spelling']);
  });

  it('compares only a few files of a common name', async () => {
    const store = await use.open();
    const many = Array.from({ length: 30 }, (_, n) => itemNamed(`${n}`, { file: `file:///${n}/in/a.png` }));
    await store.datasets.record(many);
    const file = { ...fileAt('file:///new/in/a.png', 'a'), sizeBytes: 10 };
    const found = (await MovedFiles.of(store.datasets, dataset, [file])).candidates(file);
    assert.deepEqual(
      found.map(({ imageId }) => imageId),
      ['0', '1', '2', '3', '4', '5', '6', '7'],
    );
  });
});

function fileAt(uri: string, imageId: string): IndexFile {
  const open = () => assert.fail('It was read.');
  return { uri, imageId, filename: imageId, contentType: 'image/png', sizeBytes: 10, modifiedMs: 1, open };
}

/** Its own id, then an indexed one, then any. */
function rankFor(file: IndexFile, { imageId, outcome }: KnownFile): number {
  return imageId === file.imageId ? 0 : outcome === 'indexed' ? 1 : 2;
}
