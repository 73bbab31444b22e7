import * as vscode from 'vscode';
import { isRunFileName, RUN_FILES } from '../../platform/runFiles/names';
import type { Services } from '../../services';
import { registerCommands } from '../../vscode/commands';
import { DisposableStore } from '../../vscode/disposables';
import { once } from '../../vscode/once';
import { registerTests } from './tests';

/** Run files in editors, and commands about them. Only names are looked at before the first run file is open. */
export function registerRunFiles(services: Services): vscode.Disposable {
  const store = new DisposableStore();
  const selector: vscode.DocumentSelector = { pattern: RUN_FILES };
  const editor = once(async () => {
    const { RunFileEditor } = await import('./editor');
    return store.add(new RunFileEditor(services));
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
