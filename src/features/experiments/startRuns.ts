import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type InterruptedExperiment,
  planRuns,
  type RunningExperiment,
  remainingRuns,
} from '../../experiments/experimentJobs';
import { experimentPorts } from '../../experiments/experimentPorts';
import type { ItemFile } from '../../experiments/items';
import type { Cell } from '../../experiments/plan';
import { cannotWriteText, resultPlaces } from '../../experiments/resultsFile';
import { restoreResults, type SortedRuns, sortRuns } from '../../experiments/wantedRuns';
import { filenameOf, uploadSourceOf } from '../../platform/localFile';
import {
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../platform/messages/notifications';
import { readSetting } from '../../platform/settings';
import type { Services } from '../../services';
import type { WantedRuns } from './experimentRuns';
import { loadForRuns, type ReadyExperiment } from './loadForRuns';
import { choicesOf, describeRuns, nothingToRunText } from './runQuestion';

/**
 * Reads an experiment, asks once, and plans its runs: they are not started yet. Undefined: there is nothing to run, or
 * it was not wanted.
 * @param interrupted what a closed window has left of it
 */
export async function startRuns(
  services: Services,
  file: vscode.Uri,
  which: WantedRuns,
  interrupted: InterruptedExperiment | undefined,
): Promise<RunningExperiment | undefined> {
  const ready = await loadForRuns(services, file);
  if (!ready) return undefined;
  const store = await services.store();
  const results = resultPlaces(file.fsPath).file;
  const left = interrupted ? await remainingRuns(store, interrupted) : new Set<string>();
  const sorted = await sortedRuns(services, ready, results);
  if (!sorted) return undefined;
  const cells = isResumed(services, ready, sorted, left)
    ? sorted.missing
    : await askedFor(services, ready, sorted, which);
  if (!cells || cells.length === 0) return undefined;
  return plan(services, file, ready, results, { cells, since: sorted.since, known: sorted.known });
}

/** The runs by their outcomes, after lost results were restored. Undefined: the user gave up. */
async function sortedRuns(
  services: Services,
  { loaded }: ReadyExperiment,
  results: string,
): Promise<SortedRuns | undefined> {
  const store = await services.store();
  const sorted = await sortRuns(store, loaded, results);
  const { lost } = sorted;
  if (lost.length === 0) return sorted;
  const restore = l10n.t('Restore Results');
  const again = l10n.t('Run Again');
  const question =
    lost.length === 1
      ? l10n.t('1 result is no longer in {0}. Restore it?', filenameOf(vscode.Uri.file(results)))
      : l10n.t(
          '{0} results are no longer in {1}. Restore them?',
          lost.length,
          filenameOf(vscode.Uri.file(results)),
        );
  const detail = l10n.t(
    'They were paid for and are still kept on this computer. Restoring them sends nothing; running them again is charged.',
  );
  const chosen = await showInformationMessage(question, { modal: true, detail }, restore, again);
  if (chosen === again) return sorted;
  if (chosen !== restore) return undefined;
  await restoreResults(store, results, lost);
  return sortRuns(store, loaded, results);
}

/** What a closed window has left is not asked for again, unless it became more, or is charged in production. */
function isResumed(
  { connection }: Services,
  { environment }: ReadyExperiment,
  { missing }: SortedRuns,
  left: ReadonlySet<string>,
): boolean {
  if (missing.length === 0 || connection.isProduction(environment)) return false;
  return missing.every(({ customId }) => left.has(customId));
}

/** The runs that the user chose. Undefined: none. */
async function askedFor(
  services: Services,
  ready: ReadyExperiment,
  sorted: SortedRuns,
  which: WantedRuns,
): Promise<readonly Cell[] | undefined> {
  const choices = choicesOf(sorted, which);
  const [first] = choices;
  if (!first) {
    void showInformationMessage(nothingToRunText(ready.loaded, sorted));
    return undefined;
  }
  const { question, detail, warns } = await describeRuns(services, ready, sorted, first.cells);
  const ask = warns ? showWarningMessage : showInformationMessage;
  const chosen = await ask(question, { modal: true, detail }, ...choices.map(({ title }) => title));
  return choices.find(({ title }) => title === chosen)?.cells;
}

async function plan(
  services: Services,
  file: vscode.Uri,
  { environment, loaded }: ReadyExperiment,
  results: string,
  order: { readonly cells: readonly Cell[] } & Pick<SortedRuns, 'since' | 'known'>,
): Promise<RunningExperiment> {
  const memory = services.context.globalState;
  const uploadSource = ({ path }: ItemFile) => uploadSourceOf(vscode.Uri.file(path), memory);
  // Asked before the runs start: a question during them would block them.
  for (const one of loaded.files.values()) await uploadSource(one);
  (await services.guard()).approve(environment.baseUrl);
  const ports = experimentPorts({
    ...{ environment, contracts: loaded.contracts, uploadSource },
    // Opened before the job: what fails in a run itself may have been sent.
    runs: await services.runs(),
    client: () => services.connection.client(environment),
    concurrency: () => readSetting('indexing.concurrency'),
    timeoutMs: () => readSetting('runTimeoutSeconds') * 1_000,
  });
  return planRuns(await services.store(), {
    ...{ environment, file: file.fsPath, results, name: filenameOf(file), loaded, ports, ...order },
    cannotWrite: (error) => void showErrorMessage(cannotWriteText(results, error)),
  });
}
