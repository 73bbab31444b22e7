import * as vscode from 'vscode';
import { isMediaObject } from '../../domain/media';
import type { RunResponse } from '../../domain/response';
import type { RunRecord } from '../../domain/runRecord';
import { readBatchOutcomes } from '../../readers/batch';
import type { Datasets } from '../../store/datasets';
import type { IndexedFile } from '../../store/items';
import { fileFacts } from '../../vscode/fileFacts';

/**
 * Records the items that an index run put into its dataset (section 2.2: `images`, and `image_ids` one for each), as
 * an indexing job does: a later search then leads back to the user's own files.
 * @param response missing: there is none, or it is an error
 */
export async function noteIndexed(
  datasets: Datasets,
  record: RunRecord,
  response: RunResponse | undefined,
): Promise<void> {
  const { baseUrl, request, state } = record;
  const { images, image_ids: ids } = request?.input ?? {};
  if (request?.mode !== 'index' || request.scope === undefined) return;
  if (state === 'notSent' || !Array.isArray(images) || !Array.isArray(ids)) return;
  const members = images.map((image, at) => ({
    imageId: String(ids[at]),
    mediaRef: isMediaObject(image) ? image.media_ref : '',
  }));
  const outcomes = response && readBatchOutcomes(response, members);
  const withoutResponse = state === 'failed' ? 'failed' : 'unconfirmed';
  const dataset = { baseUrl, model: request.model, scope: request.scope };
  const items = await Promise.all(
    images.map(async (image, at): Promise<IndexedFile | undefined> => {
      const imageId = ids[at];
      const mediaRef = isMediaObject(image) ? image.media_ref : undefined;
      const file = record.attachments.find((attachment) => attachment.mediaRef === mediaRef);
      if (typeof imageId !== 'string' || mediaRef === undefined || !file) return undefined;
      const outcome = outcomes?.[at]?.outcome ?? withoutResponse;
      // A rejected file is in no dataset.
      if (outcome === 'failed') return undefined;
      const isIndexed = outcome === 'done';
      // That one was indexed before is still known when it is not known whether it was now.
      if (!isIndexed && datasets.find(dataset, imageId)?.outcome === 'indexed') return undefined;
      const facts = await fileFacts(vscode.Uri.parse(file.uri)).catch(() => undefined);
      return {
        ...dataset,
        imageId,
        mediaRef,
        file: file.uri,
        sha256: file.sha256 ?? '',
        sizeBytes: file.sizeBytes,
        modifiedMs: facts?.modifiedMs ?? 0,
        at: record.finishedAt ?? Date.now(),
        outcome: isIndexed ? 'indexed' : 'unknown',
        ...(!isIndexed && record.message !== undefined && { reason: record.message }),
      };
    }),
  );
  const known = items.filter((item) => item !== undefined);
  await datasets.record(known);
}
