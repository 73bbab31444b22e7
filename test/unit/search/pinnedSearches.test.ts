import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/domain/runRecord';
import type { PinnedSearches } from '../../../src/features/search/pinnedSearches';
import { type History, openHistory } from '../../../src/runs/history/history';
import type { Services } from '../../../src/services';
import { eventually } from '../../support/eventually';
import { useStoreFolder } from '../../support/store/openStore';
import { stubVSCode } from '../../support/vscodeStub';

const dataset = { baseUrl: 'https://models.test', model: 'similar', scope: 'playground' };
const cat = { uri: 'file:///w/cat.png', filename: 'cat.png', contentType: 'image/png', sizeBytes: 3 };

function search(id: string, more: Partial<RunRecord> = {}): RunRecord {
  const image = { media_ref: cat.uri, filename: cat.filename };
  return {
    id,
    ...{ environment: 'Test', baseUrl: dataset.baseUrl, modelName: 'Similar' },
    draft: { model: 'similar', mode: 'search', scope: 'playground', input: { image }, params: {} },
    attachments: [cat],
    startedAt: Number(id),
    state: 'finished',
    ...more,
  };
}

describe('The pinned searches of a dataset', () => {
  before(stubVSCode);
  const use = useStoreFolder();
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });

  const openWindow = async (): Promise<{ history: History; pinned: PinnedSearches; drawn: () => number }> => {
    const { PinnedSearches } = await import('../../../src/features/search/pinnedSearches');
    const store = await use.open();
    const history = await openHistory(store, { limit: () => 1, log: assert.fail });
    const services = { history: async () => history, log: { warn: assert.fail } } as unknown as Services;
    let drawn = 0;
    const pinned = new PinnedSearches(services, dataset, () => {
      drawn += 1;
    });
    open.push(store, history, { close: () => pinned.dispose() });
    return { history, pinned, drawn: () => drawn };
  };

  it('include those pinned here or in the history, newest first, with their query', async () => {
    const { history, pinned, drawn } = await openWindow();
    const text = { ...search('3').draft, input: { ids: [''], query: [{ id: '', text: 'a cat' }] } };
    await history.put(search('2'));
    await history.put(search('3', { draft: text, attachments: [] }));
    await pinned.pin('2', true);
    await history.mark('3', { pinned: true });
    await eventually(() => pinned.list.length === 2);
    assert.deepEqual(pinned.list, [
      { run: '3', label: 'a cat' },
      { run: '2', label: 'cat.png' },
    ]);
    assert.deepEqual(pinned.pinnedQuery('2'), { kind: 'file', uri: cat.uri, name: 'cat.png' });
    assert.deepEqual(pinned.pinnedQuery('3'), { kind: 'text', text: 'a cat' });
    assert.ok(drawn() > 0);
    await pinned.pin('3', false);
    await eventually(() => pinned.list.length === 1);
    assert.equal(pinned.pinnedQuery('3'), undefined);
  });

  it('leave out runs of other datasets, of other modes, and those without a result', async () => {
    const { history, pinned } = await openWindow();
    const { draft } = search('1');
    const others: Partial<RunRecord>[] = [
      { baseUrl: 'https://elsewhere.test' },
      { draft: { ...draft, model: 'other' } },
      { draft: { ...draft, scope: 'other' } },
      { draft: { ...draft, mode: 'execute' } },
      { state: 'failed' },
    ];
    for (const [at, more] of [...others, {}].entries()) {
      await history.put(search(String(at), more));
      await history.mark(String(at), { pinned: true });
    }
    await eventually(() => pinned.list.length > 0);
    assert.deepEqual(
      pinned.list.map(({ run }) => run),
      [String(others.length)],
    );
  });
});
