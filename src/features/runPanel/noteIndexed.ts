import * as vscode from 'vscode';
import { isMediaObject } from '../../domain/media';
import type { Ledger } from '../../indexing/ledger';
import type { LedgerItem } from '../../indexing/ledgerItem';
import { fileFacts } from '../../platform/fileFacts';
import type { RunRecord } from '../../runs/history/record';

/**
 * Writes into the ledger what an index run put into its dataset (section 2.2: `images`, and `image_ids` one for
 * each), as an indexing job does: a later search then leads back to the user's own files.
 */
export async function noteIndexed(ledger: Ledger, record: RunRecord): Promise<void> {
  const { baseUrl, request, state } = record;
  const { images, image_ids: ids } = request?.input ?? {};
  if (request?.mode !== 'index' || request.scope === undefined) return;
  // What was refused or never left is in no dataset.
  if (state === 'failed' || state === 'notSent' || !Array.isArray(images) || !Array.isArray(ids)) return;
  const dataset = { baseUrl, model: request.model, scope: request.scope };
  const items = await Promise.all(
    images.map(async (image, at): Promise<LedgerItem | undefined> => {
      const imageId = ids[at];
      const mediaRef = isMediaObject(image) ? image.media_ref : undefined;
      const file = record.attachments.find((attachment) => attachment.mediaRef === mediaRef);
      if (typeof imageId !== 'string' || mediaRef === undefined || !file) return undefined;
      // That one was indexed before is still known when it is not known whether it was now.
      if (state !== 'finished' && ledger.find(dataset, imageId)?.outcome === 'indexed') return undefined;
      const facts = await fileFacts(vscode.Uri.parse(file.uri)).catch(() => undefined);
      return {
        ...dataset,
        ...{ imageId, mediaRef, file: file.uri, sha256: file.sha256 ?? '', sizeBytes: file.sizeBytes },
        modifiedMs: facts?.modifiedMs ?? 0,
        at: record.finishedAt ?? Date.now(),
        outcome: state === 'finished' ? 'indexed' : 'unknown',
        ...(state !== 'finished' && record.message !== undefined && { reason: record.message }),
      };
    }),
  );
  const known = items.filter((item) => item !== undefined);
  if (known.length > 0) await ledger.record(known);
}
