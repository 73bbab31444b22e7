import * as vscode from 'vscode';
import { type ScopesRow, views } from '../../contributions';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { LazyTree } from '../../vscode/lazyTree';
import { createTreeView } from '../../vscode/messages/views';
import { registerChangeBadges } from './changeBadges';
import { DropOnScope } from './drop';
import type { ScopesNode } from './nodes';
import type { ScopesTree } from './tree';

/** The scopes view: indexed files, by scope, model and folder. */
export function registerScopes(services: Services): vscode.Disposable {
  const tree = new LazyTree<ScopesNode, ScopesTree>(
    async () => new (await import('./tree')).ScopesTree(services),
  );
  const view = createTreeView(views.scopes, {
    treeDataProvider: tree,
    showCollapseAll: true,
    dragAndDropController: new DropOnScope(),
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
      'modelBench.revealIndexed': async (row) => (await commands()).reveal(row),
      'modelBench.copyItemId': async (row) => (await commands()).copyId(row),
      'modelBench.showFailedFiles': async (row) => {
        const { showFailedFiles } = await import('./failedFiles');
        await showFailedFiles(services, row, await tree.load(), view);
      },
      'modelBench.showMoreItems': async (row?: ScopesRow) => {
        const first = row && (await (await tree.load()).showMore(row as ScopesNode));
        if (first) await view.reveal(first, { focus: true });
      },
    }),
    registerChangeBadges(services, (uri) => tree.loaded?.fileChanged(uri)),
  );
}
