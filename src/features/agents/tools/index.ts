import * as vscode from 'vscode';
import { contributedName, toolNames } from '../../../agents/toolNames';
import type { Services } from '../../../services';
import { once } from '../../../vscode/once';

/** The tools of agents in VS Code's chat. Their code loads on the first use. */
export function registerAgentTools(services: Services): vscode.Disposable {
  const tools = once(async () => (await import('./windowTools')).openWindowTools(services));
  return vscode.Disposable.from(
    ...toolNames.map((tool) =>
      vscode.lm.registerTool(contributedName(tool), {
        invoke: async ({ input }, token) => (await tools()).invoke(tool, input, token),
        prepareInvocation: async ({ input }) => (await tools()).prepare(tool, input),
      }),
    ),
  );
}
