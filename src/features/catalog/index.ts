import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys, views } from '../../contributions';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import { openText } from '../../platform/textEditor';
import type { Services } from '../../services';
import { executeBuiltIn, executeCommand, registerCommands } from '../../vscode/commands';
import type { Log } from '../../vscode/log';
import { createTreeView } from '../../vscode/messages/views';
import type { CatalogNode } from './nodes';
import { CatalogTree } from './tree';

/** That rows are loading is said no longer than this. */
const LOADING_MS = 60_000;

/** The catalog view and its actions. */
export function registerCatalog(services: Services): vscode.Disposable {
  const tree = new CatalogTree(services);
  const options = { treeDataProvider: tree, showCollapseAll: true };
  const view = createTreeView(views.catalog, options);
  // Not as the view's message: VS Code delays the rows after a message by a fifth of a second.
  const describe = () => {
    view.description = description(tree, services);
  };
  const showFilter = () => {
    describe();
    void executeBuiltIn('setContext', contextKeys.catalogFiltered, tree.filter !== '');
  };
  describe();
  let leftAt = 0;
  view.onDidChangeVisibility(({ visible }) => {
    if (!visible) leftAt = performance.now();
  });
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
      'modelBench.focusCatalog': async (askedAt = performance.now()) => {
        // A start may take seconds: then the side bar belongs to the user who has gone elsewhere.
        if (view.visible || leftAt < askedAt) await focusRows(view, tree, services);
      },
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
        const { readableText } = await import('../../platform/jsonText');
        await openText(readableText(raw), 'json');
      },
    }),
  );
}

/**
 * Focuses the list, once: a second time, a moment later, would close groups that the user has opened meanwhile. While
 * the view has no rows it says that they are loading, in place of its welcome text, which would take the focus with
 * it when they come.
 */
async function focusRows(
  view: vscode.TreeView<CatalogNode>,
  tree: CatalogTree,
  { connection, log }: Services,
): Promise<void> {
  if (tree.firstRow) return revealFirst(view, tree, log);
  // A list keeps the focus while the rows of another environment take the place of those in it.
  if (tree.hasRows) return void (await executeBuiltIn('modelBench.catalog.focus'));
  view.message = l10n.t('Loading the models of {0}…', connection.active?.name ?? '');
  try {
    await executeBuiltIn('modelBench.catalog.focus');
    await tree.untilGiven(LOADING_MS);
    // Not before the window has the rows: with neither them nor the message it shows the welcome text, and the list
    // loses the focus. It reads its messages in order, and responds to this one after the rows.
    await setImmediate();
    await executeBuiltIn('setContext', contextKeys.catalogFiltered, tree.filter !== '');
  } finally {
    view.message = undefined;
  }
}

async function revealFirst(view: vscode.TreeView<CatalogNode>, tree: CatalogTree, log: Log): Promise<void> {
  // VS Code knows a row once it has read its children.
  await setImmediate();
  if (tree.firstRow === undefined) return;
  try {
    await view.reveal(tree.firstRow, { focus: true, select: false });
  } catch (error) {
    // The rows changed meanwhile: there is nothing to tell the user, who has them.
    log.warn(logLine`The first row of the catalog was not focused: ${loggedError(error)}`);
  }
}

/** Beside the view's title: the environment, and the effect of the filter. */
function description(tree: CatalogTree, { connection }: Services): string {
  const environment = connection.active?.name ?? '';
  if (tree.filter === '') return environment;
  const { shown, all } = tree.counts;
  return l10n.t('{0} · “{1}”: {2} of {3} models', environment, tree.filter, shown, all);
}
