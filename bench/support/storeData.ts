import type { IndexedFile } from '../../src/store/items';
import { putRun } from '../../src/store/putRun';
import { recordItems } from '../../src/store/recordItems';
import { openStore, type Store } from '../../src/store/store';

export const dataset = { baseUrl: 'https://api.example', model: 'image-similarity', scope: 'playground' };

export function itemAt(n: number): IndexedFile {
  const imageId = `images/folder-${n % 1_000}/picture-${n}.png`;
  return {
    ...dataset,
    imageId,
    file: `file:///home/someone/project/${imageId}`,
    sha256: n.toString(16).padStart(64, '0'),
    sizeBytes: 1_000 + n,
    modifiedMs: 1_700_000_000_000 + n,
    at: 1_700_000_000_000 + n,
    outcome: n % 50 === 0 ? 'failed' : 'indexed',
  };
}

const words = [
  'bicycle',
  'harbour',
  'lantern',
  'meadow',
  'orchard',
  'pepper',
  'quartz',
  'river',
  'saddle',
  'tower',
];

/** A store with a number of items in one dataset, and a number of runs in the history. */
export async function fillStore(folder: string, items: number, runs: number): Promise<Store> {
  const store = await openStore(folder);
  for (let at = 0; at < items; at += 5_000)
    await store.database.write(() =>
      recordItems(
        store.database,
        Array.from({ length: Math.min(5_000, items - at) }, (_, n) => itemAt(at + n)),
      ),
    );
  for (let at = 0; at < runs; at += 1_000)
    await store.database.write(() => {
      for (let n = at; n < Math.min(runs, at + 1_000); n++) putRun(store.database, runAt(n), null);
    });
  return store;
}

function runAt(n: number) {
  const text = Array.from({ length: 12 }, (_, k) => words[(n * 7 + k * k * 3) % 10]).join(' ');
  return {
    ...{ id: `run-${n}`, environment: 'Production', baseUrl: dataset.baseUrl, modelName: 'Sentiment' },
    source: 'panel' as const,
    draft: { model: 'sentiment', mode: 'classify', input: { text: `${text} number${n}` }, params: {} },
    attachments: [],
    startedAt: 1_700_000_000_000 + n,
    state: 'finished' as const,
  };
}
