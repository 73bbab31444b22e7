import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys, type RunTarget, views } from '../../contributions';
import { assertNever } from '../../domain/assertNever';
import type { Services } from '../../services';
import { executeBuiltIn, registerCommands } from '../../vscode/commands';
import { LazyTree } from '../../vscode/lazyTree';
import { createTreeView } from '../../vscode/messages/views';
import { isRun, registerCompare } from './compare';
import { registerAcceptedRuns } from './followAccepted';
import type { HistoryNode } from './nodes';
import type { HistoryTree } from './tree';

/** The history view, and the actions of a kept run. */
export function registerHistory(services: Services): vscode.Disposable {
  const tree = new LazyTree<HistoryNode, HistoryTree>(
    async () => new (await import('./tree')).HistoryTree(services),
  );
  const options = { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true };
  const view = createTreeView(views.history, options);
  const rerun = () => import('./rerun');
  const actions = () => import('./runActions');
  const marks = () => import('./marks');
  const filter = async (text: string) => {
    const shown = await tree.load();
    if (text.trim() === shown.filter) return;
    shown.filter = text;
    // Beside the title of the view.
    view.description = shown.filter === '' ? '' : `“${shown.filter}”`;
    void executeBuiltIn('setContext', contextKeys.historyFiltered, shown.filter !== '');
  };
  return vscode.Disposable.from(
    tree,
    view,
    registerCompare(services, () => runsIn(view)),
    registerAcceptedRuns(services),
    registerCommands(services.log, {
      'modelBench.openRun': async (run) => (await rerun()).openRun(services, run),
      'modelBench.findRun': async () => (await rerun()).openRun(services, undefined),
      'modelBench.runAgain': async (run) => (await rerun()).runAgain(services, run),
      'modelBench.editAndRunAgain': async (run) => (await rerun()).editAndRunAgain(services, run),
      'modelBench.runWithAnotherModel': async (run) => (await rerun()).runWithAnotherModel(services, run),
      // A keybinding passes no row: the view's selection is meant.
      'modelBench.deleteRuns': async (run, selected) =>
        (await actions()).deleteRuns(services, selected ?? (run ? [run] : runsIn(view))),
      'modelBench.pinRuns': async (run, selected) =>
        (await marks()).pinRuns(services, selected ?? (run ? [run] : runsIn(view))),
      'modelBench.unpinRuns': async (run, selected) =>
        (await marks()).unpinRuns(services, selected ?? (run ? [run] : runsIn(view))),
      'modelBench.renameRun': async (run) => (await marks()).renameRun(services, run ?? runsIn(view)[0]),
      'modelBench.filterHistory': async () => {
        const texts = {
          title: l10n.t('Filter the History'),
          placeholder: l10n.t('Words of the input, model, file, name or message'),
        };
        const { askFilter } = await import('../../vscode/askFilter');
        askFilter({ ...texts, before: (await tree.load()).filter }, filter);
      },
      'modelBench.clearHistoryFilter': () => filter(''),
      'modelBench.clearHistory': async () => (await actions()).clearHistory(services),
      'modelBench.saveResult': async (run) => (await actions()).saveResult(services, run),
      'modelBench.openResult': async (run) => (await actions()).openResult(services, run),
      'modelBench.copyRunRequest': async (run) => (await actions()).copyRequest(services, run),
      'modelBench.saveAsRunFile': async (run) => {
        const panel = services.runPanels.active?.();
        if (isRun(run)) await (await actions()).saveRunFile(services, run);
        else if (panel) panel.saveAsRunFile();
        else await (await actions()).saveRunFile(services, undefined);
      },
      'modelBench.askAgain': async (run) => (await actions()).askAgainFor(services, run),
      'modelBench.settleRun': async (run, selected) =>
        (await actions()).settleRuns(services, selected ?? (run ? [run] : [])),
    }),
  );
}

function runsIn(view: vscode.TreeView<HistoryNode>): readonly RunTarget[] {
  return view.selection.flatMap((node) => {
    switch (node.kind) {
      case 'run':
      case 'job':
        return [node];
      case 'group':
        return node.entries;
      case 'jobRun':
      case 'more':
      case 'problem':
        return [];
      default:
        return assertNever(node);
    }
  });
}
