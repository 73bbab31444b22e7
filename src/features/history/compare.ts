import * as vscode from 'vscode';
import type { RunTarget } from '../../contributions';
import { executeBuiltIn, registerCommands } from '../../platform/commands';
import type { RunRecord } from '../../runs/history/record';
import type { Services } from '../../services';
import { runStateText } from '../../wording/runStates';
import { requestOf, resultText, targetRuns } from './kept';

/** Runs as read-only documents, which VS Code's own diff editor compares. */
const SCHEME = 'model-bench-run';

export function registerCompare(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => documentOf(services, uri.query),
    }),
    registerCommands(services.log, {
      'modelBench.compareRuns': (clicked, selected) =>
        compareRuns(services, selected && selected.length >= 2 ? selected : clicked && [clicked]),
    }),
  );
}

async function compareRuns(services: Services, rows: readonly RunTarget[] | undefined): Promise<void> {
  const runs = await targetRuns(services, rows, { title: vscode.l10n.t('Compare Runs') });
  const first = runs[0];
  if (!first) return;
  const second = runs[1] ?? (await otherRun(services, first));
  if (!second) return;
  // The older one on the left, as in any diff.
  const [left, right] = first.startedAt <= second.startedAt ? [first, second] : [second, first];
  const title = vscode.l10n.t('{0} ↔ {1}', nameOf(left), nameOf(right));
  await executeBuiltIn('vscode.diff', uriOf(left), uriOf(right), title, { preview: false });
}

/** What to compare with: runs of the same model first. */
async function otherRun(services: Services, first: RunRecord): Promise<RunRecord | undefined> {
  const { runs } = await services.history();
  const others = runs.filter(({ id }) => id !== first.id);
  const same = others.filter(({ draft }) => draft.model === first.draft.model);
  const row = (run: RunRecord) => ({
    label: nameOf(run),
    description: `${run.draft.mode} · ${runStateText(run.state)}`,
    run,
  });
  const rest = others.filter((run) => !same.includes(run));
  const chosen = await vscode.window.showQuickPick([...same, ...rest].map(row), {
    title: vscode.l10n.t('Compare {0} with…', nameOf(first)),
    matchOnDescription: true,
  });
  return chosen?.run;
}

function nameOf(run: RunRecord): string {
  const time = new Date(run.startedAt).toLocaleString(vscode.env.language, {
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return `${run.modelName}, ${time}`;
}

function uriOf(run: RunRecord): vscode.Uri {
  const name = nameOf(run).replaceAll(/[\\/]/g, '-');
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name}.json`, query: run.id });
}

async function documentOf(services: Services, id: string): Promise<string> {
  const history = await services.history();
  const run = history.get(id);
  if (!run) return vscode.l10n.t('This run is no longer in the history.');
  const result = readable(resultText(run, await history.result(id)));
  // Without identifiers and times, which differ between any two runs.
  const { state, status, message, cost } = run;
  const outcome = { state, status, message, cost };
  return JSON.stringify({ request: requestOf(run), outcome, result }, null, 2);
}

function readable(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text.split('\n');
  }
}
