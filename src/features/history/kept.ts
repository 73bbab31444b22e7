import * as vscode from 'vscode';
import type { RunTarget } from '../../contributions';
import type { RunRecord } from '../../runs/history/record';
import type { Services } from '../../services';
import { factsOf } from './nodes';

interface RunQuestion {
  readonly title: string;
  readonly many?: boolean;
  /** Which runs the command is for; missing: all. */
  readonly fits?: ((run: RunRecord) => boolean) | undefined;
}

/** A command of one run: a row of the view, or one picked from a list when it is called from the palette. */
export function onRun(
  title: () => string,
  act: (run: RunRecord, services: Services) => unknown,
  fits?: RunQuestion['fits'],
) {
  return async (services: Services, target: RunTarget | undefined): Promise<void> => {
    const [run] = await targetRuns(services, target && [target], { title: title(), fits });
    if (run) await act(run, services);
  };
}

/** The runs of a command: those of the rows, or picked from a list where there are no rows. */
export async function targetRuns(
  services: Services,
  rows: readonly RunTarget[] = [],
  { title, many, fits = () => true }: RunQuestion,
): Promise<RunRecord[]> {
  const history = await services.history();
  if (rows.length > 0) return rows.flatMap(({ id }) => history.get(id) ?? []).filter(fits);
  const items = history.runs.filter(fits).map((run) => ({
    label: run.modelName,
    description: factsOf(run).join(' · '),
    detail: new Date(run.startedAt).toLocaleString(vscode.env.language),
    run,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The history has no matching runs yet.'));
    return [];
  }
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  const chosen = many
    ? await vscode.window.showQuickPick(items, { ...options, canPickMany: true })
    : [await vscode.window.showQuickPick(items, options)];
  return chosen?.flatMap((item) => item?.run ?? []) ?? [];
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
