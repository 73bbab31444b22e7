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
      // The title of a page passes the page's own URI.
      'modelBench.compareRuns': async (clicked, rows = selected()) => {
        const { compareRuns, runsOfFile } = await compare();
        if (clicked && 'path' in clicked && isRunFileName(clicked.path)) {
          const runs = await runsOfFile(services, vscode.Uri.from(clicked));
          if (runs) await compareRuns(services, runs);
          return;
        }
        const shown = services.runPanels.active?.()?.shownRunId;
        const first = isRun(clicked) ? clicked : shown === undefined ? rows[0] : { id: shown };
        await compareRuns(services, rows.length >= 2 ? rows : first && [first]);
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
