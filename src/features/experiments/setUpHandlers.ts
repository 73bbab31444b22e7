import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { withGrid } from '../../experiments/file/editGrid';
import { betterPart, judgedResults, partVerdicts } from '../../experiments/setup/comparedParts';
import { withoutColumn } from '../../experiments/setup/removedColumn';
import { withLabel } from '../../experiments/setup/renamed';
import type { Handlers } from '../../protocol/channel';
import type { setUpMethods } from '../../protocol/experimentSetUp';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import type { ExperimentRuns } from './experimentRuns';
import { SetUpEdits } from './setUpEdits';
import { shownSetUp } from './shownSetUp';
import type { ShownTable } from './shownTable';

/** The shown table, and the one of the present text. */
export interface ShownTables {
  shown(): Promise<ShownTable>;
  newest(): Promise<ShownTable>;
}

/** The page's requests for setting up an experiment. */
export function setUpHandlers(
  document: vscode.TextDocument,
  services: Services,
  runs: ExperimentRuns,
  { shown, newest }: ShownTables,
): Handlers<typeof setUpMethods> {
  const { uri } = document;
  const edits = new SetUpEdits(document, services);
  const columns = columnHandlers(edits, shown);
  return {
    ...columns,
    edit: (change) => edits.grid(change),
    vary: ({ pointer }) => edits.vary(pointer),
    addCheck: async () => {
      const { askCheck } = await import('./askMetric');
      const entry = await askCheck();
      if (entry) await edits.addMetric(entry);
    },
    addJudge: async () => {
      const { experiment, folder } = edits;
      if (!experiment) throw new Error(l10n.t('Fix the problems of the experiment first.'));
      const { askJudge } = await import('./askJudge');
      const entry = await askJudge(services, folder, experiment);
      if (!entry || typeof entry.judge !== 'string') return;
      await edits.addMetric(entry);
      const file = vscode.Uri.joinPath(folder, entry.judge);
      await executeBuiltIn('vscode.open', file, { viewColumn: vscode.ViewColumn.Beside });
    },
    setUp: async () => shownSetUp(await shown(), uri, services),
    chooseModel: ({ more }) => edits.chooseModel(more),
    chooseInputs: ({ kind }) => edits.chooseInputs(kind),
    useColumn: ({ column, use }) =>
      edits.useColumn(column, use === 'expected' ? use : use === '' ? 'none' : { place: use }),
    labelByFolder: ({ on }) => edits.labelByFolder(on),
    startSetUp: async ({ which, offer }) => {
      if (!(await runs.start(uri, which, offer))) return false;
      // Opened again, it shows its results.
      if (which !== 'trial') runs.settingUp.delete(uri.toString());
      void runs
        .ended(uri)
        .then(async () => adoptPart(edits, await newest()))
        .catch((error: unknown) => services.log.warn(loggedError(error)));
      return true;
    },
  };
}

type ColumnMethods = 'duplicateColumn' | 'renameColumn' | 'removeColumn';

/** The actions of a column's menu in the table. */
function columnHandlers(
  edits: SetUpEdits,
  shown: ShownTables['shown'],
): Pick<Handlers<typeof setUpMethods>, ColumnMethods> {
  return {
    duplicateColumn: async ({ column }) => {
      const variation = (await shown()).source.own.plan.variations[column];
      const { experiment } = edits;
      if (!variation || !experiment) return;
      const { askDuplicate } = await import('./askValue');
      const chosen = await askDuplicate(experiment, variation);
      if (chosen === 'model') await edits.chooseModel(true);
      else if (chosen === 'none') await edits.vary();
      else if (chosen) await edits.grid({ vary: chosen });
    },
    renameColumn: async ({ column }) => {
      const variation = (await shown()).source.own.plan.variations[column];
      if (!variation) return;
      const { askLabel } = await import('./askValue');
      const asked = await askLabel(variation, edits.experiment?.labels);
      if (asked) await edits.write((text) => withLabel(text, asked.pointer, asked.value, asked.name));
    },
    removeColumn: async ({ column }) => {
      const variation = (await shown()).source.table.plan.variations[column];
      const change = variation && withoutColumn(edits.experiment?.vary, variation);
      if (!change) throw new Error(l10n.t('Several columns have each of its values. Change them in Set Up.'));
      await edits.write((text) =>
        withLabel(withGrid(text, { vary: change }), change.pointer, variation[change.pointer]!, ''),
      );
    },
  };
}

/** Compares a part of the results that fits, where the file names none and the whole result never can be right. */
async function adoptPart(edits: SetUpEdits, { source }: ShownTable): Promise<void> {
  const { experiment } = edits;
  if (!experiment?.expected || 'judged' in experiment.expected || experiment.expected.at !== undefined)
    return;
  if (source.metrics.some((metric) => 'hits' in metric)) return;
  const { plan, results, comparing } = source.table;
  const better = betterPart(partVerdicts(judgedResults(experiment, plan, results), comparing.isText));
  if (better) await edits.grid({ compared: { at: better.at } });
}
