import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys } from '../../contributions';
import { isSandbox } from '../../domain/environment';
import type { Services } from '../../services';
import { executeBuiltIn, registerCommands } from '../../vscode/commands';
import { showInformationMessage, withProgress } from '../../vscode/messages/notifications';
import type { SandboxProcess } from './process';

/** Try the Built-in Sandbox: starts the local service, connects to it, and shows its catalog. */
export function registerSandbox(services: Services, sandbox: SandboxProcess): vscode.Disposable {
  const { connection, log } = services;
  const note = () => {
    const { active } = connection;
    void executeBuiltIn('setContext', contextKeys.sandbox, active !== undefined && isSandbox(active));
  };
  note();
  let starting: Promise<boolean> | undefined;
  return vscode.Disposable.from(
    connection.onDidChange(note),
    registerCommands(log, {
      // Pressed again while it starts, it is the same start.
      'modelBench.startSandbox': () => {
        starting ??= startSandbox(services, sandbox).finally(() => {
          starting = undefined;
        });
        return starting;
      },
      'modelBench.refillSandbox': () => refill(sandbox),
    }),
  );
}

/** @returns true once it is connected */
async function startSandbox(services: Services, sandbox: SandboxProcess): Promise<boolean> {
  const { connection } = services;
  // At once: after the start the side bar belongs to the user, who may have gone elsewhere.
  await executeBuiltIn('modelBench.catalog.focus');
  await withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Starting the sandbox…') },
    async () => {
      const { environment, apiKey } = await sandbox.start();
      await connection.save(environment, apiKey);
    },
  );
  const { openFirstModel } = await import('../../platform/firstModel');
  await openFirstModel({ ...services, catalog: services.catalog.active });
  return true;
}

async function refill(sandbox: SandboxProcess): Promise<void> {
  await sandbox.refill();
  void showInformationMessage(l10n.t('The play money of the sandbox was refilled.'));
}
