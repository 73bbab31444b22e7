import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { VariationTarget } from '../../contributions';
import type { Json } from '../../domain/json';
import { localRefs } from '../../domain/media';
import type { RunDraft } from '../../domain/run';
import { withGrantedFiles } from '../../platform/grantedFiles';
import { saveAsRunFile } from '../../platform/runFiles/save';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { showQuickPick } from '../../vscode/messages/inputs';
import { readyExperiment } from './readyExperiment';

/** Use This Variation: its request in a run panel, or as a run file. Runs nothing. */
export async function useVariation(
  services: Services,
  file: vscode.Uri,
  { variation, item }: VariationTarget,
): Promise<void> {
  const ready = await readyExperiment(services, file);
  if (!ready) return;
  const { runs } = ready.loaded.plan;
  const cell =
    runs.find(({ serves }) =>
      serves.some((place) => place.variation === variation && (item === undefined || place.item === item)),
    ) ?? runs.find(({ serves }) => serves.some((place) => place.variation === variation));
  if (!cell) throw new Error(l10n.t('No run of this variation can be sent. Fix the experiment first.'));
  const { mode = 'execute', ...request } = cell.request;
  const draft: RunDraft = { ...request, mode };
  const panel = { label: l10n.t('Open in Run Panel') };
  const runFile = { label: l10n.t('Save as Run File…') };
  const chosen = await showQuickPick([panel, runFile], { title: l10n.t('Use this variation') });
  if (chosen === runFile) {
    const saved = await saveAsRunFile(draft, vscode.Uri.joinPath(file, '..'));
    if (saved) await vscode.window.showTextDocument(saved, { preview: false });
  }
  if (chosen !== panel) return;
  const { model, scope, options, input, params } = draft;
  const args = { model, mode, environment: ready.environment.name, scope, options, input, params };
  // Of the experiment's own folder: the user chose the run that names them.
  const files = localRefs(cell.request as unknown as Json).filter((file) => ready.loaded.files.has(file));
  await executeCommand('modelBench.runModel', withGrantedFiles(args, files));
}
