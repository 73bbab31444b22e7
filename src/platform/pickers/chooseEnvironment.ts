import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../connection/connection';
import type { Environment } from '../../domain/environment';
import { showQuickPick } from '../../vscode/messages/inputs';

interface EnvironmentQuestion {
  readonly title: string;
  /** Marked in the list. */
  readonly current: Environment | undefined;
  /** Label of a last row, for an environment that is not listed. */
  readonly other?: string;
}

/** Asks for an environment of the settings. Undefined: cancelled. */
export async function chooseEnvironment(
  connection: Connection,
  { title, current, other }: EnvironmentQuestion,
): Promise<Environment | 'other' | undefined> {
  const rows: (vscode.QuickPickItem & { chosen?: Environment | 'other' })[] = connection.environments.map(
    (environment) => ({
      label: environment.name,
      description: descriptionOf(connection, environment),
      iconPath: new vscode.ThemeIcon(environment.name === current?.name ? 'check' : 'server-environment'),
      chosen: environment,
    }),
  );
  if (other !== undefined) {
    rows.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
    rows.push({ label: other, iconPath: new vscode.ThemeIcon('add'), chosen: 'other' });
  }
  const placeHolder = l10n.t('Each environment has its own key');
  return (await showQuickPick(rows, { title, placeHolder, matchOnDescription: true }))?.chosen;
}

function descriptionOf(connection: Connection, environment: Environment): string {
  return connection.isProduction(environment)
    ? l10n.t('{0}, production', environment.baseUrl)
    : environment.baseUrl;
}
