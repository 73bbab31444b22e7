import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { checkedInputs, nothingSentText, openDrift, seenLossText } from '../../experiments/figures/drift';
import { driftFile } from '../../experiments/figures/driftFile';
import type { LoadedExperiment } from '../../experiments/file/load';
import { checkAgainstEarlier } from '../../experiments/gate/earlier';
import type { GateCheck } from '../../experiments/gate/thresholds';
import { ExperimentStart, type StartPorts } from '../../experiments/plan/experimentStart';
import type { SortedRuns } from '../../experiments/plan/wantedRuns';
import { recordedTable } from '../../experiments/results/recordedTable';
import { readResultsFile } from '../../experiments/results/resultsFile';
import { columnNames } from '../../experiments/table/columnHead';
import { type OtherResults, tableWith } from '../../experiments/table/otherResults';
import { filenameOf } from '../../platform/localFile';
import type { Services } from '../../services';
import { showInformationMessage, showWarningMessage } from '../../vscode/messages/notifications';
import { showBeside } from './compareWith';
import type { ExperimentRuns } from './experimentRuns';
import { knownRunQuestions, showUnreadable } from './knownRuns';
import { readyExperiment } from './readyExperiment';
import { askedFor, plan } from './startRuns';

/** Sends some finished runs of an experiment again, after one question, and says whether a column has changed. */
export async function checkDrift(services: Services, runs: ExperimentRuns, file: vscode.Uri): Promise<void> {
  const ready = await readyExperiment(services, file);
  if (!ready) return;
  const { loaded, earlier } = await openDrift(ready.loaded, file.fsPath);
  const results = driftFile(file.fsPath, new Date());
  const store = await services.store();
  const purpose = l10n.t('Finished runs are sent again, to compare their results with those from before.');
  const readyWith = (sorted: SortedRuns) => ({ ...ready, loaded: sorted.loaded, purpose });
  let isOver = false;
  const ports: StartPorts = {
    ...(await knownRunQuestions(services, results)),
    isAgain: true,
    async choose(sorted) {
      isOver = sorted.missing.length === 0;
      return isOver ? undefined : askedFor(services, readyWith(sorted), sorted, { which: 'missing' });
    },
    plan: (sorted, cells) =>
      plan(
        services,
        file,
        readyWith(sorted),
        results,
        { ...sorted, runs: cells },
        l10n.t('the check of {0}', filenameOf(file)),
      ),
  };
  // Results of the check are compared with those before, not judged.
  const order = { store, loaded: { ...loaded, judges: [] }, results };
  const running = await runs.begin(file, () =>
    new ExperimentStart(order, { runs: ports, judges: ports }).runs().catch(showUnreadable),
  );
  if (!running && !isOver) return;
  await running?.done;
  const { checks, seen } = await checksOf(loaded, earlier, results);
  const notes = [seen, ...(isOver ? [nothingSentText(results)] : [])];
  if (await showChecks(checks, notes)) await showBeside(services, runs, file, results);
}

async function checksOf(
  loaded: LoadedExperiment,
  earlier: OtherResults,
  results: string,
): Promise<{ readonly checks: GateCheck[]; readonly seen: string }> {
  const now = await recordedTable(loaded, results, await readResultsFile(results));
  const { table } = await tableWith(now.table, [earlier]);
  const names = columnNames(loaded.plan);
  const { language } = vscode.env;
  const { margin } = loaded.experiment;
  const checks = await checkAgainstEarlier(table, now.metrics, names, language, {
    demand: 'unchanged',
    margin,
  });
  return {
    checks,
    seen: seenLossText(checkedInputs(now.table), names.length * now.metrics.length),
  };
}

/** Resolves to whether the user wants to see the results. */
async function showChecks(checks: readonly GateCheck[], notes: readonly string[]): Promise<boolean> {
  const changed = checks.filter(({ passed }) => !passed);
  const text =
    checks.length === 0
      ? l10n.t('No run can be compared with before.')
      : changed.length === 0
        ? l10n.t('No sign that a model has changed.')
        : l10n.t('Changed: {0}.', [...new Set(changed.map(({ column }) => column))].join(', '));
  const show = changed.length > 0 ? showWarningMessage : showInformationMessage;
  const open = l10n.t('Show Results');
  const [first] = changed.length > 0 ? changed : checks;
  const chosen = await show(
    [text, first && `${first.column}: ${first.message}.`, ...notes].filter(Boolean).join(' '),
    open,
  );
  return chosen === open;
}
