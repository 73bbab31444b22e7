import * as z from 'zod/mini';
import { datasetKey } from '../../../src/domain/dataset';
import type { RunRecord } from '../../../src/domain/runRecord';
import type { IndexedFile } from '../../../src/store/items';
import type { JobItem, JobKind } from '../../../src/store/jobKind';
import type { Store } from '../../../src/store/store';

export const dataset = { baseUrl: 'https://a.example', model: 'clip', scope: 'playground' };

export function itemNamed(imageId: string, more: Partial<IndexedFile> = {}): IndexedFile {
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

export const head = {
  ...dataset,
  environment: 'Test',
  modelName: 'CLIP',
  mode: 'index',
  params: { size: 3 },
};

export function planned(count: number): SampleFile[] {
  return Array.from({ length: count }, (_, n) => ({
    uri: `file:///files/${n}.png`,
    imageId: `${n}.png`,
    filename: `${n}.png`,
    contentType: 'image/png',
    sizeBytes: 10,
    modifiedMs: 1,
  }));
}

const fileHead = z.object({
  ...{ id: z.string(), at: z.number(), environment: z.string(), baseUrl: z.string(), model: z.string() },
  ...{ modelName: z.string(), scope: z.string(), mode: z.string(), params: z.record(z.string(), z.json()) },
});
const file = z.object({
  ...{ uri: z.string(), imageId: z.string(), filename: z.string(), contentType: z.string() },
  ...{ sizeBytes: z.number(), modifiedMs: z.number() },
  ...{ sha256: z.optional(z.string()), mediaRef: z.optional(z.string()) },
});
type SampleHead = z.output<typeof fileHead>;
type SampleFile = z.output<typeof file>;

const fileKind: JobKind<SampleHead, SampleFile> = {
  name: 'index',
  head: (value) => fileHead.safeParse(value).data,
  item: (value) => file.safeParse(value).data,
  target: datasetKey,
  key: ({ imageId }) => imageId,
};

/** Jobs with the items of a dataset as outcomes. */
export function jobsOf(store: Store) {
  const { datasets } = store;
  return store.jobs(fileKind, {
    record: (of, items) => datasets.recordNow(items.map((item) => itemOf(of, item))),
    recordLate: (of, items) => datasets.recordNow(items.map((item) => itemOf(of, item))),
    recordedAt: (_job, { imageId }) => datasets.find(dataset, imageId)?.at,
    isDone: ({ at }, { imageId }) => {
      const known = datasets.find(dataset, imageId);
      return known?.outcome === 'indexed' || (known?.outcome === 'unknown' && known.at > at);
    },
  });
}

function itemOf({ baseUrl, model, scope }: SampleHead, item: JobItem<SampleFile>): IndexedFile {
  const { imageId, uri, sha256 = '', sizeBytes, modifiedMs, mediaRef, at = 0, reason, state } = item;
  return {
    ...{ baseUrl, model, scope, imageId, file: uri, sha256, sizeBytes, modifiedMs, at },
    ...(mediaRef !== undefined && { mediaRef }),
    outcome: state === 'done' ? 'indexed' : state === 'failed' ? 'failed' : 'unknown',
    ...(reason !== undefined && { reason }),
  };
}

export function runNamed(id: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    environment: 'Test',
    baseUrl: dataset.baseUrl,
    modelName: 'Sentiment',
    draft: { model: 'sentiment', mode: 'classify', input: { text: `words of ${id}` }, params: {} },
    attachments: [],
    startedAt: 1_000,
    state: 'finished',
    ...more,
  };
}
