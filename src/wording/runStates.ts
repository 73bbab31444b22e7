import * as l10n from '@vscode/l10n';
import type { Money } from '../domain/money';
import type { MappedPlace } from '../domain/response';
import type { RunState } from '../domain/run';
import { formatDuration } from './duration';
import { formatMoney } from './money';

const STATES: Readonly<Record<RunState, () => string>> = {
  running: () => l10n.t('running'),
  finished: () => l10n.t('finished'),
  accepted: () => l10n.t('accepted, not finished'),
  failed: () => l10n.t('failed'),
  unclear: () => l10n.t('response not understood'),
  unknown: () => l10n.t('unconfirmed'),
  notSent: () => l10n.t('not sent'),
};

/** The label of a run's state in a row of facts. */
export function runStateText(state: RunState): string {
  return STATES[state]();
}

/** The heading of a run that is no longer in progress; one still recorded as running was interrupted. */
export function runHeadline(run: {
  readonly state: RunState;
  readonly durationMs?: number | undefined;
}): string {
  const time = run.durationMs === undefined ? undefined : formatDuration(run.durationMs);
  switch (run.state) {
    case 'finished':
      return time === undefined ? l10n.t('Finished') : l10n.t('Finished in {0}', time);
    case 'accepted':
      return l10n.t('Accepted, not finished yet');
    case 'failed':
      return time === undefined ? l10n.t('Failed') : l10n.t('Failed after {0}', time);
    case 'notSent':
      return l10n.t('Not sent');
    case 'unclear':
      return l10n.t('Response not understood');
    case 'running':
    case 'unknown':
      return l10n.t('Unconfirmed');
  }
}

const noResponse = () => l10n.t('No response was received. The run may have been executed and charged.');

const MESSAGES: Readonly<Record<RunState, (() => string) | undefined>> = {
  running: noResponse,
  unknown: noResponse,
  failed: () => l10n.t('The run failed; the service gave no reason.'),
  unclear: unclearText,
  accepted: () => l10n.t('The service accepted the run and has not finished it yet.'),
  notSent: () => l10n.t('The run was not sent. Nothing was executed.'),
  finished: undefined,
};

/** Of a response that is not understood. */
export function unclearText(): string {
  return withMapping(
    l10n.t(
      'The response does not say whether the run finished or failed. It may have been executed and charged.',
    ),
  );
}

/** A problem of reading a response, with the way out. */
export function withMapping(problem: string): string {
  return `${problem} ${l10n.t('A response mapping can say how it is read.')}`;
}

/** What to show of a run that was stored without a message of its own. */
export function runStateMessage(state: RunState): string | undefined {
  return MESSAGES[state]?.();
}

/** Of a response that is not quite JSON. */
export function oddValuesText(): string {
  return l10n.t(
    'The response is not valid JSON: NaN, Infinity and the like were read as null, bytes that are not UTF-8 as Windows-1252.',
  );
}

/** Codicons. */
export const runStateIcons: Readonly<Record<RunState, string>> = {
  running: 'sync',
  finished: 'pass',
  accepted: 'clock',
  failed: 'error',
  unclear: 'question',
  unknown: 'question',
  notSent: 'circle-slash',
};

/** The cost of a run; undefined when it was not executed. */
export function runCostText(
  run: { readonly cost?: Money | undefined; readonly state: RunState },
  locale?: string,
): string | undefined {
  if (run.cost) return formatMoney(run.cost, locale);
  const mayBeCharged = run.state !== 'running' && run.state !== 'failed' && run.state !== 'notSent';
  return mayBeCharged ? l10n.t('cost unknown') : undefined;
}

/** Why the outcome of requests in flight in a closed window or terminal is unknown. */
export function closedBeforeResponse(): string {
  return l10n.t('Model Bench was closed before the response was received.');
}

/** Of a response that lacks a place of the user's response mapping. */
export function missingPlaceText({ part, at }: MappedPlace): string {
  return l10n.t(
    'The response has no value at “{0}”, where the response mapping has the {1}. The run may have been executed and charged.',
    at,
    part,
  );
}

/** The places that a response mapping named, as "state: /data/phase, by your mapping". */
export function readByText(places: readonly MappedPlace[]): string | undefined {
  if (places.length === 0) return undefined;
  const named = places.map(({ part, at }) => `${part}: ${at === '' ? '/' : at}`).join(', ');
  return l10n.t('{0}, by your mapping', named);
}
