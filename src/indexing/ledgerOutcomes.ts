import type { JobItem, OutcomeStore } from '../jobs/jobWork';
import type { IndexHead, IndexItem } from './indexKind';
import type { Ledger } from './ledger';
import type { LedgerItem } from './ledgerItem';

/** The ledger, as the store of what indexing jobs have done. */
export function ledgerOutcomes(ledger: Ledger): OutcomeStore<IndexHead, IndexItem> {
  return {
    refresh: () => ledger.refresh(),
    async record(head, items) {
      await ledger.record(items.map((item) => ledgerItemOf(head, item)));
      // Not needed after the run: a job of many texts would hold them all.
      for (const item of items) item.text = undefined;
    },
    recordedAt: (head, { imageId }) => ledger.find(head, imageId)?.at,
    isDone(head, item) {
      const known = ledger.find(head, item.imageId);
      const isDone = known?.outcome === 'indexed' || (known?.outcome === 'unknown' && known.at > head.at);
      return (
        isDone &&
        known.file === item.uri &&
        known.sizeBytes === item.sizeBytes &&
        known.modifiedMs === item.modifiedMs
      );
    },
  };
}

function ledgerItemOf({ baseUrl, model, scope }: IndexHead, item: JobItem<IndexItem>): LedgerItem {
  const { imageId, uri, sha256 = '', sizeBytes, modifiedMs, mediaRef, reason, at = Date.now(), state } = item;
  const outcome = state === 'done' ? 'indexed' : state === 'failed' ? 'failed' : 'unknown';
  return {
    ...{ baseUrl, model, scope, imageId, file: uri, sha256, sizeBytes, modifiedMs, at, outcome },
    ...(mediaRef !== undefined && { mediaRef }),
    ...(reason !== undefined && { reason }),
  };
}
