import * as l10n from '@vscode/l10n';
import { isUnconfirmed } from '../domain/run';
import type { RunRecord } from '../domain/runRecord';
import type { CheckedExpectation, ExpectationOutcome } from '../runFiles/expectations';
import { formatDuration } from '../wording/duration';
import { oddValuesText, runCostText, runStateMessage, runStateText } from '../wording/runStates';
import type { ReadyFile } from './ready';

/** A run file that was run: the run's record, and the expectations of the file, checked. */
export interface CheckedRunFile {
  readonly file: ReadyFile;
  readonly record: RunRecord;
  readonly outcome: ExpectationOutcome;
  /** Empty where the outcome is not known. */
  readonly checks: readonly CheckedExpectation[];
}

/**
 * - `failed`: an expectation was not met
 * - `error`: the service failed without a test that expects it, the run was not sent, or the outcome is unconfirmed
 */
export type RunFileVerdict = 'passed' | 'failed' | 'error';

export function runFileVerdict({ record, checks }: CheckedRunFile): RunFileVerdict {
  if (record.state === 'notSent' || isUnconfirmed(record.state)) return 'error';
  const failed = checks.filter(({ passed }) => !passed);
  // "" is the rule that a run must finish.
  if (failed.some(({ pointer }) => pointer === '')) return 'error';
  return failed.length > 0 ? 'failed' : 'passed';
}

export function reportedName({ name, file }: ReadyFile): string {
  const given = file.members?.name;
  return typeof given === 'string' && given.trim() !== '' ? given : name;
}

/** The lines about one run. */
export function resultText(result: CheckedRunFile): string[] {
  const { file, record, outcome, checks } = result;
  const verdict = runFileVerdict(result);
  const word = { passed: 'PASS', failed: 'FAIL', error: 'ERROR' }[verdict];
  const cost = runCostText(record);
  const facts = [
    ...(outcome.seconds === undefined ? [] : [formatDuration(outcome.seconds * 1000)]),
    ...(cost === undefined ? [] : [cost]),
    // To find it at the service.
    ...(verdict === 'error' && record.runId !== undefined ? [record.runId] : []),
  ];
  const head = facts.length === 0 ? `${word} ${file.name}` : `${word} ${file.name} (${facts.join(', ')})`;
  const reason =
    verdict === 'error'
      ? [`  ${record.message ?? runStateMessage(record.state) ?? runStateText(record.state)}`]
      : [];
  const failed = checks
    .filter(({ passed, pointer }) => !passed && pointer !== '')
    .flatMap(({ title, wanted, got }) => [
      `  ${title}`,
      ...lines(l10n.t('wanted'), wanted),
      ...lines(l10n.t('got'), got),
    ]);
  const accepted =
    record.state === 'accepted' && record.followUrl !== undefined
      ? [`  ${l10n.t('“model-bench follow {0}” waits for it.', record.runId ?? '').replace(' ”', '”')}`]
      : [];
  const note = outcome.hasOddValues ? [`  ${oddValuesText()}`] : [];
  return [head, ...reason, ...accepted, ...note, ...failed];
}

function lines(word: string, text: string): string[] {
  const [first = '', ...others] = text.split('\n');
  return [`    ${word}: ${first}`, ...others.map((line) => `      ${line}`)];
}
