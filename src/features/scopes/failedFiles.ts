import { setTimeout } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ScopesRow } from '../../contributions';
import { datasetKey } from '../../domain/dataset';
import { chooseIndexedDataset } from '../../platform/pickers/chooseDataset';
import type { Services } from '../../services';
import { executeBuiltIn } from '../../vscode/commands';
import type { ScopesNode } from './nodes';
import type { ScopesTree } from './tree';

/** Leads to the rows of files that failed, or else to those that are unconfirmed. A single file opens too. */
export async function showFailedFiles(
  services: Services,
  row: ScopesRow | undefined,
  tree: ScopesTree,
  view: vscode.TreeView<ScopesNode>,
): Promise<void> {
  const dataset = row
    ? row.dataset
    : await chooseIndexedDataset(services, {
        fits: ({ counts }) => counts.failed + counts.unknown > 0,
        none: l10n.t('No scope has files that failed or are unconfirmed.'),
      });
  if (!dataset) return;
  const summaries = (await services.store()).datasets.summaries(dataset.baseUrl);
  const counts = summaries.find((one) => datasetKey(one) === datasetKey(dataset))?.counts;
  const outcome = (counts?.failed ?? 0) > 0 ? 'failed' : 'unknown';
  await executeBuiltIn('modelBench.scopes.focus');
  const first = await tree.firstWith(dataset, outcome);
  if (!first) return;
  await revealDrawn(view, first, tree);
  if (counts?.[outcome] === 1 && first.kind === 'item')
    await executeBuiltIn('vscode.open', vscode.Uri.parse(first.item.file), { preserveFocus: true });
}

/** Tries to reveal a row, and the time in which VS Code selects it. */
const MOST_TRIES = 20;
const SELECTED_MS = 200;

/**
 * Reveals a row. VS Code passes over one below a scope that it has not drawn yet, and rejects nothing: a job has just
 * made the scope, or the view is being shown.
 */
async function revealDrawn(
  view: vscode.TreeView<ScopesNode>,
  row: ScopesNode,
  tree: ScopesTree,
): Promise<void> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    await view.reveal(row, { focus: true, select: true });
    if (view.selection.includes(row)) return;
    await setTimeout(SELECTED_MS);
    if (view.selection.includes(row)) return;
    if (tries === 1) tree.refresh();
  }
}
