import * as vscode from 'vscode';
import { contextKeys, type ExplorerArgs, type ScopesNodeArg, views } from '../../contributions';
import { registerCommand } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import { showError } from '../../platform/showError';
import type { Services } from '../../services';
import { registerChangeBadges } from './changes';
import { DropOnScope } from './drop';
import type { IndexTarget } from './indexMedia';
import { Jobs } from './jobs';
import { LastUsed } from './lastUsed';
import type { ScopesNode } from './nodes';
import { watchOtherMedia } from './otherMedia';
import { registerSearch } from './search';
import { ScopesTree } from './tree';

/** How long after start-up left jobs and badges are looked after: a window's first seconds belong to others. */
const LATER_MS = 1_500;

/** Indexing, the scopes view and search: one capability, around the ledger. */
export function registerScopes(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const { log, context } = services;
  const jobs = store.add(new Jobs(services));
  const last = new LastUsed(context.globalState);
  const parts = { services, jobs, last };
  // What commands do is loaded when one is given: until then it is only in the way of the window's start.
  const commands = () => import('./scopeCommands');
  const indexMedia = async (uris: readonly vscode.Uri[], into?: IndexTarget) =>
    (await import('./indexMedia')).indexMedia(parts, uris, into);
  const tree = store.add(new ScopesTree(services, jobs));
  const view = store.add(
    vscode.window.createTreeView(views.scopes, {
      treeDataProvider: tree,
      showCollapseAll: true,
      dragAndDropController: new DropOnScope(indexMedia, log),
    }),
  );
  const describe = () => {
    view.description = services.connection.active?.name ?? '';
  };
  store.add(services.connection.onDidChange(describe));
  describe();
  /** From a row's button or menu with the row; from the palette without: then it is asked for. */
  const on =
    (kind: 'job' | 'dataset', run: (row: ScopesNode) => unknown) =>
    async (arg?: ScopesNodeArg): Promise<void> => {
      const row =
        (arg as ScopesNode | undefined) ?? (await (await import('./chooseRow')).chooseRow(parts, kind));
      if (row) await run(row);
    };
  const onRow = (run: (row: ScopesNode) => unknown) => (arg?: ScopesNodeArg) =>
    arg === undefined ? undefined : run(arg as ScopesNode);
  for (const id of ['modelBench.indexMedia', 'modelBench.indexFile'] as const)
    store.add(registerCommand(id, (...args: ExplorerArgs) => indexMedia(chosenUris(args)), log));
  store.add(
    registerCommand(
      'modelBench.pauseJob',
      on('job', async (n) => (await commands()).pauseJob(n)),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.resumeJob',
      on('job', async (n) => (await commands()).resumeJob(parts, n)),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.cancelJob',
      on('job', async (n) => (await commands()).cancelJob(n)),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.indexChanges',
      on('dataset', async (n) => (await commands()).indexChanges(parts, n)),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.retryFailed',
      on('dataset', async (n) => (await commands()).retry(parts, n, 'failed')),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.settleUnknown',
      on('dataset', async (n) => (await commands()).settleUnknown(parts, n)),
      log,
    ),
  );
  store.add(registerCommand('modelBench.addScope', async () => (await commands()).addScope(parts), log));
  store.add(
    registerCommand(
      'modelBench.forgetScope',
      on('dataset', async (n) => (await commands()).forgetScope(parts, n)),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.revealIndexed',
      onRow(async (n) => (await commands()).reveal(n)),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.copyItemId',
      onRow(async (n) => (await commands()).copyId(n)),
      log,
    ),
  );
  store.add(
    registerCommand(
      'modelBench.showMoreItems',
      onRow(async (n) => {
        const first = await tree.showMore(n);
        if (first) await view.reveal(first, { focus: true });
      }),
      log,
    ),
  );
  store.add(registerSearch(parts, chosenUris));
  const timer = setTimeout(() => {
    store.add(registerChangeBadges(services, (uri) => tree.fileChanged(uri)));
    store.add(watchOtherMedia(services));
    import('./resume')
      .then(({ offerLeftJobs }) => offerLeftJobs(parts))
      .catch((error: unknown) => showError(error, log));
  }, LATER_MS);
  store.add({ dispose: () => clearTimeout(timer) });
  void vscode.commands.executeCommand('setContext', contextKeys.indexing, false);
  store.add(
    jobs.onDidChangeList(
      () => void vscode.commands.executeCommand('setContext', contextKeys.indexing, jobs.running.length > 0),
    ),
  );
  return store;
}

/** What the Explorer, an editor title or the palette pass: the selection, else the clicked one, else nothing. */
export function chosenUris([clicked, selected]: ExplorerArgs): vscode.Uri[] {
  const all = selected && selected.length > 0 ? selected : clicked ? [clicked] : [];
  return all.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri);
}
