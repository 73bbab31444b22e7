import * as vscode from 'vscode';
import { type FileTarget, panels, type RunTarget } from '../../contributions';
import { isRunFileName } from '../../platform/runFiles/names';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';

/** Runs as read-only documents, which VS Code's own diff editor compares. */
export const RUN_DOCUMENTS = 'model-bench-run';

/** @param selected the rows that are selected in the view */
export function registerCompare(services: Services, selected: () => readonly RunTarget[]): vscode.Disposable {
  const compare = () => import('./compareRuns');
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(RUN_DOCUMENTS, {
      provideTextDocumentContent: async (uri) =>
        (await import('./compareJson')).runDocument(services, uri.query),
    }),
    registerCommands(services.log, {
      'modelBench.compareRuns': async (clicked, rows = selected()) => {
        const { compareRuns, runsOfFile } = await compare();
        if (clicked && isRun(clicked)) {
          const isAmong = rows.length >= 2 && rows.some(({ id }) => id === clicked.id);
          return compareRuns(services, isAmong ? rows : [clicked]);
        }
        // The title of a page passes the page's own URI.
        if (clicked && isRunFileName(clicked.path)) {
          const runs = await runsOfFile(services, vscode.Uri.from(clicked));
          return runs && compareRuns(services, runs);
        }
        const shown = services.runPanels.active?.()?.shownRunId;
        return compareRuns(services, rows.length >= 2 || shown === undefined ? rows : [{ id: shown }]);
      },
    }),
    vscode.window.registerWebviewPanelSerializer(panels.compare, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await compare()).restoreComparison(services, panel, state),
    }),
  );
}

/** Whether a command was called with a run, and not with the URI of an editor that its title bar passes. */
export function isRun(target: RunTarget | FileTarget | undefined): target is RunTarget {
  return target !== undefined && 'id' in target;
}
