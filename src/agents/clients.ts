import { join } from 'node:path';
import { applyEdits, modify, parse } from 'jsonc-parser';
import type { Json } from '../domain/json';
import { isObject, sameJson } from '../domain/value';

/** The program that serves the tools to a client. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** A program with agents that knows the Model Context Protocol. */
export interface AgentClient {
  readonly label: string;
  /** The file with its servers; missing: a command in a terminal sets up the client. */
  readonly file?: { readonly path: string; readonly format: 'json' | 'toml' };
  /** Folder of its skills; missing: it has none. */
  readonly skills?: string;
}

const NAME = 'model-bench';

/** The clients that people use. @param home absolute path of the user's home */
export function agentClients(
  home: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): AgentClient[] {
  const shared = join(home, '.agents', 'skills');
  const desktop =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : join(home, '.config');
  const json = (...parts: readonly string[]) => ({ path: join(...parts), format: 'json' as const });
  return [
    { label: 'Claude Code', skills: join(home, '.claude', 'skills') },
    { label: 'Claude Desktop', file: json(desktop, 'Claude', 'claude_desktop_config.json') },
    { label: 'Cursor', file: json(home, '.cursor', 'mcp.json'), skills: shared },
    {
      label: 'Codex',
      file: { path: join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'), format: 'toml' },
      skills: shared,
    },
    { label: 'Gemini CLI', file: json(home, '.gemini', 'settings.json'), skills: shared },
  ];
}

/** The entry, as the client's file or a terminal takes it. It has no key in it. */
export function entryText({ file }: Pick<AgentClient, 'file'>, entry: ServerEntry): string {
  if (file?.format === 'toml') return tomlEntry(entry);
  if (file) return JSON.stringify({ mcpServers: { [NAME]: entry } }, null, 2);
  return ['claude', 'mcp', 'add', '--scope', 'user', NAME, '--', entry.command, ...entry.args]
    .map(quoted)
    .join(' ');
}

/**
 * The text of a client's file with the entry; all else stays, comments too.
 * @param text undefined: there is no file
 * @returns undefined where the file is not understood, or has another entry that a person must change
 */
export function withEntry(
  { format }: NonNullable<AgentClient['file']>,
  text: string | undefined,
  entry: ServerEntry,
): string | undefined {
  if (format === 'toml') {
    const before = text ?? '';
    // A table of its own fits beside other tables of servers; beside any other way to write them it may not.
    const others = before.replaceAll(/^[ \t]*\[mcp_servers(?:\.[\w-]+)*\]/gm, '');
    if (before.includes(NAME) || others.includes('mcp_servers')) return undefined;
    const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
    return `${before}${gap}${tomlEntry(entry)}\n`;
  }
  const before = text === undefined || text.trim() === '' ? '{}\n' : text;
  const problems: unknown[] = [];
  const value: unknown = parse(before, problems as never[], { allowTrailingComma: true });
  if (problems.length > 0 || !isObject(value)) return undefined;
  if (value.mcpServers !== undefined && !isObject(value.mcpServers)) return undefined;
  const known = value.mcpServers?.[NAME] as Json | undefined;
  if (known !== undefined && !sameJson(known, { command: entry.command, args: [...entry.args] }))
    return undefined;
  const options = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
  return applyEdits(before, modify(before, ['mcpServers', NAME], entry, options));
}

/** A basic string of TOML is one of JSON. */
function tomlEntry({ command, args }: ServerEntry): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(', ');
  return `[mcp_servers.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]`;
}

/** A word of a POSIX shell or PowerShell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
