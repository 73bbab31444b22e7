import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { IndexFile } from '../../../src/indexing/indexFile';
import { KnownFiles } from '../../../src/indexing/knownFiles';
import { Turns } from '../../../src/service/turns';
import type { KnownFile } from '../../../src/store/itemPages';
import { useStoreFolder } from '../../support/store/openStore';
import { dataset, itemNamed } from '../../support/store/samples';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const items = fc.uniqueArray(
  fc.record({ id: name, file: name, outcome: fc.constantFrom('indexed', 'failed', 'unknown') }),
  { selector: ({ id }) => id, maxLength: 4 },
);

describe('What is known of a file under its URI', () => {
  const use = useStoreFolder();

  it('is of its own id first, else indexed, whether it is looked up or the dataset is read', async () => {
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
        await store.datasets.record([...others, ...wanted], 'eventual');
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

function fileAt(uri: string, imageId: string): IndexFile {
  const open = () => assert.fail('It was read.');
  return { uri, imageId, filename: imageId, contentType: 'image/png', sizeBytes: 10, modifiedMs: 1, open };
}

/** Its own id, then an indexed one, then any. */
function rankFor(file: IndexFile, { imageId, outcome }: KnownFile): number {
  return imageId === file.imageId ? 0 : outcome === 'indexed' ? 1 : 2;
}
