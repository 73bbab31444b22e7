import * as l10n from '@vscode/l10n';
import type { Ledger, LedgerItem } from '../indexing/ledger';
import type { JobHead, JobItem, JobRecord } from './jobJournal';

/** Why what is in flight in a journal that nobody works on is unknown. */
export function closedBeforeResponse(): string {
  return l10n.t('VS Code was closed before the response came.');
}

/** The ledger's line for an item that has an outcome, or is in flight with nobody waiting for it. */
export function ledgerItemOf(
  { baseUrl, model, scope }: Pick<JobHead, 'baseUrl' | 'model' | 'scope'>,
  item: JobItem,
): LedgerItem {
  const { imageId, uri, sha256 = '', sizeBytes, modifiedMs, mediaRef, at = Date.now(), state } = item;
  const outcome = state === 'indexed' || state === 'failed' ? state : 'unknown';
  const reason = item.reason ?? (state === 'inFlight' ? closedBeforeResponse() : undefined);
  return {
    ...{ baseUrl, model, scope, imageId, file: uri, sha256, sizeBytes, modifiedMs, at, outcome },
    ...(mediaRef !== undefined && { mediaRef }),
    ...(reason !== undefined && { reason }),
  };
}

/** Outcomes that a journal has and the ledger has not: the host died between the two lines. */
export function unsaid({ head, items }: JobRecord, ledger: Ledger): LedgerItem[] {
  return items.flatMap((item) => {
    const isOver = ['indexed', 'failed', 'unknown', 'inFlight'].includes(item.state);
    if (!isOver) return [];
    const known = ledger.find(head, item.imageId);
    return known && known.at >= (item.at ?? head.at) ? [] : [ledgerItemOf(head, item)];
  });
}
