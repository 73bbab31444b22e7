import * as vscode from 'vscode';
import { executeBuiltIn, registerCommands } from '../../platform/commands';
import type { Services } from '../../services';
import type { SandboxProcess } from './process';

/** Try the Built-in Sandbox: starts the local service, connects to it, and shows its catalog. */
export function registerSandbox(services: Services, sandbox: SandboxProcess): vscode.Disposable {
  return registerCommands(services.log, {
    'modelBench.startSandbox': () => startSandbox(services, sandbox),
  });
}

async function startSandbox({ connection }: Services, sandbox: SandboxProcess): Promise<void> {
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Starting the sandbox…') },
    async () => {
      const { environment, apiKey } = await sandbox.start();
      await connection.save(environment, apiKey);
    },
  );
  await executeBuiltIn('modelBench.catalog.focus');
}
