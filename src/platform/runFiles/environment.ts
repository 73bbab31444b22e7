import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../connection/connection';
import type { Environment } from '../../domain/environment';
import { environmentIn, type ReadRunFile } from '../../runFiles/read';
import { isConfirmed } from '../../vscode/dialogs';
import { filenameOf } from '../localFile';

/** Where a run file is run: in the environment that it names, else in the active one. Undefined: there is none. */
export function environmentFor(file: ReadRunFile, connection: Connection): Environment | undefined {
  const named = environmentIn(file);
  if (named === undefined) return connection.active;
  return connection.environments.find(({ name }) => name === named);
}

/** @throws when the settings have no environment of the name that the file has, or none is active */
export async function requiredEnvironment(
  uri: vscode.Uri,
  file: ReadRunFile,
  connection: Connection,
): Promise<Environment> {
  const environment = environmentFor(file, connection);
  if (environment) return environment;
  const named = environmentIn(file);
  if (named === undefined) return connection.connected();
  throw new Error(
    l10n.t(
      '“{0}” is for the environment “{1}”, which is not in the setting modelBench.environments.',
      filenameOf(uri),
      named,
    ),
  );
}

/** Files, each with an environment, that the user allowed to be sent in this window. */
const confirmed = new Set<string>();

/**
 * Whether the user lets a run file be sent. Asked once for each file of a workspace that is not trusted, and where the
 * file chose another environment than the user did. Called after Run was pressed, and before anything leaves.
 */
export async function isSendingConfirmed(
  uri: vscode.Uri,
  environment: Environment,
  connection: Connection,
): Promise<boolean> {
  const key = `${uri.toString()}\n${environment.baseUrl}`;
  const isElsewhere = environment.name !== connection.active?.name;
  if ((vscode.workspace.isTrusted && !isElsewhere) || confirmed.has(key)) return true;
  const name = filenameOf(uri);
  const yes = await isConfirmed(
    isElsewhere
      ? l10n.t('Run “{0}” in “{1}”, which is not the active environment?', name, environment.name)
      : l10n.t('Run “{0}” of a workspace that you have not trusted?', name),
    l10n.t(
      'Its request, and the files of the workspace that it names, are sent to “{0}” with your key. The run may be charged.',
      environment.name,
    ),
    l10n.t('Run'),
  );
  if (yes) confirmed.add(key);
  return yes;
}
