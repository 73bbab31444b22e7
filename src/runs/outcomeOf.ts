import type { RunResponse } from '../domain/response';
import { acceptedText } from '../wording/errors';
import { missingPlaceText } from '../wording/runStates';

/** The outcome of a run in its response, as the history keeps it. */
export function outcomeOf(response: RunResponse) {
  const { state, runId, cost, followUrl, notFollowed, missing, message, raw } = response;
  const isLost = notFollowed !== undefined || (state === 'accepted' && followUrl === undefined);
  const text =
    message ?? (isLost ? acceptedText(response) : undefined) ?? (missing && missingPlaceText(missing));
  return { state, status: raw.status, runId, cost, followUrl, message: text };
}
