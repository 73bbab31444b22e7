import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A program of the Model Context Protocol that a client has started. */
export interface McpProgram {
  readonly client: Client;
  readonly pid: number;
  /** The text on its standard error. */
  errors(): string;
  /** Calls a tool; its text, and the types of its other contents. */
  call(
    name: string,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly text: string; readonly isError: boolean; readonly others: readonly string[] }>;
  close(): Promise<void>;
}

/** Starts `model-bench mcp` and connects the official client to it. */
export async function startMcp(
  cli: string,
  words: readonly string[],
  options: {
    readonly cwd: string;
    readonly apiKey?: string;
    readonly mode?: VersionNegotiationMode;
    readonly name?: string;
  },
): Promise<McpProgram> {
  const { cwd, apiKey, mode = 'auto', name = 'a test' } = options;
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', ...words],
    ...{ cwd, stderr: 'pipe' },
    env: {
      PATH: process.env.PATH ?? '',
      ...(apiKey !== undefined && { MODEL_BENCH_API_KEY: apiKey }),
    },
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  await client.connect(transport);
  return {
    ...{ client, pid: transport.pid!, errors: () => errors },
    async call(tool, input = {}) {
      const { content, isError = false } = await client.callTool({ name: tool, arguments: { ...input } });
      const parts = content as readonly { readonly type: string; readonly text?: string }[];
      return {
        text: parts.flatMap(({ text }) => text ?? []).join('\n'),
        isError: isError === true,
        others: parts.map(({ type }) => type).filter((type) => type !== 'text'),
      };
    },
    close: () => client.close(),
  };
}
