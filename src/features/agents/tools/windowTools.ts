import * as vscode from 'vscode';
import type { ToolAnswer } from '../../../agents/answer';
import { callTool } from '../../../agents/callTool';
import type { ToolDoor } from '../../../agents/mcpServer';
import type { ToolName } from '../../../agents/toolNames';
import { Works } from '../../../agents/works';
import type { Services } from '../../../services';
import { CHAT, preparedCall } from './preparedCall';
import { windowHouse } from './windowHouse';

/** The tools as this window does them: for VS Code's own agents, and `call` for a client outside. */
export function openWindowTools(services: Services) {
  const house = windowHouse(services);
  const works = new Works(house.reports);
  void works.sweep().catch(() => undefined);
  const call: ToolDoor['call'] = (agent, tool, input, signal) =>
    callTool({ house, works, agent }, tool, input, signal);
  return {
    call,
    async invoke(tool: ToolName, input: unknown, token: vscode.CancellationToken) {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return toolResult(await call(CHAT, tool, input, stop.signal));
    },
    prepare: (tool: ToolName, input: unknown) => preparedCall(services, tool, input),
  };
}

/** Text, and pictures in a VS Code that knows them as parts of a result. */
function toolResult({ text, images }: ToolAnswer): vscode.LanguageModelToolResult {
  const pictures = images.flatMap(
    ({ contentType, bytes }) => vscode.LanguageModelDataPart?.image(bytes, contentType) ?? [],
  );
  const parts = [new vscode.LanguageModelTextPart(text), ...pictures];
  return new vscode.LanguageModelToolResult(parts as vscode.LanguageModelTextPart[]);
}
