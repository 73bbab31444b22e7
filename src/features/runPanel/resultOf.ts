import { resultSource } from '../../contract/result/source';
import type { ShownResult } from '../../platform/resultHost';
import type { RunRecord } from '../../runs/runs';
import type { Services } from '../../services';
import type { HeldAnswer } from './heldAnswer';

/** A run's answer with what leads it back to the user's own files: what went in, and what the ledger knows of hits. */
export async function resultOf(
  services: Services,
  record: RunRecord,
  held: HeldAnswer,
): Promise<ShownResult> {
  const { model, scope } = record.draft;
  // Without its ledger a hit shows its identifier: never a reason to show no result.
  const ledger = scope === undefined ? undefined : await services.ledger().catch(() => undefined);
  const dataset = scope === undefined ? undefined : { baseUrl: record.baseUrl, model, scope };
  return {
    source: resultSource(held.value, {
      contentType: held.contentType,
      attachmentTypes: record.attachments.map(({ contentType }) => contentType),
    }),
    baseUrl: record.baseUrl,
    contentType: held.contentType,
    attachments: record.attachments.map(({ uri }) => uri),
    fileOf: (id) => (dataset ? ledger?.find(dataset, id)?.file : undefined),
  };
}
