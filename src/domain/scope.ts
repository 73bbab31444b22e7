import * as l10n from '@vscode/l10n';

/** Section 8: the longest scope. */
const MAX_LENGTH = 64;

/** What is wrong with a scope, as a sentence for the user (section 2.1, rule 2); undefined when it is well formed. */
export function scopeProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter a scope, for example playground.');
  if (text.length > MAX_LENGTH)
    return l10n.t('A scope has at most {0} characters; this one has {1}.', MAX_LENGTH, text.length);
  if (!/^[A-Za-z0-9]/.test(text)) return l10n.t('A scope starts with a letter (A to Z) or a digit.');
  if (!/^[A-Za-z0-9._-]*$/.test(text))
    return l10n.t('A scope may contain letters (A to Z), digits, dots, underscores and hyphens.');
  return undefined;
}
