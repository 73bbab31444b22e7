import type { RunResponse } from '../domain/response';
import { acceptedText } from '../wording/errors';
import { missingPlaceText } from '../wording/runStates';

/** The outcome of a run in its response, as the history keeps it. */
export function outcomeOf({
  state,
  runId,
  cost,
  followUrl,
  notFollowed,
  missing,
  message,
  raw,
}: RunResponse) {
  const text =
    message ?? (notFollowed && acceptedText(notFollowed)) ?? (missing && missingPlaceText(missing));
  return { state, status: raw.status, runId, cost, followUrl, message: text };
}
