import * as vscode from 'vscode';
import { checkDraft } from '../../forms/checkDraft';
import { executeCommand } from '../../platform/commands';
import { chooseModel } from '../../platform/pickers/chooseModel';
import type { RunRecord } from '../../runs/history/record';
import type { Services } from '../../services';
import { onRun } from './kept';

/** Opens a panel with a run's work in it. Nothing is sent: a run costs money, and the user presses Run. */
async function openPanel(run: RunRecord, more: { model?: string; historyId?: string } = {}): Promise<void> {
  const { model, mode, scope, input, params } = run.draft;
  await executeCommand('modelBench.runModel', {
    model,
    mode,
    ...(scope !== undefined && { scope }),
    input,
    params,
    // Only the user's own choice put a file here; the panel may use it again.
    attachments: run.attachments.map(({ uri }) => uri),
    ...more,
  });
}

export const openRun = onRun(
  () => vscode.l10n.t('Open Run'),
  (run) => openPanel(run, { historyId: run.id }),
);

export const runAgain = onRun(
  () => vscode.l10n.t('Run Again'),
  (run) => openPanel(run),
);

/** Models are looked at in their cached details; beyond this many the service would be asked too often. */
const MOST_ASKED = 40;

const anotherModelTitle = () => vscode.l10n.t('Run with Another Model');

export const runWithAnotherModel = onRun(anotherModelTitle, async (run, services) => {
  const fitting = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Looking for models that accept this input…'),
      cancellable: true,
    },
    (_, token) => modelsFor(services, run, token),
  );
  if (!fitting) return;
  if (fitting.size === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No other model in the catalog accepts this input in the mode “{0}”.', run.draft.mode),
    );
    return;
  }
  const chosen = await chooseModel(services.catalog, {
    title: anotherModelTitle(),
    fits: ({ slug }) => (fitting.has(slug) ? 'yes' : 'no'),
  });
  if (chosen) await openPanel(run, { model: chosen.slug });
});

/** Slugs of the models whose contract allows the run's mode, input and parameters; undefined when the user cancelled. */
async function modelsFor(
  services: Services,
  run: RunRecord,
  token: vscode.CancellationToken,
): Promise<ReadonlySet<string> | undefined> {
  const stop = new AbortController();
  token.onCancellationRequested(() => stop.abort());
  const models = services.catalog.models ?? (await services.catalog.refresh());
  const fitting = new Set<string>();
  let asked = 0;
  for (const model of models) {
    if (token.isCancellationRequested) return undefined;
    const told = model.modeNames.length === 0 || model.modeNames.includes(run.draft.mode);
    if (model.slug === run.draft.model || !told) continue;
    const cached = await services.catalog.cachedContract(model.slug);
    if (!cached && asked++ >= MOST_ASKED) continue;
    const contract =
      cached ?? (await services.catalog.contract(model.slug, { signal: stop.signal }).catch(() => undefined));
    if (contract && checkDraft(contract, { ...run.draft, model: model.slug }).length === 0)
      fitting.add(model.slug);
  }
  return fitting;
}
