import * as l10n from '@vscode/l10n';

/** A mistake in the call itself, as a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A sentence for a command that sends. */
export function needsBaseUrl(command: string): string {
  return l10n.t('“{0}” needs --base-url.', command);
}
