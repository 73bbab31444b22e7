import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { RunTarget } from '../../contributions';
import type { RunRecord } from '../../domain/runRecord';
import { runFileUses } from '../../platform/runFiles/uses';
import { comparedRuns } from '../../protocol/compare';
import type { Services } from '../../services';
import { showInformationMessage } from '../../vscode/messages/notifications';
import { runAndTime } from './compareJson';
import { ComparePanel } from './comparePanel';
import { targetRuns } from './kept';
import { pickRuns } from './pickRuns';

/** Shows two runs side by side; asks for those that are not given. */
export async function compareRuns(services: Services, rows: readonly RunTarget[] | undefined): Promise<void> {
  const runs = await targetRuns(services, rows, { title: l10n.t('Compare Runs') });
  const first = runs[0];
  if (!first) return;
  // A pinned run may have been selected in both of its rows.
  const second = runs.find(({ id }) => id !== first.id) ?? (await otherRun(services, first));
  if (!second) return;
  // The older one on the left, as in any diff.
  const [left, right] = first.startedAt <= second.startedAt ? [first, second] : [second, first];
  new ComparePanel(ComparePanel.create(left, right), { left, right }, services);
}

/** The last two runs of a run file; undefined, and a message, before there are two. */
export async function runsOfFile(
  services: Services,
  file: vscode.Uri,
): Promise<readonly RunTarget[] | undefined> {
  const history = await services.history();
  const kept = (await runFileUses(services.context).runs(file)).filter((id) => history.get(id));
  if (kept.length >= 2) return kept.map((id) => ({ id }));
  void showInformationMessage(l10n.t('Run this file twice to compare its runs.'));
  return undefined;
}

/** After a reload; closes the panel when one of its runs is no longer in the history. */
export async function restoreComparison(
  services: Services,
  panel: vscode.WebviewPanel,
  state: unknown,
): Promise<void> {
  const saved = comparedRuns.safeParse(state);
  const history = await services.history();
  const left = saved.success ? history.get(saved.data.left) : undefined;
  const right = saved.success ? history.get(saved.data.right) : undefined;
  if (left && right) new ComparePanel(panel, { left, right }, services);
  else panel.dispose();
}

/** What to compare with: runs of the same model first. */
async function otherRun(services: Services, first: RunRecord): Promise<RunRecord | undefined> {
  const [chosen] = await pickRuns(await services.history(), {
    title: l10n.t('Compare {0} with…', runAndTime(first)),
    fits: ({ id }) => id !== first.id,
    offered: (history, limit) => {
      const same = history.runs.ofModel(first.draft.model, limit);
      const rest = history.runs.list({ limit }).filter(({ draft }) => draft.model !== first.draft.model);
      return [...same, ...rest];
    },
  });
  return chosen;
}
