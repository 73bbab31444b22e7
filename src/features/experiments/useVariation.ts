import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { VariationTarget } from '../../contributions';
import type { Json } from '../../domain/json';
import { isLocalRef, isMediaObject } from '../../domain/media';
import type { RunDraft } from '../../domain/run';
import { isObject } from '../../domain/value';
import { saveAsRunFile } from '../../platform/runFiles/save';
import type { Services } from '../../services';
import { executeCommand } from '../../vscode/commands';
import { showQuickPick } from '../../vscode/messages/inputs';
import { loadForRuns } from './loadForRuns';

/** Use This Variation: its request in a run panel, or as a run file. Runs nothing. */
export async function useVariation(
  services: Services,
  file: vscode.Uri,
  { variation, item }: VariationTarget,
): Promise<void> {
  const ready = await loadForRuns(services, file);
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
  // A panel reads no file that was not chosen in it.
  const { model, scope, options } = draft;
  await executeCommand('modelBench.runModel', {
    model,
    mode,
    environment: ready.environment.name,
    scope,
    options,
    input: withoutFiles(draft.input) as RunDraft['input'],
    params: withoutFiles(draft.params) as RunDraft['params'],
  });
}

function withoutFiles(value: Json): Json {
  if (Array.isArray(value)) return value.filter(isNoFile).map(withoutFiles);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => isNoFile(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutFiles(member)]));
}

function isNoFile(value: Json): boolean {
  return !isMediaObject(value) || !isLocalRef(value.media_ref);
}
