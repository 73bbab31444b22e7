import * as l10n from '@vscode/l10n';

/** An item's name in the user's language; in results files a row has the same name in every language. */
export function itemLabel(name: string | undefined): string {
  const line = /^row (\d+)$/.exec(name ?? '')?.[1];
  return line === undefined ? (name ?? '') : l10n.t('row {0}', line);
}
