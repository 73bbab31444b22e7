import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import type { LoadedExperiment } from '../../experiments/file/load';
import { resultPlaces } from '../../experiments/results/resultsFile';
import { loadForRuns } from '../../experiments/setup/loadForRuns';
import { filenameOf } from '../../platform/localFile';
import { requiredEnvironment } from '../../platform/runFiles/environment';
import { notRunText, readFileAt } from '../../platform/runFiles/load';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import { showErrorMessage } from '../../vscode/messages/notifications';
import { withSlowProgress } from '../../vscode/slowProgress';

export interface ReadyExperiment {
  readonly environment: Environment;
  readonly loaded: LoadedExperiment;
  /** Doubts about it, in sentences. */
  readonly warnings: readonly string[];
  /** A sentence about the runs; missing: the experiment's own size. */
  readonly purpose?: string;
}

/**
 * Reads an experiment as its editor has it, with its inputs and the contracts of its models. Undefined: it cannot be
 * run, and that was shown.
 * @throws vscode.CancellationError when the user gave up waiting
 */
export async function readyExperiment(
  services: Services,
  file: vscode.Uri,
): Promise<ReadyExperiment | undefined> {
  if (file.scheme !== 'file')
    throw new Error(l10n.t('Experiments run in a folder on disk. Save this one there first.'));
  const read = await readFileAt(file);
  const environment = await requiredEnvironment(file, read, services.connection);
  const catalog = services.catalog.of(environment);
  const title = l10n.t('Reading the inputs of {0}…', filenameOf(file));
  const { loaded, problems, doubts } = await withSlowProgress(title, (signal) =>
    loadForRuns(file.fsPath, read.text, resultPlaces(file.fsPath).file, (model) =>
      catalog.contract(model, { signal }),
    ),
  );
  if (loaded)
    return { environment, loaded, warnings: [...problems.map(({ message }) => message), ...doubts] };
  const show = l10n.t('Show Problems');
  if ((await showErrorMessage(notRunText(file, problems)!, show)) === show)
    await executeBuiltIn('workbench.actions.view.problems');
  return undefined;
}
