import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentHouse } from '../../../agents/house';
import { withWorktrees } from '../../../agents/processHouse';
import { networkSettings } from '../../../connection/network';
import { fetchMedium } from '../../../experiments/remoteMedia';
import { createTransport } from '../../../service/transport';
import type { Services } from '../../../services';

/** The services of tools in this window: its key, its budgets, its history. */
export function windowHouse(services: Services): AgentHouse {
  const { connection, context } = services;
  const transport = createTransport(networkSettings);
  context.subscriptions.push({ dispose: () => transport.close() });
  return {
    async environment() {
      const [grant] = (await services.store()).agentGrants.living();
      return grant ? connection.find(grant.environment) : connection.active;
    },
    client: (environment) => connection.client(environment),
    redaction: (environment) => connection.redaction(environment),
    folders: () => withWorktrees(openFolders()),
    store: () => services.store(),
    estimates: () => services.estimates(),
    runs: () => services.runs(),
    fetchMedium: (address, { baseUrl }, signal) => fetchMedium(address, baseUrl, transport, signal),
    reports: join(context.globalStorageUri.fsPath, 'agents'),
    locale: vscode.env.language,
  };
}

/** The workspace folders on disk; none in Restricted Mode, where their files may steer an agent. */
function openFolders(): string[] {
  if (!vscode.workspace.isTrusted) return [];
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}
