import type { Money } from '../domain/money';
import type { RawResponse, RunResponse } from '../domain/response';
import { isObject } from '../domain/value';
import { joinedText, readEvents } from '../intake/eventStream';
import { isFailed, signsIn, stateOfWord } from './stateWords';

/** The parts of a run in one value. */
export interface ReadRun {
  readonly state: RunResponse['state'];
  /** Missing: the body has none. */
  readonly output?: { readonly value: unknown } | undefined;
  /** The record or value with the words of a failure. */
  readonly failure?: unknown;
  readonly runId?: string | undefined;
  readonly cost?: Money | undefined;
  /** Finished only because no name speaks of a run. */
  readonly isBare?: true;
}

/**
 * The run of a stream that was received whole: its last event, by the rule of one value; an earlier failure is one unless
 * the last event says that the run finished. Undefined: no event.
 */
export function readStream(raw: RawResponse, read: (value: unknown) => ReadRun): ReadRun | undefined {
  const events = (readEvents(raw) ?? []).filter(({ data }) => data !== '' && data !== '[DONE]');
  const last = events.at(-1);
  if (last === undefined) return undefined;
  // The connection ended within an event.
  const isCut = typeof last.data === 'string' && /^\s*[[{]/.test(last.data);
  const named = stateOfWord(last.name ?? '');
  const state = named === undefined ? {} : { state: named };
  const text = named === 'failed' ? undefined : joinedText(events);
  if (text !== undefined)
    return isCut ? { state: 'unclear' } : { state: 'finished', output: { value: text } };
  const { data } = last;
  const whole = isObject(data) ? read({ ...state, ...data }) : { ...read(data), ...state, failure: data };
  const failed = events.findLast(
    (event) =>
      stateOfWord(event.name ?? '') === 'failed' || (isObject(event.data) && isFailed(signsIn(event.data))),
  );
  const isSaid = isObject(data) && signsIn(data).state === 'finished';
  if (failed && !isSaid) return { ...whole, state: 'failed', failure: failed.data };
  // The last of several parts is not the whole.
  if (whole.state === 'finished' && (isCut || (events.length > 1 && whole.isBare)))
    return { state: 'unclear' };
  return { ...whole, output: whole.output ?? (whole.state === 'finished' ? { value: data } : undefined) };
}
