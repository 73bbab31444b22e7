import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentHouse } from '../../../agents/house';
import { withWorktrees } from '../../../agents/processHouse';
import { networkSettings } from '../../../connection/network';
import type { Environment } from '../../../domain/environment';
import { fetchMedium } from '../../../experiments/results/remoteMedia';
import { mayFetchMedia } from '../../../platform/keptMedia';
import { createTransport } from '../../../service/transport';
import type { Services } from '../../../services';
import { openFolders } from './openFolders';

/** The services of tools in this window: its key, its budgets, its history. */
export function windowHouse(services: Services): AgentHouse {
  const { connection, context } = services;
  const transport = createTransport(networkSettings);
  context.subscriptions.push({ dispose: () => transport.close() });
  return {
    environments: () => agentEnvironments(services),
    client: (environment) => connection.client(environment),
    redaction: (environment) => connection.redaction(environment),
    folders: () => withWorktrees(openFolders()),
    store: () => services.store(),
    estimates: () => services.estimates(),
    runs: () => services.runs(),
    mediaOf: ({ baseUrl }) =>
      mayFetchMedia(context.globalState, baseUrl)
        ? (address, signal) => fetchMedium(address, baseUrl, transport, signal)
        : undefined,
    reports: join(context.globalStorageUri.fsPath, 'agents'),
    locale: vscode.env.language,
  };
}

/** The environments of grants, the active one first; without a grant the active one. */
export async function agentEnvironments({ connection, store }: Services): Promise<readonly Environment[]> {
  const { active } = connection;
  const granted = (await store()).agentGrants.living().flatMap(({ environment }) => {
    const named = connection.environments.find(({ name }) => name === environment.name);
    return named?.baseUrl === environment.baseUrl ? named : [];
  });
  if (granted.length === 0) return active ? [active] : [];
  const isActive = ({ name }: Environment) => name === active?.name;
  return [...granted.filter(isActive), ...granted.filter((one) => !isActive(one))];
}
