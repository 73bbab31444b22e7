import * as l10n from '@vscode/l10n';
import PQueue from 'p-queue';
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

const CONTRACTS_AT_ONCE = 4;

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
  readonly unread?: string;
}

async function check(
  services: Services,
  diagnostics: RunFileDiagnostics,
  progress: vscode.Progress<{ message?: string }>,
  token: vscode.CancellationToken,
): Promise<Counts | undefined> {
  const stop = new AbortController();
  token.onCancellationRequested(() => stop.abort());
  const uris = await findRunFiles();
  const contracts = await contractsOf(services, uris, progress, stop.signal);
  const uses = runFileUses(services.context);
  diagnostics.forgetClosed();
  let [files, wrong, problems] = [0, 0, 0];
  for await (const { uri, text } of runFileTexts(uris)) {
    if (stop.signal.aborted) return undefined;
    const file = readRunFile(text);
    const environment = environmentFor(file, services.connection);
    const read = contracts.get(contractKey(file, environment));
    const contract = read && 'contract' in read ? read.contract : undefined;
    const problem = read && 'missing' in read ? [missingModel(read.missing)] : [];
    const all = [...(await runFileProblems(uses, uri, file, contract, environment)), ...problem];
    diagnostics.show(uri, file, all);
    files += 1;
    if (all.length > 0) wrong += 1;
    problems += all.length;
  }
  const failure = [...contracts.values()].find((one) => 'failure' in one);
  return { files, wrong, problems, ...(failure && { unread: failure.failure }) };
}

type ReadContract =
  | { readonly contract: ModelContract }
  | { readonly missing: string }
  | { readonly failure: string };

/** The files are read one after another and again later, so that the trees of all are never held together. */
async function contractsOf(
  { catalog, connection }: Services,
  uris: readonly vscode.Uri[],
  progress: vscode.Progress<{ message?: string }>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadContract>> {
  const queue = new PQueue({ concurrency: CONTRACTS_AT_ONCE });
  const contracts = new Map<string, ReadContract>();
  const wanted = new Map<string, { model: string | undefined; environment: Environment | undefined }>();
  for await (const { text } of runFileTexts(uris)) {
    if (signal.aborted) break;
    const file = readRunFile(text);
    const environment = environmentFor(file, connection);
    wanted.set(contractKey(file, environment), { model: modelIn(file), environment });
  }
  await Promise.all(
    [...wanted].map(([key, { model, environment }]) =>
      queue.add(async () => {
        if (signal.aborted || model === undefined || !environment) return;
        progress.report({ message: model });
        contracts.set(key, await contractOrNone(catalog.of(environment), model, signal));
      }),
    ),
  );
  return contracts;
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

function contractKey(file: ReadRunFile, environment: Environment | undefined): string {
  return JSON.stringify([modelIn(file), environment && environmentId(environment)]);
}

function missingModel(model: string): RunFileProblem {
  return {
    source: 'changed',
    severity: 'error',
    pointer: '/model',
    message: l10n.t('The service has no model “{0}”: it may have been renamed or removed.', model),
  };
}
