import * as vscode from 'vscode';
import { contextKeys, views } from '../../contributions';
import { executeBuiltIn, registerCommands } from '../../platform/commands';
import { openText } from '../../platform/textEditor';
import type { Services } from '../../services';
import { CatalogTree } from './tree';

/** The catalog view and what can be done in it. */
export function registerCatalog(services: Services): vscode.Disposable {
  const tree = new CatalogTree(services);
  const options = { treeDataProvider: tree, showCollapseAll: true };
  const view = vscode.window.createTreeView(views.catalog, options);
  // Not as the view's message: VS Code holds back what follows a message, the filtered rows, for a fifth of a second.
  const describe = () => {
    view.description = description(tree, services);
  };
  const showFilter = () => {
    describe();
    void executeBuiltIn('setContext', contextKeys.catalogFiltered, tree.filter !== '');
  };
  describe();
  const apply = (filter: string) => {
    tree.filter = filter;
    showFilter();
  };
  return vscode.Disposable.from(
    tree,
    view,
    services.catalog.onDidChange(showFilter),
    services.connection.onDidChange(describe),
    registerCommands(services.log, {
      'modelBench.filterCatalog': () => askFilter(tree.filter, apply),
      'modelBench.clearCatalogFilter': () => apply(''),
      'modelBench.showMoreModels': (group) => tree.showMore(group ?? ''),
      'modelBench.copySlug': (node) => node && vscode.env.clipboard.writeText(node.model.slug),
      'modelBench.openContract': async (node) => {
        if (!node) return;
        const { raw } = await services.catalog.contract(node.model.slug, { fresh: true });
        await openText(JSON.stringify(raw, null, 2), 'json');
      },
    }),
  );
}

/** Beside the view's title: the environment, and what the filter leaves. */
function description(tree: CatalogTree, { connection }: Services): string {
  const environment = connection.active?.name ?? '';
  if (tree.filter === '') return environment;
  const { shown, all } = tree.counts;
  return vscode.l10n.t('{0} · “{1}”: {2} of {3} models', environment, tree.filter, shown, all);
}

/** Filters as one types; Escape brings the former filter back. */
function askFilter(before: string, apply: (filter: string) => void): void {
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Filter the Catalog');
  box.placeholder = vscode.l10n.t('Name, description, tag or mode');
  box.value = before;
  let accepted = false;
  box.onDidChangeValue(apply);
  box.onDidAccept(() => {
    accepted = true;
    box.hide();
  });
  box.onDidHide(() => {
    if (!accepted) apply(before);
    box.dispose();
  });
  box.show();
}
