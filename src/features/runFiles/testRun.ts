import * as l10n from '@vscode/l10n';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { isUnconfirmed } from '../../domain/run';
import { readFileAt } from '../../platform/runFiles/load';
import { TextPositions } from '../../platform/runFiles/ranges';
import { type ReadyRunFile, readyToRun, runFileMedia } from '../../platform/runFiles/ready';
import { runFileUses } from '../../platform/runFiles/uses';
import { type CheckedExpectation, checkExpectations } from '../../runFiles/expectations';
import { expectedCost, expectedCostText } from '../../runFiles/expectedCost';
import { messageFor, problemPlace } from '../../runFiles/marks';
import { runFileOutcome } from '../../runFiles/outcome';
import { expectationsIn, type ReadRunFile, type RunFileProblem } from '../../runFiles/read';
import { markAt } from '../../runFiles/text';
import type { PerformedRun } from '../../runs/runs';
import type { Services } from '../../services';
import { isConfirmed } from '../../vscode/dialogs';
import { testMessage } from '../../vscode/messages/editorTexts';
import { readSetting } from '../../vscode/settings';
import { messageOf } from '../../vscode/showError';
import { noteStepDone } from '../../vscode/walkthrough';
import { oddValuesText, runStateMessage } from '../../wording/runStates';

/** A few at once; the service's limits are kept below this. */
const RUNS_AT_ONCE = 4;

interface ReadyTest extends ReadyRunFile {
  readonly item: vscode.TestItem;
}

/**
 * Runs run files as tests. All are checked first, then one question gives the possible cost of their runs; each
 * counts against the same budget as any other run, and the history has all sent runs.
 */
export async function runTests(
  services: Services,
  controller: vscode.TestController,
  request: vscode.TestRunRequest,
  items: readonly vscode.TestItem[],
  token: vscode.CancellationToken,
): Promise<void> {
  const run = controller.createTestRun(request);
  const stop = new AbortController();
  const stopping = [token, run.token].map((one) => one.onCancellationRequested(() => stop.abort()));
  // VS Code reports an earlier cancel a moment later.
  if (token.isCancellationRequested) stop.abort();
  try {
    for (const item of items) run.enqueued(item);
    const tests: ReadyTest[] = [];
    for (const item of items) {
      if (stop.signal.aborted) {
        run.skipped(item);
        continue;
      }
      const test = await prepare(services, run, item);
      if (test) tests.push(test);
    }
    const isWanted = tests.length > 0 && !stop.signal.aborted && (await isRunWanted(services, tests));
    const queue = new PQueue({ concurrency: RUNS_AT_ONCE });
    await Promise.all(
      tests.map((test) =>
        queue.add(async () => {
          if (isWanted && !stop.signal.aborted) await runOne(services, run, test, stop.signal);
          else run.skipped(test.item);
        }),
      ),
    );
  } finally {
    for (const one of stopping) one.dispose();
    run.end();
  }
}

/** Checks a file. One that cannot be run is an error with the problems at their places. */
async function prepare(
  services: Services,
  run: vscode.TestRun,
  item: vscode.TestItem,
): Promise<ReadyTest | undefined> {
  const uri = item.uri!;
  try {
    const file = await readFileAt(uri);
    const ready = await readyToRun(services, uri, file);
    if ('draft' in ready) return { ...ready, item };
    run.errored(item, problemMessages(uri, file, ready));
  } catch (error) {
    run.errored(item, testMessage(messageOf(error)));
  }
  return undefined;
}

function problemMessages(
  uri: vscode.Uri,
  file: ReadRunFile,
  problems: readonly RunFileProblem[],
): vscode.TestMessage[] {
  const positions = new TextPositions(file.text);
  return problems
    .filter(({ severity }) => severity === 'error')
    .map((problem) => {
      const message = testMessage(messageFor(problem, file));
      message.location = new vscode.Location(uri, positions.range(problemPlace(problem, file)));
      return message;
    });
}

/** The one question before paid runs. */
async function isRunWanted({ estimates }: Services, tests: readonly ReadyTest[]): Promise<boolean> {
  const known = await estimates();
  const cost = expectedCost(tests.map(({ estimateOf }) => known.of(estimateOf)));
  const environment = [...new Set(tests.map((test) => test.environment.name))].join(', ');
  const question =
    tests.length === 1
      ? l10n.t('Run “{0}” in “{1}”?', tests[0]!.item.label, environment)
      : l10n.t('Run {0} run files in “{1}”?', tests.length, environment);
  const detail = [
    expectedCostText(cost, vscode.env.language),
    l10n.t('Runs may be charged. A budget that is set stops them.'),
    ...(vscode.workspace.isTrusted
      ? []
      : [
          l10n.t(
            'You have not trusted this workspace: its requests, and the files that they name, are sent with your key.',
          ),
        ]),
  ];
  return isConfirmed(question, detail, l10n.t('Run'));
}

async function runOne(
  services: Services,
  run: vscode.TestRun,
  test: ReadyTest,
  signal: AbortSignal,
): Promise<void> {
  const { item, uri, file, environment, contract, draft } = test;
  run.started(item);
  try {
    const files = await runFileMedia(test, services.context.globalState);
    const runs = await services.runs();
    const finished = await runs.perform(
      { environment, contract, draft, files },
      { signal, timeoutMs: readSetting('runTimeoutSeconds') * 1000 },
    );
    const { record } = finished;
    if (record.state === 'finished') void noteStepDone(services.context.globalState, 'run');
    if (record.sentAt !== undefined) await runFileUses(services.context).note(uri, file, contract, record);
    report(run, test, finished);
  } catch (error) {
    run.errored(item, testMessage(messageOf(error)));
  }
}

function report(
  run: vscode.TestRun,
  { item, uri, file }: ReadyTest,
  { record, response }: PerformedRun,
): void {
  const outcome = runFileOutcome(record, response);
  const ms = outcome.seconds === undefined ? undefined : outcome.seconds * 1000;
  // A run that was not sent, or may still be executed, has no verdict.
  if (record.state === 'notSent' || isUnconfirmed(record.state)) {
    run.errored(item, testMessage(record.message ?? runStateMessage(record.state) ?? ''), ms);
    return;
  }
  if (outcome.hasOddValues) run.appendOutput(`${oddValuesText()}\r\n`, undefined, item);
  const checked = checkExpectations(expectationsIn(file), outcome, vscode.env.language);
  const positions = new TextPositions(file.text);
  const failed = checked
    .filter(({ passed }) => !passed)
    .map((one) =>
      failure(
        one,
        record.message,
        new vscode.Location(uri, positions.range(markAt(file.root, one.pointer).place)),
      ),
    );
  if (failed.length === 0) run.passed(item, ms);
  else run.failed(item, failed, ms);
}

function failure(
  { pointer, title, wanted, got }: CheckedExpectation,
  reason: string | undefined,
  location: vscode.Location,
): vscode.TestMessage {
  const isStatus = pointer === '' || pointer.endsWith('/status');
  const text = isStatus && reason !== undefined ? `${title}. ${reason}` : title;
  const message = testMessage(text, { wanted, got });
  message.location = location;
  return message;
}
