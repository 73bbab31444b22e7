import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { isRunFileName, RUN_FILES } from '../../platform/runFiles/names';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';
import { showError } from '../../vscode/showError';

/** Run files in editors, and commands about them. Only names are looked at before the first run file is open. */
export function registerRunFiles(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const selector: vscode.DocumentSelector = { pattern: RUN_FILES };
  const editor = once(async () => {
    const { openEditor } = await import('./editor');
    return openEditor(services, store);
  });
  const commands = () => import('./commands');
  const begin = (document: vscode.TextDocument) => {
    if (isRunFileName(document.uri.path)) void editor();
  };
  vscode.workspace.textDocuments.forEach(begin);
  return vscode.Disposable.from(
    store,
    vscode.workspace.onDidOpenTextDocument(begin),
    vscode.languages.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, at) => (await editor()).languages.completions(document, at),
      },
      '"',
      ':',
    ),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, at) => (await editor()).languages.hover(document, at),
    }),
    vscode.languages.registerDocumentLinkProvider(selector, {
      provideDocumentLinks: async (document) => (await editor()).languages.links(document),
    }),
    vscode.languages.registerCodeActionsProvider(
      selector,
      { provideCodeActions: async (document, range) => (await editor()).languages.fixes(document, range) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    vscode.languages.registerCodeLensProvider(selector, {
      provideCodeLenses: async (document) => (await import('./codeLenses')).codeLenses(document),
    }),
    registerTests(services),
    registerCommands(services.log, {
      'modelBench.newRunFile': async () => (await commands()).newRunFile(services),
      'modelBench.checkRunFiles': async () =>
        (await import('./checkRunFiles')).checkRunFiles(services, (await editor()).diagnostics),
    }),
  );
}

/** A window that starts has more urgent things to do. */
const STARTED_MS = 2000;

/**
 * Run files with expectations in the Test Explorer. A controller shows the Testing icon, so there is none before such a
 * file exists: one that is found after the window has started, is opened, or is written later. In a workspace that is
 * not trusted a name is enough, since no content is read before the Test Explorer is opened.
 */
export function registerTests(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const looking = store.add(new DisposableStore());
  const begin = () => {
    if (looking.isDisposed) return;
    looking.dispose();
    store.add(testsOf(services));
  };
  const look = async (files: () => PromiseLike<readonly vscode.Uri[]>) => {
    try {
      const uris = await files();
      if (uris.length === 0 || looking.isDisposed) return;
      const { isTrusted } = vscode.workspace;
      if (!isTrusted || (await (await import('./testTree')).holdsTests(uris))) begin();
    } catch (error) {
      services.log.warn(loggedError(error));
    }
  };
  const lookAt = (uri: vscode.Uri) => {
    if (isRunFileName(uri.path)) void look(async () => [uri]);
  };
  const lookEverywhere = looking.soon(STARTED_MS, () => {
    void look(async () => (await import('../../platform/runFiles/find')).findRunFiles());
  });
  const watcher = looking.add(vscode.workspace.createFileSystemWatcher(RUN_FILES, false, false, true));
  looking.add(watcher.onDidCreate(lookAt));
  looking.add(watcher.onDidChange(lookAt));
  looking.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => lookAt(uri)));
  looking.add(vscode.workspace.onDidChangeWorkspaceFolders(lookEverywhere));
  lookEverywhere();
  return store;
}

function testsOf(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const controller = store.add(
    vscode.tests.createTestController('modelBench.runFiles', l10n.t('Model Bench')),
  );
  const tree = once(async () => store.add(new (await import('./testTree')).TestTree(controller)));
  controller.resolveHandler = async (item) => {
    if (!item) await (await tree()).list();
  };
  controller.refreshHandler = async () => (await tree()).refresh();
  const run = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
    const tests = await (await tree()).testsOf(request);
    await (await import('./testRun')).runTests(services, controller, request, tests, token);
  };
  store.add(
    controller.createRunProfile(
      l10n.t('Run'),
      vscode.TestRunProfileKind.Run,
      (request, token) => run(request, token).catch((error: unknown) => showError(error, services.log)),
      true,
    ),
  );
  return store;
}
