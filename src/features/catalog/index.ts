import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys, views } from '../../contributions';
import { executeBuiltIn, executeCommand, registerCommands } from '../../platform/commands';
import { createTreeView } from '../../platform/messages/views';
import { openText } from '../../platform/textEditor';
import { readableText } from '../../service/jsonText';
import type { Services } from '../../services';
import { CatalogTree } from './tree';

/** The catalog view and what can be done in it. */
export function registerCatalog(services: Services): vscode.Disposable {
  const tree = new CatalogTree(services);
  const options = { treeDataProvider: tree, showCollapseAll: true };
  const view = createTreeView(views.catalog, options);
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
      'modelBench.filterCatalog': async () => {
        const texts = {
          title: l10n.t('Filter the Catalog'),
          placeholder: l10n.t('Name, description, tag or mode'),
        };
        const { askFilter } = await import('../../platform/askFilter');
        askFilter({ ...texts, before: tree.filter }, apply);
      },
      'modelBench.clearCatalogFilter': () => apply(''),
      'modelBench.showMoreModels': (group) => tree.showMore(group ?? ''),
      'modelBench.runCatalogModel': (node) =>
        node && executeCommand('modelBench.runModel', { model: node.model.slug }),
      'modelBench.indexWithModel': (node) =>
        node && executeCommand('modelBench.indexMedia', undefined, undefined, { model: node.model.slug }),
      'modelBench.searchWithModel': (node) =>
        node && executeCommand('modelBench.searchScope', { model: node.model.slug }),
      'modelBench.addFavourite': (node) => node && tree.setFavourite(node.model, true),
      'modelBench.removeFavourite': (node) => node && tree.setFavourite(node.model, false),
      'modelBench.copySlug': (node) => node && vscode.env.clipboard.writeText(node.model.slug),
      'modelBench.openContract': async (node) => {
        if (!node) return;
        const { raw } = await services.catalog.active.contract(node.model.slug, { fresh: true });
        await openText(await readableText(raw), 'json');
      },
    }),
  );
}

/** Beside the view's title: the environment, and what the filter leaves. */
function description(tree: CatalogTree, { connection }: Services): string {
  const environment = connection.active?.name ?? '';
  if (tree.filter === '') return environment;
  const { shown, all } = tree.counts;
  return l10n.t('{0} · “{1}”: {2} of {3} models', environment, tree.filter, shown, all);
}
