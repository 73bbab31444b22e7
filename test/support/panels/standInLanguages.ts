import type * as vscode from 'vscode';
import { Disposable, type EventEmitter, Uri } from './values';

/** The `languages` of one window. @param changed fired when the diagnostics have changed */
export function languagesApi(
  diagnostics: Map<string, readonly vscode.Diagnostic[]>,
  changed: EventEmitter<void>,
): Record<string, unknown> {
  const nothing = () => new Disposable(() => undefined);
  const registered = ['CodeLens', 'Hover', 'DocumentLink', 'CompletionItem', 'CodeActions'];
  return {
    ...Object.fromEntries(registered.map((name) => [`register${name}Provider`, nothing])),
    getLanguages: async () => ['json', 'jsonc', 'plaintext', 'markdown', 'csv'],
    match: () => 10,
    createDiagnosticCollection: () => ({
      set: (uri: Uri, list: readonly vscode.Diagnostic[] = []) => {
        diagnostics.set(uri.toString(), list);
        changed.fire();
      },
      delete: (uri: Uri) => void diagnostics.delete(uri.toString()),
      get: (uri: Uri) => diagnostics.get(uri.toString()) ?? [],
      has: (uri: Uri) => diagnostics.has(uri.toString()),
      clear: () => diagnostics.clear(),
      forEach: (each: (uri: Uri, list: unknown) => void) => {
        for (const [uri, list] of diagnostics) each(Uri.parse(uri), list);
      },
      dispose: () => diagnostics.clear(),
    }),
  };
}
