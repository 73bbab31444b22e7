import * as vscode from 'vscode';
import type { RunTarget } from '../../contributions';
import type { RunRecord } from '../../runs/history/record';
import type { Services } from '../../services';
import { factsOf } from './nodes';

/** The runs of a command: rows of the view, or those picked from a list when it was called from the palette. */
export async function targetRuns(
  services: Services,
  clicked: RunTarget | undefined,
  selected: readonly RunTarget[] | undefined,
  ask: { readonly title: string; readonly many?: boolean; readonly fits?: (run: RunRecord) => boolean },
): Promise<RunRecord[]> {
  const history = await services.history();
  const named = selected && selected.length > 0 ? selected : clicked ? [clicked] : undefined;
  const fits = ask.fits ?? (() => true);
  if (named) return named.flatMap(({ id }) => history.get(id) ?? []).filter(fits);
  const rows = history.runs.filter(fits).map((run) => ({
    label: run.modelName,
    description: factsOf(run).join(' · '),
    detail: new Date(run.startedAt).toLocaleString(vscode.env.language),
    run,
  }));
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The history has no matching runs yet.'));
    return [];
  }
  const options = { title: ask.title, matchOnDescription: true, matchOnDetail: true };
  if (ask.many) {
    const chosen = await vscode.window.showQuickPick(rows, { ...options, canPickMany: true });
    return chosen?.map(({ run }) => run) ?? [];
  }
  const chosen = await vscode.window.showQuickPick(rows, options);
  return chosen ? [chosen.run] : [];
}

/** A stored result as text, with JSON formatted; undefined for binary results. */
export function resultText(run: RunRecord, bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || !run.result) return undefined;
  if (/^(?:image|audio|video|font)\//.test(run.result.contentType) || bytes.subarray(0, 8192).includes(0)) {
    return undefined;
  }
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The request that was sent, or the draft when none was. */
export function requestOf(run: RunRecord): unknown {
  return run.request ?? run.draft;
}
