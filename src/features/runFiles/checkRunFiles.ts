import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EnvironmentCatalog } from '../../connection/environmentCatalog';
import { type Environment, environmentId } from '../../domain/environment';
import type { ModelContract } from '../../domain/model';
import { environmentFor } from '../../platform/runFiles/environment';
import { findRunFiles, runFileTexts } from '../../platform/runFiles/find';
import { runFileUses } from '../../platform/runFiles/uses';
import { modelIn, type ReadRunFile, type RunFileProblem, readRunFile } from '../../runFiles/read';
import { ServiceError } from '../../service/errors';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import {
  showInformationMessage,
  showWarningMessage,
  withProgress,
} from '../../vscode/messages/notifications';
import { messageOf } from '../../vscode/showError';
import type { RunFileDiagnostics } from './diagnostics';
import { runFileProblems } from './problems';

const FILES_AT_ONCE = 4;

/** Check Run Files: every one of the workspace against the current contract of its model. Sends no run. */
export async function checkRunFiles(services: Services, diagnostics: RunFileDiagnostics): Promise<void> {
  const counts = await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Checking run files…'),
      cancellable: true,
    },
    (progress, token) => check(services, diagnostics, progress, token),
  );
  if (!counts) return;
  const { files, wrong, problems, unread } = counts;
  if (files === 0) {
    void showInformationMessage(l10n.t('There are no run files (*.run.json) in this workspace.'));
    return;
  }
  const show = l10n.t('Show Problems');
  const result =
    problems === 0
      ? l10n.t('Checked {0} run files: no problems.', files)
      : l10n.t('Checked {0} run files: {1} problems in {2} of them.', files, problems, wrong);
  const text = unread === undefined ? result : `${result} ${unread}`;
  const say = problems === 0 && unread === undefined ? showInformationMessage : showWarningMessage;
  if ((await say(text, ...(problems === 0 ? [] : [show]))) === show)
    await executeBuiltIn('workbench.actions.view.problems');
}

interface Counts {
  readonly files: number;
  readonly wrong: number;
  readonly problems: number;
  /** Why files were checked without their model's contract. */
  readonly unread: string | undefined;
}

async function check(
  services: Services,
  diagnostics: RunFileDiagnostics,
  progress: vscode.Progress<{ message?: string }>,
  token: vscode.CancellationToken,
): Promise<Counts | undefined> {
  const { catalog, connection, context } = services;
  const stop = new AbortController();
  token.onCancellationRequested(() => stop.abort());
  const contracts = new Map<string, Promise<ReadContract>>();
  const contractOf = (model: string, environment: Environment): Promise<ReadContract> => {
    const key = JSON.stringify([model, environmentId(environment)]);
    const known = contracts.get(key) ?? contractOrNone(catalog.of(environment), model, stop.signal);
    if (!contracts.has(key)) progress.report({ message: model });
    contracts.set(key, known);
    return known;
  };
  let [files, wrong, problems] = [0, 0, 0];
  let unread: string | undefined;
  const checkFile = async (uri: vscode.Uri, file: ReadRunFile) => {
    const [model, environment] = [modelIn(file), environmentFor(file, connection)];
    const read = model === undefined || !environment ? {} : await contractOf(model, environment);
    if (stop.signal.aborted) return;
    const all = await runFileProblems(runFileUses(context), uri, file, read.contract, environment);
    if (read.missing !== undefined) all.push(missingModel(read.missing));
    diagnostics.show(uri, file, all);
    unread ??= read.failure;
    files += 1;
    if (all.length > 0) wrong += 1;
    problems += all.length;
  };
  diagnostics.forgetClosed();
  const texts = runFileTexts(await findRunFiles());
  const checkSome = async () => {
    for await (const { uri, text } of texts) {
      await checkFile(uri, readRunFile(text));
      if (stop.signal.aborted) return;
    }
  };
  // A few at once, so that the trees of all files are never held together.
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, checkSome));
  return stop.signal.aborted ? undefined : { files, wrong, problems, unread };
}

/** A contract, or why there is none. */
interface ReadContract {
  readonly contract?: ModelContract;
  readonly missing?: string;
  readonly failure?: string;
}

/** In a workspace that is not trusted only the cache is used: a foreign file starts no request. */
async function contractOrNone(
  catalog: EnvironmentCatalog,
  model: string,
  signal: AbortSignal,
): Promise<ReadContract> {
  const failed = async (failure: string): Promise<ReadContract> => {
    const cached = await catalog.cachedContract(model);
    return cached ? { contract: cached } : { failure };
  };
  if (!vscode.workspace.isTrusted)
    return failed(l10n.t('This workspace is not trusted, so models that are not cached were not asked for.'));
  try {
    return { contract: await catalog.contract(model, { fresh: true, signal }) };
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return { missing: model };
    return failed(messageOf(error));
  }
}

function missingModel(model: string): RunFileProblem {
  return {
    source: 'changed',
    severity: 'error',
    pointer: '/model',
    message: l10n.t('The service has no model “{0}”: it may have been renamed or removed.', model),
  };
}
