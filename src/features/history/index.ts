import * as vscode from 'vscode';
import { type RunTarget, views } from '../../contributions';
import { registerCommand } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import type { Services } from '../../services';
import { registerCompare } from './compare';
import type { HistoryNode } from './nodes';
import { HistoryTree } from './tree';

/** The history view, and what can be done with a run that is kept. */
export function registerHistory(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const { log } = services;
  const tree = store.add(new HistoryTree(services));
  const view = store.add(
    vscode.window.createTreeView(views.history, {
      treeDataProvider: tree,
      canSelectMany: true,
      showCollapseAll: true,
    }),
  );
  const rerun = () => import('./rerun');
  const actions = () => import('./runActions');
  store.add(registerCompare(services));
  store.add(
    registerCommand('modelBench.openRun', async (run) => (await rerun()).openRun(services, run), log),
  );
  store.add(
    registerCommand('modelBench.runAgain', async (run) => (await rerun()).runAgain(services, run), log),
  );
  store.add(
    registerCommand(
      'modelBench.runWithAnotherModel',
      async (run) => (await rerun()).runWithAnotherModel(services, run),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.deleteRuns',
      // A keybinding passes no row: what is selected in the view is meant.
      async (run, selected) =>
        (await actions()).deleteRuns(services, run, selected ?? (run ? [run] : runsIn(view))),
      log,
    ),
  );
  store.add(
    registerCommand('modelBench.clearHistory', async () => (await actions()).clearHistory(services), log),
  );
  store.add(
    registerCommand('modelBench.saveResult', async (run) => (await actions()).saveResult(services, run), log),
  );
  store.add(
    registerCommand('modelBench.openResult', async (run) => (await actions()).openResult(services, run), log),
  );
  store.add(
    registerCommand(
      'modelBench.copyRunRequest',
      async (run) => (await actions()).copyRequest(services, run),
      log,
    ),
  );
  store.add(
    registerCommand('modelBench.settleRun', async (run) => (await actions()).settleRun(services, run), log),
  );
  return store;
}

function runsIn(view: vscode.TreeView<HistoryNode>): readonly RunTarget[] {
  return view.selection.flatMap((node) => (node.kind === 'run' ? [node.run] : node.runs));
}
