import * as vscode from 'vscode';
import { views } from '../../contributions';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { LazyTree } from '../../vscode/lazyTree';
import { createTreeView } from '../../vscode/messages/views';
import { registerChangeBadges } from './changeBadges';
import type { ScopesNode } from './nodes';
import type { ScopesTree } from './tree';

/** The scopes view: indexed files, by scope, model and folder. */
export function registerScopes(services: Services): vscode.Disposable {
  const tree: LazyTree<ScopesNode, ScopesTree> = new LazyTree(
    async () => new (await import('./tree')).ScopesTree(services, (row) => view.reveal(row, { focus: true })),
  );
  const view: vscode.TreeView<ScopesNode> = createTreeView(views.scopes, {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  const describe = () => {
    view.description = services.connection.active?.name ?? '';
  };
  describe();
  // The code of commands is loaded when one is run: a window's start does not need it.
  const commands = () => import('./scopeCommands');
  return vscode.Disposable.from(
    tree,
    view,
    services.connection.onDidChange(describe),
    registerCommands(services.log, {
      'modelBench.addScope': async () => (await commands()).addScope(services),
      'modelBench.forgetScope': async (row) => (await commands()).forgetScope(services, row),
      'modelBench.showFailedFiles': async (row) => {
        const { showFailedFiles } = await import('./failedFiles');
        await showFailedFiles(services, row, await tree.load(), view);
      },
    }),
    registerChangeBadges(services, (uri) => tree.loaded?.fileChanged(uri)),
  );
}
