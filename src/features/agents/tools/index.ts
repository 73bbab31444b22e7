import * as vscode from 'vscode';
import { contributedName, toolNames } from '../../../agents/toolNames';
import { loggedError } from '../../../domain/loggedError';
import type { Services } from '../../../services';
import { DisposableStore } from '../../../vscode/disposables';
import { once } from '../../../vscode/once';

/** Set once the user has connected another agent: then windows wait for its calls. */
const CONNECTED = 'modelBench.agentsConnected';

/**
 * The tools of agents in VS Code's chat, and for agents outside, which `connect` adds. Their code loads on the first
 * use.
 */
export function registerAgentTools(services: Services): vscode.Disposable & { connect(): Promise<void> } {
  const store = new DisposableStore();
  const { globalState } = services.context;
  const tools = once(async () => (await import('./windowTools')).openWindowTools(services));
  const listen = once(async () =>
    store.add(
      await (await import('./listenInWindow')).listenInWindow(services, async (...asked) =>
        (await tools()).call(...asked),
      ),
    ),
  );
  for (const tool of toolNames)
    store.add(
      vscode.lm.registerTool(contributedName(tool), {
        invoke: async ({ input }, token) => (await tools()).invoke(tool, input, token),
        prepareInvocation: async ({ input }) => (await tools()).prepare(tool, input),
      }),
    );
  if (globalState.get(CONNECTED) === true)
    listen().catch((error: unknown) => services.log.warn(loggedError(error)));
  return Object.assign(store, {
    connect: async () => {
      const { connectAgents } = await import('./connectAgents');
      await connectAgents(services, async () => {
        await globalState.update(CONNECTED, true);
        await listen();
      });
    },
  });
}
