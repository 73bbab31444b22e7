import { dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { isGone, moveUnlessTaken } from '../../experiments/files/door';
import { resultPlaces } from '../../experiments/results/resultsFile';
import type { Services } from '../../services';
import type { ExperimentRuns } from './experimentRuns';
import { isExperimentName } from './names';

/** The results of experiments that were renamed or moved go with them, once their runs have ended. */
export async function moveResults(
  services: Services,
  runs: ExperimentRuns,
  files: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[],
): Promise<void> {
  for (const { oldUri, newUri } of files) {
    const isExperiment = isExperimentName(oldUri.path) && isExperimentName(newUri.path);
    if (!isExperiment || oldUri.scheme !== 'file' || newUri.scheme !== 'file') continue;
    await runs.ended(oldUri);
    await moveResultsOf(services, oldUri.fsPath, newUri.fsPath);
  }
}

async function moveResultsOf(services: Services, from: string, to: string): Promise<void> {
  // It may have been renamed again while its runs went on.
  if ((await isGone(to)) || !(await isGone(from))) return;
  const [old, now] = [resultPlaces(from), resultPlaces(to)];
  if (!(await moveUnlessTaken(old.file, now.file))) return;
  await moveUnlessTaken(join(dirname(from), old.folder), join(dirname(to), now.folder));
  await (await services.store()).experimentResults.moved(old.file, now.file);
}
