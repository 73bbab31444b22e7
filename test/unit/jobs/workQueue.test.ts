import assert from 'node:assert/strict';
import { WorkQueue } from '../../../src/jobs/workQueue';
import type { ItemState, JobItem } from '../../../src/store/jobKind';

const planned = (count: number, state: ItemState = 'planned'): JobItem<object>[] =>
  Array.from({ length: count }, (_, index) => ({ index, state }));
const places = (items: readonly JobItem<object>[]) => items.map(({ index }) => index);

describe('The queue of a job', () => {
  let size: number;
  let items: JobItem<object>[];
  let queue: WorkQueue<object>;

  function queueOf(of: JobItem<object>[], prepares = true): WorkQueue<object> {
    items = of;
    queue = new WorkQueue(items, () => size, prepares);
    queue.restart();
    return queue;
  }
  beforeEach(() => {
    size = 3;
  });

  /** Prepares the next item, successfully unless said otherwise. */
  function prepare(succeeds = true): number | undefined {
    const item = queue.takeUnprepared();
    if (item && succeeds) queue.prepared(item);
    if (item) queue.preparationEnded(item);
    return item?.index;
  }

  it('prepares until a batch is full, then sends it', () => {
    queueOf(planned(4));
    for (const place of [0, 1, 2]) {
      assert.equal(queue.next(1), 'prepare');
      assert.equal(prepare(), place);
    }
    assert.equal(queue.next(1), 'run');
    assert.deepEqual(places(queue.takeBatch()), [0, 1, 2]);
    assert.deepEqual(
      items.map(({ state }) => state),
      ['inFlight', 'inFlight', 'inFlight', 'planned'],
    );
    assert.equal(queue.next(1), 'prepare');
  });

  it('sends an incomplete batch once all items are prepared', () => {
    queueOf(planned(2));
    prepare();
    const last = queue.takeUnprepared()!;
    assert.deepEqual([queue.preparing, queue.next(9)], [1, undefined]);
    queue.prepared(last);
    assert.equal(queue.next(9), undefined, 'its preparation has not ended');
    queue.preparationEnded(last);
    assert.deepEqual([queue.preparing, queue.next(9)], [0, 'run']);
    assert.deepEqual(places(queue.takeBatch()), [0, 1]);
    assert.deepEqual([queue.next(9), queue.takeUnprepared(), queue.isDrained], [undefined, undefined, true]);
  });

  it('limits waiting items to three batches and the requests in flight', () => {
    size = 2;
    queueOf(planned(100));
    const waits = { ready: 0, preparing: 0 };
    // A batch of two is always full first, so only running preparations count here.
    while (queue.next(4) === 'prepare' && queue.takeUnprepared()) waits.preparing++;
    assert.equal(waits.preparing, 2 * 3 + 4);
  });

  it('prefers returned parts that were not executed, the latest first', () => {
    queueOf(planned(9));
    for (let n = 0; n < 6; n++) prepare();
    const [first, second] = [queue.takeBatch(), queue.takeBatch()];
    assert.equal(queue.next(0), 'prepare');
    queue.giveBack([first]);
    queue.giveBack([second.slice(0, 1), [], second.slice(1)]);
    assert.ok([...first, ...second].every(({ state }) => state === 'ready'));
    const sent: number[][] = [];
    while (queue.next(0) === 'run') sent.push(places(queue.takeBatch()));
    assert.deepEqual(sent, [[3], [4, 5], [0, 1, 2]]);
    assert.equal(queue.isDrained, false);
  });

  it('makes smaller batches after the service rejected a larger one, with at least one item', () => {
    queueOf(planned(9));
    for (let n = 0; n < 7; n++) prepare();
    queue.capBatch(2);
    queue.capBatch(5);
    assert.deepEqual(places(queue.takeBatch()), [0, 1]);
    size = 1;
    assert.deepEqual(places(queue.takeBatch()), [2]);
    size = 0;
    assert.deepEqual(places(queue.takeBatch()), [3]);
    size = 9;
    assert.deepEqual(places(queue.takeBatch()), [4, 5]);
  });
});
