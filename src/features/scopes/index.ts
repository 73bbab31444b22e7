import * as vscode from 'vscode';
import { type ScopesRow, views } from '../../contributions';
import { registerCommands } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import type { Services } from '../../services';
import { registerChangeBadges } from './changeBadges';
import { DropOnScope } from './drop';
import type { ScopesNode } from './nodes';
import { ScopesTree } from './tree';

/** The scopes view: what was indexed, by scope, model and folder. */
export function registerScopes(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const tree = store.add(new ScopesTree(services));
  const view = store.add(
    vscode.window.createTreeView(views.scopes, {
      treeDataProvider: tree,
      showCollapseAll: true,
      dragAndDropController: new DropOnScope(),
    }),
  );
  const describe = () => {
    view.description = services.connection.active?.name ?? '';
  };
  store.add(services.connection.onDidChange(describe));
  describe();
  // What commands do is loaded when one is run: a window's start does not need it.
  const commands = () => import('./scopeCommands');
  store.add(
    registerCommands(services.log, {
      'modelBench.addScope': async () => (await commands()).addScope(services),
      'modelBench.forgetScope': async (row) => (await commands()).forgetScope(services, row),
      'modelBench.revealIndexed': async (row) => (await commands()).reveal(row),
      'modelBench.copyItemId': async (row) => (await commands()).copyId(row),
      'modelBench.showMoreItems': async (row?: ScopesRow) => {
        const first = row && (await tree.showMore(row as ScopesNode));
        if (first) await view.reveal(first, { focus: true });
      },
    }),
  );
  store.add(registerChangeBadges(services, (uri) => tree.fileChanged(uri)));
  return store;
}
