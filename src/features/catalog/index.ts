import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sharedFavourites } from '../../connection/modelMemory';
import { contextKeys, views } from '../../contributions';
import { openText } from '../../platform/textEditor';
import type { Services } from '../../services';
import { executeBuiltIn, registerCommands } from '../../vscode/commands';
import { createTreeView } from '../../vscode/messages/views';
import { filtered } from './arrangement';
import { ARRANGEMENT, CatalogTree } from './tree';

/** The catalog view and its actions. */
export function registerCatalog(services: Services): vscode.Disposable {
  const tree = new CatalogTree(services);
  const options = { treeDataProvider: tree, showCollapseAll: true };
  const view = createTreeView(views.catalog, options);
  // VS Code's Settings Sync takes these to other machines.
  const share = () => {
    const baseUrls = services.connection.environments.map(({ baseUrl }) => baseUrl);
    services.context.globalState.setKeysForSync([ARRANGEMENT, ...sharedFavourites(baseUrls)]);
  };
  share();
  // Not as the view's message: VS Code delays the rows after a message by a fifth of a second.
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
    services.connection.onDidChangeList(share),
    services.catalog.onDidChange(showFilter),
    services.connection.onDidChange(describe),
    registerCommands(services.log, {
      'modelBench.filterCatalog': async () => {
        const texts = {
          title: l10n.t('Filter the Catalog'),
          placeholder: l10n.t('Name, description, tag or mode; @image, @text, @audio, @video, @price<0.01'),
        };
        const { askFilter } = await import('../../vscode/askFilter');
        askFilter({ ...texts, before: tree.filter }, apply);
      },
      'modelBench.arrangeCatalog': async () => {
        const { askArrangement } = await import('./askArrangement');
        const chosen = await askArrangement(tree.arrangement);
        if (chosen) await tree.arrange(chosen);
      },
      'modelBench.clearCatalogFilter': () => apply(''),
      'modelBench.toggleFavourite': (node) => node && tree.toggleFavourite(node.model),
      'modelBench.openContract': async (node) => {
        if (!node) return;
        const { raw } = await services.catalog.active.contract(node.model.slug, { fresh: true });
        const { readableText } = await import('../../platform/jsonText');
        await openText(readableText(raw), 'json');
      },
    }),
  );
}

/** Beside the view's title: the environment, and the effect of the filter. */
function description(tree: CatalogTree, { catalog, connection }: Services): string {
  const environment = connection.active?.name ?? '';
  if (tree.filter === '') return environment;
  const { models = [] } = catalog.active;
  const shown = filtered(models, tree.filter).length;
  return l10n.t('{0} · “{1}”: {2} of {3} models', environment, tree.filter, shown, models.length);
}
