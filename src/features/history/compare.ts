import * as vscode from 'vscode';
import { panels } from '../../contributions';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';

/** Runs as read-only documents, which VS Code's own diff editor compares. */
export const RUN_DOCUMENTS = 'model-bench-run';

export function registerCompare(services: Services): vscode.Disposable {
  const compare = () => import('./compareRuns');
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(RUN_DOCUMENTS, {
      provideTextDocumentContent: async (uri) =>
        (await import('./compareJson')).runDocument(services, uri.query),
    }),
    registerCommands(services.log, {
      'modelBench.compareRuns': async (clicked, selected) =>
        (await compare()).compareRuns(
          services,
          selected && selected.length >= 2 ? selected : clicked && [clicked],
        ),
    }),
    vscode.window.registerWebviewPanelSerializer(panels.compare, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await compare()).restoreComparison(services, panel, state),
    }),
  );
}
