import { placedId } from '../intake/imageIds';
import type { Datasets } from '../store/datasets';
import type { IndexedFile } from '../store/items';
import type { JobItem, JobOutcomes } from '../store/jobKind';
import type { Jobs } from '../store/jobs';
import type { Store } from '../store/store';
import { type IndexHead, type IndexItem, indexKind } from './indexKind';

export type IndexJobs = Jobs<IndexHead, IndexItem>;

/** The indexing jobs in a store. Its datasets have the outcomes of their files. */
export function indexJobs(store: Store): IndexJobs {
  return store.jobs(indexKind, outcomesIn(store.datasets));
}

function outcomesIn(datasets: Datasets): JobOutcomes<IndexHead, IndexItem> {
  return {
    record(head, items, { sentAt }) {
      const news = sentAt === undefined ? unsentNews(datasets, head, items) : items;
      datasets.recordNow(news.map((item) => datasetItem(head, item)));
    },
    recordLate(head, items) {
      const open = items.filter(
        ({ imageId }) => (datasets.find(head, imageId)?.outcome ?? 'unknown') === 'unknown',
      );
      datasets.recordNow(open.map((item) => datasetItem(head, item)));
    },
    recordedAt: (head, { imageId }) => datasets.find(head, imageId)?.at,
    isDone(head, item) {
      const { uri, sizeBytes, modifiedMs, sha256, unconfirmedAt } = item;
      const known = datasets.find(head, ownId(datasets, head, item)?.imageId ?? item.imageId);
      if (!known || known.outcome === 'failed') return false;
      // The user has asked to send it again, knowing of this very outcome.
      if (known.outcome === 'unknown' && known.at === unconfirmedAt) return false;
      // The file may have changed since the plan, before the other job took it: once it is read, its content decides.
      if (sha256 !== undefined) return known.sha256 === sha256;
      return known.file === uri && known.sizeBytes === sizeBytes && known.modifiedMs === modifiedMs;
    },
    renamed: (head, item) => ownId(datasets, head, item),
  };
}

/** An item that was never sent takes no other file's place, and none that the service has or may have. */
function unsentNews(
  datasets: Datasets,
  head: IndexHead,
  items: readonly JobItem<IndexItem>[],
): readonly JobItem<IndexItem>[] {
  const own = items.map((item) => ({ ...item, ...ownId(datasets, head, item) }));
  return own.filter(({ imageId }) => (datasets.find(head, imageId)?.outcome ?? 'failed') === 'failed');
}

/** Another id, where another job has since indexed another file under that of the plan. */
function ownId(
  datasets: Datasets,
  head: IndexHead,
  { imageId, uri, sha256, replaces }: IndexItem,
): Pick<IndexItem, 'imageId'> | undefined {
  const known = datasets.find(head, imageId);
  if (!known || known.file === uri || known.file === replaces || known.sha256 === sha256) return undefined;
  return { imageId: placedId(imageId, uri) };
}

function datasetItem({ baseUrl, model, scope }: IndexHead, item: JobItem<IndexItem>): IndexedFile {
  const { imageId, uri, sha256 = '', sizeBytes, modifiedMs, mediaRef, reason, at = Date.now(), state } = item;
  const outcome = state === 'done' ? 'indexed' : state === 'failed' ? 'failed' : 'unknown';
  return {
    baseUrl,
    model,
    scope,
    imageId,
    file: uri,
    sha256,
    sizeBytes,
    modifiedMs,
    at,
    outcome,
    ...(mediaRef !== undefined && { mediaRef }),
    ...(reason !== undefined && { reason }),
  };
}
