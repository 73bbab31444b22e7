import * as l10n from '@vscode/l10n';

/** A message with the environment that it is about: another one may be active when it is read. */
export function ofEnvironment(name: string, message: string): string {
  return name === '' ? message : l10n.t('{0}: {1}', name, message);
}
