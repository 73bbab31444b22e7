import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys, views } from '../../contributions';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import { executeBuiltIn, executeCommand, registerCommands } from '../../platform/commands';
import type { Log } from '../../platform/log';
import { createTreeView } from '../../platform/messages/views';
import { openText } from '../../platform/textEditor';
import { readableText } from '../../service/jsonText';
import type { Services } from '../../services';
import type { CatalogNode } from './nodes';
import { CatalogTree } from './tree';

/** Rows that come later than this are not focused. */
const FOCUS_WITHIN_MS = 5000;

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
      'modelBench.focusCatalog': () => focusRows(view, tree, services.log),
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

/**
 * Focuses the list, and does so once: a second time, a moment later, would close what the user has opened meanwhile. Only
 * a view that still shows its welcome text is focused twice: the text takes the focus with it when the rows come.
 */
async function focusRows(view: vscode.TreeView<CatalogNode>, tree: CatalogTree, log: Log): Promise<void> {
  if (tree.firstRow === undefined) {
    const isList = tree.hasRows;
    await executeBuiltIn('modelBench.catalog.focus');
    // The list keeps the focus while the rows of another environment take the place of those in it.
    if (isList) return;
    // A user who has waited this long, or has left the view, is doing something else.
    if ((await tree.untilFirstRow(FOCUS_WITHIN_MS)) === undefined || !view.visible) return;
  }
  await revealFirst(view, tree, log);
}

async function revealFirst(view: vscode.TreeView<CatalogNode>, tree: CatalogTree, log: Log): Promise<void> {
  // VS Code knows a row once what it was given is read.
  await setImmediate();
  if (tree.firstRow === undefined) return;
  try {
    await view.reveal(tree.firstRow, { focus: true, select: false });
  } catch (error) {
    // The rows changed meanwhile: there is nothing to tell the user, who has them.
    log.warn(logLine`The first row of the catalog was not focused: ${loggedError(error)}`);
  }
}

/** Beside the view's title: the environment, and what the filter leaves. */
function description(tree: CatalogTree, { connection }: Services): string {
  const environment = connection.active?.name ?? '';
  if (tree.filter === '') return environment;
  const { shown, all } = tree.counts;
  return l10n.t('{0} · “{1}”: {2} of {3} models', environment, tree.filter, shown, all);
}
