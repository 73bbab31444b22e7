import * as l10n from '@vscode/l10n';

/** What the call itself is wrong about, as a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A sentence for a command that sends. */
export function needsBaseUrl(command: string): string {
  return l10n.t('“{0}” needs --base-url.', command);
}
