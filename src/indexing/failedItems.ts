import type { RunResponse } from '../service/client';
import type { BatchMember } from './rejectedBatch';

/** Lists in which services report single items that failed in a run that was executed. */
const LISTS = ['failed', 'failures', 'errors', 'rejected', 'skipped', 'results', 'items'];
const IDS = ['image_id', 'id', 'item_id', 'document_id', 'media_ref'];
const LONGEST_REASON = 300;
const REASONS = ['reason', 'message', 'error', 'detail'];

/**
 * Members of an executed batch that the response reports as failed, with its reason. Read tolerantly: an entry counts
 * only if it names a member by id or place and gives a reason or a failed status.
 */
export function failedMembers<T extends BatchMember>(
  response: RunResponse,
  batch: readonly T[],
): Map<T, string> {
  const failed = new Map<T, string>();
  const output = response.output;
  if (typeof output !== 'object' || output === null) return failed;
  const byName = new Map(
    batch.flatMap(
      (member) =>
        [
          [member.imageId, member],
          [member.mediaRef, member],
        ] as const,
    ),
  );
  for (const key of LISTS) {
    const list = (output as Record<string, unknown>)[key];
    if (!Array.isArray(list)) continue;
    for (const entry of list as unknown[]) {
      if (typeof entry !== 'object' || entry === null) continue;
      const fields = entry as Record<string, unknown>;
      const name = IDS.map((id) => fields[id]).find((id) => typeof id === 'string') as string | undefined;
      const member = name === undefined ? batch[fields.index as number] : byName.get(name);
      const reason = reasonOf(fields);
      if (member && reason !== undefined) failed.set(member, reason);
    }
  }
  return failed;
}

function reasonOf(fields: Record<string, unknown>): string | undefined {
  const status = typeof fields.status === 'string' ? fields.status : undefined;
  const succeeded =
    status !== undefined && /^(ok|success|succeeded|indexed|created|updated|done)$/i.test(status);
  if (succeeded) return undefined;
  for (const key of REASONS) {
    const reason = fields[key];
    if (typeof reason === 'string' && reason !== '') return reason.slice(0, LONGEST_REASON);
    if (typeof reason === 'object' && reason !== null && 'message' in reason)
      return String(reason.message).slice(0, LONGEST_REASON);
  }
  return status !== undefined && /fail|error|reject|invalid/i.test(status) ? status : undefined;
}
