import * as l10n from '@vscode/l10n';
import { comparesValues } from '../../experiments/file/askedMetrics';
import type { ExperimentFile } from '../../experiments/file/format';
import { groupColumns } from '../../experiments/table/groups';
import { showQuickPick } from '../../vscode/messages/inputs';

/**
 * Asks by which column of the inputs figures are grouped: '' for the expected label. Null: cancelled.
 * @param path absolute path of the experiment
 */
export async function askGroup(path: string, experiment: ExperimentFile | undefined): Promise<string | null> {
  if (!experiment) throw new Error(l10n.t('Fix the problems of the experiment first.'));
  const columns = await groupColumns(path, experiment);
  const items = [
    ...(comparesValues(experiment) ? [{ label: l10n.t('Expected label'), column: '' }] : []),
    ...columns.map((column) => ({ label: column, column })),
  ];
  const chosen = await showQuickPick(items, { title: l10n.t('Figures for each value of which column?') });
  return chosen?.column ?? null;
}
