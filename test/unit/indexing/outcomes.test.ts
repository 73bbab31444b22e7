import assert from 'node:assert/strict';
import { indexJobs } from '../../../src/indexing/indexJobs';
import type { IndexItem } from '../../../src/indexing/indexKind';
import { placedId } from '../../../src/intake/imageIds';
import type { IndexedFile } from '../../../src/store/items';
import type { Store } from '../../../src/store/store';
import { JOB as HEAD, fileOfJob as itemOf } from '../../support/folderInMemory';
import { itemNamed } from '../../support/store/samples';

describe('The outcomes of indexing jobs', () => {
  function outcomesOver(...known: IndexedFile[]) {
    const recorded: IndexedFile[] = [];
    const datasets = {
      find: (_: unknown, imageId: string) => known.find((item) => item.imageId === imageId),
      recordNow: (items: readonly IndexedFile[]) => recorded.push(...items),
    };
    const store = {
      datasets,
      jobs: (_kind: unknown, outcomes: unknown) => ({ outcomes }),
    } as unknown as Store;
    return { outcomes: indexJobs(store).outcomes, recorded };
  }
  const known = (more: Partial<IndexedFile> = {}) =>
    itemNamed('1.png', {
      file: 'file:///1.png',
      sha256: 'hash 1',
      sizeBytes: 10,
      modifiedMs: 1,
      at: 50,
      ...more,
    });

  it('replace no file of the service when they were never sent', () => {
    for (const [before, takes] of [
      [undefined, true],
      ['failed', true],
      ['indexed', false],
      ['unknown', false],
    ] as const) {
      const { outcomes, recorded } = outcomesOver(...(before ? [known({ outcome: before })] : []));
      outcomes.record(HEAD, [itemOf(1, { state: 'failed' })], {});
      assert.equal(recorded.length, takes ? 1 : 0, before);
    }
    const { outcomes, recorded } = outcomesOver(known({ file: 'file:///other.png', sha256: 'else' }));
    outcomes.record(HEAD, [itemOf(1, { state: 'failed' })], {});
    assert.deepEqual(
      recorded.map(({ imageId }) => imageId),
      [placedId('1.png', 'file:///1.png')],
    );
  });

  it('count as done if another job has indexed the same content, unless the user asks to index it again', () => {
    const isDone = (item: Partial<IndexItem>, before?: Partial<IndexedFile>) =>
      outcomesOver(...(before ? [known(before)] : [])).outcomes.isDone(HEAD, itemOf(1, item));
    assert.equal(isDone({}), false);
    assert.equal(isDone({}, {}), true);
    assert.equal(isDone({}, { outcome: 'failed' }), false);
    assert.equal(isDone({}, { outcome: 'unknown' }), true);
    assert.equal(isDone({ unconfirmedAt: 50 }, { outcome: 'unknown' }), false);
    assert.equal(isDone({ unconfirmedAt: 49 }, { outcome: 'unknown' }), true);
    assert.equal(isDone({ unconfirmedAt: 50 }, {}), true, 'it is indexed by now');
    assert.equal(isDone({ sha256: 'else' }, {}), false);
    assert.equal(isDone({ sha256: 'hash 1', sizeBytes: 3, modifiedMs: 4 }, {}), true);
    const unread = { sha256: undefined };
    assert.equal(isDone(unread, {}), true);
    assert.equal(isDone({ ...unread, sizeBytes: 3 }, {}), false);
    assert.equal(isDone({ ...unread, modifiedMs: 3 }, {}), false);
  });

  it('get an ID of their own when another job has indexed another file under theirs', () => {
    const renamed = (item: Partial<IndexItem>, before: Partial<IndexedFile>) =>
      outcomesOver(known(before)).outcomes.renamed?.(HEAD, itemOf(1, item));
    const own = { imageId: placedId('1.png', 'file:///1.png') };
    const other = { file: 'file:///other.png', sha256: 'else' };
    assert.deepEqual(renamed({}, other), own);
    assert.equal(renamed({}, {}), undefined);
    assert.equal(renamed({}, { ...other, sha256: 'hash 1' }), undefined);
    assert.equal(renamed({ replaces: 'file:///other.png' }, other), undefined);
    assert.equal(outcomesOver().outcomes.renamed?.(HEAD, itemOf(1)), undefined);
    const { outcomes } = outcomesOver(known(other), { ...known(), ...own });
    assert.equal(outcomes.isDone(HEAD, itemOf(1)), true, 'under that id it is done');
  });
});
