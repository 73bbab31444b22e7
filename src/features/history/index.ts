import * as vscode from 'vscode';
import { type RunTarget, views } from '../../contributions';
import { registerCommands } from '../../platform/commands';
import type { Services } from '../../services';
import { registerCompare } from './compare';
import type { HistoryNode } from './nodes';
import { HistoryTree } from './tree';

/** The history view, and what can be done with a run that is kept. */
export function registerHistory(services: Services): vscode.Disposable {
  const tree = new HistoryTree(services);
  const options = { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true };
  const view = vscode.window.createTreeView(views.history, options);
  const rerun = () => import('./rerun');
  const actions = () => import('./runActions');
  return vscode.Disposable.from(
    tree,
    view,
    registerCompare(services),
    registerCommands(services.log, {
      'modelBench.openRun': async (run) => (await rerun()).openRun(services, run),
      'modelBench.runAgain': async (run) => (await rerun()).runAgain(services, run),
      'modelBench.runWithAnotherModel': async (run) => (await rerun()).runWithAnotherModel(services, run),
      // A keybinding passes no row: the view's selection is meant.
      'modelBench.deleteRuns': async (run, selected) =>
        (await actions()).deleteRuns(services, selected ?? (run ? [run] : runsIn(view))),
      'modelBench.clearHistory': async () => (await actions()).clearHistory(services),
      'modelBench.saveResult': async (run) => (await actions()).saveResult(services, run),
      'modelBench.openResult': async (run) => (await actions()).openResult(services, run),
      'modelBench.copyRunRequest': async (run) => (await actions()).copyRequest(services, run),
      'modelBench.settleRun': async (run) => (await actions()).settleRun(services, run),
    }),
  );
}

function runsIn(view: vscode.TreeView<HistoryNode>): readonly RunTarget[] {
  return view.selection.flatMap((node) => (node.kind === 'run' ? [node.run] : node.runs));
}
