import type * as vscode from 'vscode';

/** Origins of services that may be asked for the files of results. */
const KEPT = 'experiments.keepMediaOf';

/** Whether the user has agreed to fetch files that the results of a service name by address. */
export function mayFetchMedia(globalState: vscode.Memento, baseUrl: string): boolean {
  return globalState.get<readonly string[]>(KEPT, []).includes(new URL(baseUrl).origin);
}

/** Remembers the user's agreement. */
export function allowMedia(globalState: vscode.Memento, baseUrl: string): Thenable<void> {
  const kept = globalState.get<readonly string[]>(KEPT, []);
  return globalState.update(KEPT, [...kept, new URL(baseUrl).origin]);
}
