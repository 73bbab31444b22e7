import type { Item } from '../../../src/store/items';
import type { JobHead, PlannedItem } from '../../../src/store/jobRows';
import type { RunRecord } from '../../../src/store/runRecord';

export const dataset = { baseUrl: 'https://a.example', model: 'clip', scope: 'playground' };

export function itemNamed(imageId: string, more: Partial<Item> = {}): Item {
  return {
    ...dataset,
    imageId,
    file: `file:///files/${imageId}`,
    sha256: 'ab'.repeat(32),
    sizeBytes: 10,
    modifiedMs: 1_000.5,
    at: 5,
    outcome: 'indexed',
    ...more,
  };
}

export const head: Omit<JobHead, 'id' | 'at'> = {
  ...dataset,
  environment: 'Test',
  modelName: 'CLIP',
  mode: 'index',
  params: { size: 3 },
};

export function planned(count: number): PlannedItem[] {
  return Array.from({ length: count }, (_, n) => ({
    uri: `file:///files/${n}.png`,
    imageId: `${n}.png`,
    filename: `${n}.png`,
    contentType: 'image/png',
    sizeBytes: 10,
    modifiedMs: 1,
  }));
}

export function runNamed(id: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    environment: 'Test',
    baseUrl: dataset.baseUrl,
    modelName: 'Sentiment',
    source: 'panel',
    draft: { model: 'sentiment', mode: 'classify', input: { text: `words of ${id}` }, params: {} },
    attachments: [],
    startedAt: 1_000,
    state: 'finished',
    ...more,
  };
}
