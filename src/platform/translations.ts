import { readFileSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

let translations: Readonly<Record<string, string>> | undefined;

/**
 * Takes the texts that VS Code found for its language. A bundle has them as a list, in the order of `keys.json`: each
 * bundle with all the English texts as its keys would be twice as large in the package (`bundling/l10nLists.mjs`). VS
 * Code's own `l10n.t` does not find them.
 */
export function loadTranslations(extension: vscode.Uri): void {
  const { bundle } = vscode.l10n;
  if (bundle === undefined) return;
  const file = vscode.Uri.joinPath(extension, 'dist/l10n/keys.json').fsPath;
  const keys = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  const texts = bundle as unknown as readonly string[];
  // Without a prototype it is a dictionary from the beginning: an object becomes one in 7 ms, this in one.
  const contents: Record<string, string> = Object.create(null);
  for (const [at, key] of keys.entries()) contents[key] = texts[at] ?? key;
  translations = contents;
  l10n.config({ contents });
}

/** For pages: undefined in English. */
export const loadedTranslations = (): Readonly<Record<string, string>> | undefined => translations;
