import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Gives the texts that VS Code loaded for its language to the code that is not about VS Code. */
export function loadTranslations(): void {
  const contents = loadedTranslations();
  if (contents) l10n.config({ contents });
}

/** For pages: undefined in English. */
export const loadedTranslations = (): Readonly<Record<string, string>> | undefined =>
  vscode.l10n.bundle as Readonly<Record<string, string>> | undefined;
