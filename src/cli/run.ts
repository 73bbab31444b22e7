import * as l10n from '@vscode/l10n';
import { callRuns, type RunState } from '../commands/callRuns';
import { type CheckedRunFile, resultText, runFileVerdict } from '../commands/checkedRunFile';
import { readNamed } from '../commands/files';
import { checkFiles, problemLines, type ReadyFile } from '../commands/ready';
import { compareAmounts, limitText } from '../domain/amounts';
import type { Money } from '../domain/money';
import { isUnconfirmed, type RunStep } from '../domain/run';
import { checkExpectations } from '../runFiles/expectations';
import { expectedCost, expectedCostText } from '../runFiles/expectedCost';
import { runFileOutcome } from '../runFiles/outcome';
import { expectationsIn } from '../runFiles/read';
import type { ServiceClient } from '../service/client';
import { exitCodes } from './exitCodes';
import type { Terminal } from './terminal';

interface RunCommandOptions {
  /** A canonical amount. */
  readonly maxCost: Money | undefined;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  readonly state: RunState;
}

/** Checks run files. @returns the exit code */
export async function check(
  names: readonly string[],
  client: ServiceClient | undefined,
  terminal: Terminal,
): Promise<number> {
  const checked = await checkNamed(names, client, terminal);
  const isWrong = checked.some((one) => one.isWrong);
  if (!isWrong) terminal.print(l10n.t('{0} run files checked, no errors.', checked.length));
  return isWrong ? exitCodes.wrong : exitCodes.passed;
}

async function checkNamed(names: readonly string[], client: ServiceClient | undefined, terminal: Terminal) {
  const files = await Promise.all(names.map((name) => readNamed(name, process.cwd())));
  const checked = await checkFiles(files, client);
  for (const line of problemLines(checked)) terminal.warn(line);
  return checked;
}

/** Checks all files, then runs them one after another. Sends no run when one of them is wrong. */
export async function run(
  names: readonly string[],
  client: ServiceClient,
  terminal: Terminal,
  { maxCost, signal, state }: RunCommandOptions,
) {
  const checked = await checkNamed(names, client, terminal);
  const ready = checked.flatMap((one) => one.ready ?? []);
  if (ready.length < checked.length) return { results: [], exitCode: exitCodes.wrong };

  const { perform, estimates } = callRuns(client, maxCost, state, (text) => terminal.warn(text));
  const expected = expectedCost(ready.map(({ estimateOf }) => estimates.of(estimateOf)));
  terminal.progress(expectedCostText(expected));
  const refusal = maxCost && refusalOf(expected.totals, maxCost);
  if (refusal !== undefined) {
    terminal.warn(`${expectedCostText(expected)}: ${refusal}`);
    return { results: [], exitCode: exitCodes.wrong };
  }
  const results: CheckedRunFile[] = [];
  for (const [index, file] of ready.entries()) {
    if (signal.aborted) break;
    const { contract, draft, files } = file;
    const environment = { name: client.environment, baseUrl: client.baseUrl };
    const finished = await perform(
      { environment, contract, draft, files },
      { signal, onStep: (step) => terminal.progress(progressText(index, ready, step)) },
    );
    const { record, response } = finished;
    const outcome = runFileOutcome(record, response);
    const isKnown = record.state !== 'notSent' && !isUnconfirmed(record.state);
    const checks = isKnown ? checkExpectations(expectationsIn(file.file), outcome) : [];
    const result: CheckedRunFile = { file, record, outcome, checks };
    results.push(result);
    for (const line of resultText(result)) terminal.print(line);
  }
  printSummary(results, ready, signal, terminal);
  const verdicts = results.map(runFileVerdict);
  const isComplete = results.length === ready.length && !verdicts.includes('error');
  return {
    results,
    exitCode: isComplete
      ? verdicts.includes('failed')
        ? exitCodes.failed
        : exitCodes.passed
      : exitCodes.service,
  };
}

function progressText(index: number, all: readonly ReadyFile[], { step }: RunStep): string {
  return l10n.t('{0} of {1}: {2} ({3})', index + 1, all.length, all[index]!.name, step);
}

function printSummary(
  results: readonly CheckedRunFile[],
  all: readonly ReadyFile[],
  signal: AbortSignal,
  terminal: Terminal,
): void {
  const passed = results.filter((result) => runFileVerdict(result) === 'passed').length;
  terminal.print(l10n.t('{0} of {1} passed.', passed, all.length));
  const unconfirmed = results
    .filter(({ record }) => isUnconfirmed(record.state))
    .map(({ file }) => file.name);
  if (unconfirmed.length > 0)
    terminal.warn(
      l10n.t(
        'May have been executed and charged, without a known outcome: {0}. They are not retried.',
        unconfirmed.join(', '),
      ),
    );
  const wereSent = results.filter(({ record }) => record.state !== 'notSent').length;
  if (signal.aborted)
    terminal.warn(l10n.t('Stopped: {0} of {1} files were not run.', all.length - wereSent, all.length));
}

/** Why runs of these costs must not be sent under a limit. */
function refusalOf(totals: readonly Money[], limit: Money): string | undefined {
  const currency = limit.currency ?? totals[0]?.currency;
  if (totals.some((total) => total.currency !== undefined && total.currency !== currency))
    return l10n.t(
      '--max-cost {0} cannot count costs in another currency. Nothing was sent.',
      limitText(limit),
    );
  return totals.some(({ amount }) => compareAmounts(amount, limit.amount) > 0)
    ? l10n.t('more than --max-cost {0}. Nothing was sent.', limitText(limit))
    : undefined;
}
