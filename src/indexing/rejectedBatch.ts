import { type BatchMember, evidenceIn } from '../readers/batchEvidence';
import { ServiceError } from '../service/errors';

/**
 * Parts of a rejected batch that are sent next, so that a bad file ends up alone: each file that the service's
 * response points at by itself and the others together, else two halves.
 */
export function splitRejected<T extends BatchMember>(batch: readonly T[], error: unknown): readonly T[][] {
  const pointed = pointedAt(batch, error);
  if (pointed.size > 0 && pointed.size < batch.length) {
    const others = batch.filter((member) => !pointed.has(member));
    return [others, ...[...pointed].map((member) => [member])];
  }
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)].filter((part) => part.length > 0);
}

/** `/input/images/3`, `images[3]`, `images.3`, `image 3 of`: the last would be guessing, so only the first three. */
const PLACE =
  /\b[A-Za-z_]*(?:images|media|files|items|documents|texts|audios|videos)(?:\/|\[|\.)(\d{1,6})\b/gi;

function pointedAt<T extends BatchMember>(batch: readonly T[], error: unknown): Set<T> {
  const { serviceMessage: message = '', raw } = error instanceof ServiceError ? error.details : {};
  const pointed = new Set<T>();
  const { items } = evidenceIn(raw?.json, batch);
  const hasSigns = items.some(({ signs }) => signs.length > 0);
  for (const [i, { signs, mentioned }] of items.entries())
    if (hasSigns ? signs.some(({ sign }) => sign === 'failed') : mentioned) pointed.add(batch[i]!);
  for (const [, place] of message.matchAll(PLACE)) {
    const member = batch[Number(place)];
    if (member) pointed.add(member);
  }
  for (const member of batch)
    if (names(message, member.imageId) || names(message, member.mediaRef)) pointed.add(member);
  return pointed;
}

/** Whether the message names this id and not a longer one that contains it. */
function names(message: string, id: string): boolean {
  for (let at = message.indexOf(id); at >= 0; at = message.indexOf(id, at + 1)) {
    const around = `${message[at - 1] ?? ' '}${message[at + id.length] ?? ' '}`;
    if (!/[\w/-]/.test(around)) return true;
  }
  return false;
}
