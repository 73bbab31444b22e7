import { CLIENT_INFO_META_KEY, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isObject } from '../domain/value';
import type { ToolAnswer } from './answer';
import { inputSchemaOf } from './toolInputs';
import type { ToolName } from './toolNames';
import { isPaid, toolTexts } from './toolTexts';

/** Calls of the tools, by this process or by a window. */
export interface ToolDoor {
  /** Never rejects. @param agent the client's own name for itself */
  call(agent: string, tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
}

const INSTRUCTIONS =
  'Model Bench runs hosted models. Find a model with find_models and describe_model, estimate its cost, and compare models with an experiment (run_experiment) rather than with many single runs. Paid tools need an amount that the user has allowed.';

/**
 * Serves the tools to one client on standard input and output, in the protocol of 2025 or of 2026, until the client
 * closes its end, or `stop` is aborted.
 */
export function serveMcp(door: ToolDoor, version: string, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const make = () => {
      const server = new Server(
        { name: 'model-bench', title: 'Model Bench', version },
        { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
      );
      let initialized: string | undefined;
      server.oninitialized = () => {
        initialized = server.getClientVersion()?.name;
      };
      server.setRequestHandler('tools/list', () => ({ tools: [...listedTools()] }));
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
        const named = clientNameIn(mcpReq.envelope) ?? initialized;
        const answer = await door.call(named ?? '', params.name, params.arguments ?? {}, mcpReq.signal);
        return server.projectCallToolResult(toolResult(answer), undefined);
      });
      return server;
    };
    // The transport closes when the client does.
    process.stdin.once('close', () => resolve());
    stop?.addEventListener('abort', () => process.stdin.destroy());
    serveStdio(make);
  });
}

/** The client's own name in a request of 2026. */
function clientNameIn(envelope: unknown): string | undefined {
  const info = isObject(envelope) ? envelope[CLIENT_INFO_META_KEY] : undefined;
  return isObject(info) && typeof info.name === 'string' ? info.name : undefined;
}

function* listedTools() {
  // Not the list of names: the window loads that at its start, and a program's copy of it would be a file more.
  for (const name of Object.keys(toolTexts) as ToolName[]) {
    const { title, description } = toolTexts[name];
    yield {
      name,
      title,
      description,
      inputSchema: inputSchemaOf(name) as { type: 'object' },
      annotations: {
        title,
        readOnlyHint: !isPaid(name) && name !== 'stop_work',
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: isPaid(name),
      },
    };
  }
}

/** Pictures are images beside the text, never structured content. */
function toolResult({ text, images, isError }: ToolAnswer) {
  return {
    content: [
      { type: 'text' as const, text },
      ...images.map(({ contentType, bytes }) => ({
        type: 'image' as const,
        data: Buffer.from(bytes).toString('base64'),
        mimeType: contentType,
      })),
    ],
    ...(isError && { isError }),
  };
}
