import type { RawResponse, RunResponse } from '../domain/response';
import { isObject } from '../domain/value';
import { words } from '../domain/words';
import { type BatchEvidence, type BatchMember, evidenceIn, type ItemEvidence } from './batchEvidence';
import { fieldOfGraphQl, textWithin } from './envelope';
import { readStream } from './eventStream';
import { isError, saysNothing } from './failureSigns';
import { signIn } from './itemSigns';
import { firstOf, layersIn, pick } from './records';
import { STATE_NAMES, stateOfWord } from './stateWords';

/**
 * The outcome of one item of a run that has a response. `unconfirmed`: the response has no sign of it, or
 * contradicting ones; the item may be indexed and paid.
 */
export type BatchItemOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly reason?: string }
  | { readonly outcome: 'unconfirmed' };

const UNCONFIRMED: BatchItemOutcome = { outcome: 'unconfirmed' };
const DONE: BatchItemOutcome = { outcome: 'done' };
const FAILED: BatchItemOutcome = { outcome: 'failed' };

/** The state of a run as a whole; `partial`: it ended, and not all of it succeeded. */
type RunWord = Exclude<RunResponse['state'], 'unclear'> | 'partial';

/** Records that may have the state of the run. */
const LAYERS = words('data run job execution result output response');

/**
 * The outcome of each item of a batch, in its order. A failure is counted only on an explicit sign: a state, a flag, an
 * error, or the name of the list that the item is in. Where counts and items disagree, the items in question are
 * unconfirmed.
 */
export function readBatchOutcomes(
  response: RunResponse,
  batch: readonly BatchMember[],
): readonly BatchItemOutcome[] {
  const { raw } = response;
  const whole = textWithin(raw.json)?.json ?? raw.json ?? streamed(raw, batch.length);
  const field = fieldOfGraphQl(whole);
  const json = Array.isArray(field) ? field : whole;
  const evidence = evidenceIn(json, batch);
  const run = runWord({ ...response, raw: { ...raw, json } }, evidence);
  const outcomes = evidence.items.map((item) => itemOutcome(item, run, evidence, response.message));
  return withCounts(outcomes, evidence);
}

/** Lines or events of items; of the progress of one run only the last counts. */
function streamed(raw: RawResponse, count: number): unknown {
  const { events, last } = readStream(raw) ?? {};
  const isProgress = events?.length === count && events.some(({ data }) => signIn(data)?.sign === 'unsure');
  return isProgress ? last : events?.map(({ data }) => data);
}

function runWord(response: RunResponse, { items, failed, isAboutItems }: BatchEvidence): RunWord {
  const { raw, recognised } = response;
  // JSON that was promised and cut off before its first byte is no empty response.
  const isEmpty = raw.bytes.length === 0 && (raw.status === 204 || !/json/i.test(raw.contentType));
  const isSilent = isObject(raw.json) ? saysNothing(raw.json) : isEmpty;
  const isKnown = recognised || isSilent || isAboutItems;
  const layers = isObject(raw.json) ? layersIn(raw.json, LAYERS, 2) : [];
  const named = layers
    .map((layer) => pick(layer, ...STATE_NAMES))
    .filter((value) => typeof value === 'string');
  const word = firstOf(named, stateOfWord);
  const isUnknownWord = named.some((text) => /\p{L}/u.test(text) && stateOfWord(text) === undefined);
  const isEnded = response.state === 'unclear' && isKnown && !isUnknownWord;
  const state = isEnded ? 'finished' : response.state;
  // Without a positive sign, and in a body of a shape that is not known, only signs of single items count.
  if (state === 'unclear' || (state === 'finished' && !isKnown)) return 'partial';
  if (word === 'partial') return 'partial';
  const hasError = layers.some((layer) => isError(pick(layer, 'error')) || isError(pick(layer, 'failure')));
  if (state !== 'failed' || word === 'failed' || hasError) return state;
  // Errors of items are no failure of the others, and neither are fewer errors than items.
  const hasSigns = items.some(({ signs }) => signs.length > 0);
  const countsFewer = failed.some((count) => count < items.length);
  if (!hasSigns && !countsFewer) return 'failed';
  const saysNo = layers.some((layer) => pick(layer, 'success', 'ok', 'succeeded') === false);
  return saysNo || countsFewer ? 'partial' : 'finished';
}

function itemOutcome(
  { signs, named }: ItemEvidence,
  run: RunWord,
  { isListed }: BatchEvidence,
  message: string | undefined,
): BatchItemOutcome {
  const kinds = new Set(signs.map(({ sign }) => sign));
  if (kinds.has('unsure') || kinds.size > 1) return UNCONFIRMED;
  if (kinds.has('done')) return DONE;
  if (kinds.has('failed'))
    return failedFor(firstOf(signs, (sign) => (sign.sign === 'failed' ? sign.reason : undefined)));
  switch (run) {
    case 'finished':
      return named || !isListed ? DONE : UNCONFIRMED;
    case 'failed':
      return failedFor(message);
    case 'accepted':
    case 'partial':
      return UNCONFIRMED;
  }
}

function failedFor(reason: string | undefined): BatchItemOutcome {
  return reason === undefined ? { outcome: 'failed' } : { outcome: 'failed', reason };
}

/**
 * An outcome that contradicts a count is unconfirmed: first outcomes without a sign of their own, then also those
 * with one.
 */
function withCounts(
  outcomes: readonly BatchItemOutcome[],
  evidence: BatchEvidence,
): readonly BatchItemOutcome[] {
  const { items, done, failed } = evidence;
  const total = items.length;
  const isSaid = (i: number) => items[i]!.signs.length > 0;
  const counted = (kind: BatchItemOutcome['outcome'], onlyReported: boolean) =>
    outcomes.filter(({ outcome }, i) => outcome === kind && (!onlyReported || isSaid(i))).length;
  const allFailed = failed.includes(total) && !done.some((count) => count > 0) && counted('done', true) === 0;
  if (allFailed) return outcomes.map((outcome) => (outcome.outcome === 'failed' ? outcome : FAILED));
  const tooMany = (kind: 'done' | 'failed', number: number) => {
    const [own, other] = kind === 'done' ? [done, failed] : [failed, done];
    return own.some((count) => count < number) || other.some((count) => count > total - number);
  };
  return outcomes.map((outcome, i) => {
    if (outcome.outcome === 'unconfirmed') return outcome;
    return tooMany(outcome.outcome, counted(outcome.outcome, isSaid(i))) ? UNCONFIRMED : outcome;
  });
}
