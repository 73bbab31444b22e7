import assert from 'node:assert/strict';
import { foldedPlace } from '../../../src/indexing/filePlaces';
import type { IndexFile } from '../../../src/indexing/indexFile';
import { pathId, placedId } from '../../../src/intake/imageIds';
import { FolderInMemory, sha256 } from '../../support/folderInMemory';

const A = 'file:///one/a.png';
const B = 'file:///two/a.png';

describe('The id of a file', () => {
  let folder: FolderInMemory;
  beforeEach(() => {
    folder = new FolderInMemory();
  });

  it('equals its path if no other file has that path', async () => {
    const { ids, found, separate } = await folder.identify(
      folder.file(A, 'a.png', 'x'),
      folder.file(B, 'b.png', 'y'),
    );
    assert.deepEqual([ids, separate, folder.opened], [['a.png', 'b.png'], [], []]);
    assert.equal(found[0]!.before, undefined);
  });

  it('uses slashes and composed characters on every system, and a short hash when its path is not enough', () => {
    assert.equal(pathId('a\\b/e\u0301.png'), 'a/b/\u00e9.png');
    assert.match(placedId('a\\b.png', A), /^a\/b\.png-[0-9a-f]{8}$/);
    assert.notEqual(placedId('a.png', A), placedId('a.png', B));
    assert.equal(placedId('a.png', A), placedId('a.png', A));
  });

  it('differs from that of another file of the same path, in one plan or known before', async () => {
    const own = placedId('a.png', B);
    const both = [folder.file(A, 'a.png', 'x'), folder.file(B, 'a.png', 'yy')] as const;
    const first = await folder.identify(...both);
    assert.deepEqual(first.ids, ['a.png', own]);
    assert.deepEqual(first.separate, [{ uri: B, imageId: own, owner: A }]);
    const later = new FolderInMemory().has(A, 'a.png', 'x');
    const second = await later.identify(later.file(B, 'a.png', 'yy'));
    assert.deepEqual([second.ids, second.separate], [[own], [{ uri: B, imageId: own, owner: A }]]);
    assert.deepEqual(later.opened, [], 'another size says enough');
  });

  it('stays the same from any opened folder, without reading the file', async () => {
    folder.has(A, 'one/a.png', 'x');
    const { ids, found } = await folder.identify(folder.file(A, 'a.png'));
    assert.deepEqual([ids, found[0]!.before?.imageId, folder.opened], [['one/a.png'], 'one/a.png', []]);
    assert.equal(found[0]!.file.replaces, undefined);
  });

  it('stays the same through a link and another spelling, and each file appears once', async () => {
    const link = 'file:///link/a.png';
    folder.has(A, 'one/a.png', 'x');
    folder.links.add([A, link].sort().join());
    const { ids, found } = await folder.identify(folder.file(link, 'link/a.png', 'x'));
    assert.deepEqual(ids, ['one/a.png']);
    assert.equal(found[0]!.file.replaces, A);
    const upper = 'file:///ONE/a.png';
    folder.links.add([A, upper].sort().join());
    const both = await folder.identify(folder.file(A, 'one/a.png'), folder.file(upper, 'ONE/a.png', 'x'));
    assert.deepEqual(both.ids, ['one/a.png']);
    folder.links.clear();
    const apart = await folder.identify(folder.file(A, 'one/a.png'), folder.file(upper, 'ONE/a.png', 'x'));
    assert.deepEqual(apart.ids, ['one/a.png', 'ONE/a.png'], 'on a disk that tells cases apart');
    assert.equal(foldedPlace(upper), foldedPlace(A));
  });

  it('moves with its file, which is known by its content and name once its place is gone', async () => {
    folder.knows('file:///old/a.png', 'old/a.png', 'same');
    const { ids, found } = await folder.identify(folder.file('file:///new/a.png', 'new/a.png', 'same'));
    assert.deepEqual([ids, found[0]!.file.replaces], [['old/a.png'], 'file:///old/a.png']);
    assert.equal(found[0]!.file.sha256, sha256('same'));
    for (const [uri, content] of [
      ['file:///new/b.png', 'same'],
      ['file:///new/a.png', 'else'],
      ['file:///new/a.png', 'longer'],
    ] as const) {
      const other = new FolderInMemory().knows('file:///old/a.png', 'old/a.png', 'same');
      assert.deepEqual(
        (await other.identify(other.file(uri, 'new', content))).ids,
        ['new'],
        `${uri} ${content}`,
      );
    }
    const copied = new FolderInMemory().has('file:///old/a.png', 'old/a.png', 'same');
    const copy = await copied.identify(copied.file('file:///new/a.png', 'new/a.png', 'same'));
    assert.deepEqual(copy.ids, ['new/a.png'], 'a copy is a file of its own');
  });

  it('belongs to all files of its path and content, and passes to another when one is deleted', async () => {
    folder.has(A, 'a.png', 'same');
    const shared = await folder.identify(folder.file(B, 'a.png', 'same'));
    assert.deepEqual([shared.ids, shared.found[0]!.isShared, shared.replacing], [['a.png'], true, []]);
    const gone = new FolderInMemory().knows(A, 'a.png', 'old');
    const taken = await gone.identify(gone.file(B, 'a.png', 'new'));
    assert.deepEqual([taken.ids, taken.found[0]!.isShared], [['a.png'], undefined]);
    assert.deepEqual(taken.replacing, [{ uri: B, imageId: 'a.png', owner: A }]);
    assert.equal(taken.found[0]!.file.replaces, A);
    const same = new FolderInMemory().knows(A, 'a.png', 'old');
    const moved = await same.identify(same.file(B, 'a.png', 'old'));
    assert.deepEqual([moved.found[0]!.isShared, moved.replacing], [false, []]);
  });

  it('goes to one file only, even if the old file is gone, or is in the plan under another path', async () => {
    const C = 'file:///three/a.png';
    const gone = new FolderInMemory().knows(A, 'a.png', 'old');
    const two = await gone.identify(gone.file(B, 'a.png', 'new'), gone.file(C, 'a.png', 'newer'));
    assert.deepEqual(two.ids, ['a.png', placedId('a.png', C)]);
    folder.has(A, 'b.png', 'same');
    const { ids, found } = await folder.identify(
      folder.file(A, 'a.png', 'same'),
      folder.file(B, 'b.png', 'same'),
    );
    assert.deepEqual(ids, ['b.png', placedId('b.png', B)]);
    assert.deepEqual(
      found.map(({ isShared }) => isShared),
      [undefined, undefined],
    );
  });
});

describe('A plan of files', () => {
  const parts = ['added', 'changed', 'unchanged', 'failedBefore', 'unknown', 'unreadable'] as const;
  async function partOf(folder: FolderInMemory, file: IndexFile): Promise<string> {
    const plan = await folder.plan([file]);
    return parts.filter((part) => plan[part].length > 0).join();
  }

  it('reads a file only where its size is the same and its time is not', async () => {
    for (const [content, modifiedMs, part, reads] of [
      ['same', 1, 'unchanged', 0],
      ['same', 2, 'unchanged', 1],
      ['else', 2, 'changed', 1],
      ['else', 1, 'unchanged', 0],
      ['longer', 1, 'changed', 0],
      ['', 1, 'unreadable', 0],
    ] as const) {
      const folder = new FolderInMemory().has(A, 'a.png', 'same');
      assert.equal(
        await partOf(folder, folder.file(A, 'a.png', content, modifiedMs)),
        part,
        `${content} ${modifiedMs}`,
      );
      assert.equal(folder.opened.length, reads);
      const touched = part === 'unchanged' && reads > 0;
      assert.deepEqual(
        folder.recorded.map(({ modifiedMs: at, file }) => [at, file]),
        touched ? [[2, A]] : [],
        'what was read once need not be read again',
      );
    }
  });
});
