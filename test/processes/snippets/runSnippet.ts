import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import type { SnippetLanguage } from '../../../src/snippets/snippet';
import { listenOnLoopback } from '../../support/loopback';

const run = promisify(execFile);

const COMMANDS: Record<
  SnippetLanguage,
  { file: string; command: string; args: string[]; probe: string[][] }
> = {
  curl: {
    file: 'run.sh',
    command: 'sh',
    args: [],
    probe: [
      ['curl', '--version'],
      ['jq', '--version'],
    ],
  },
  python: { file: 'run.py', command: 'python3', args: [], probe: [['python3', '-c', 'import requests']] },
  javascript: { file: 'run.js', command: process.execPath, args: [], probe: [] },
  typescript: { file: 'run.mjs', command: process.execPath, args: [], probe: [] },
};

/** Whether the tools a snippet needs are on this machine. */
export async function canRun(language: SnippetLanguage): Promise<boolean> {
  try {
    for (const [command = '', ...args] of COMMANDS[language].probe) await run(command, args);
    return true;
  } catch {
    return false;
  }
}

/** The shells of this machine that code for curl is written for. */
export async function shellsHere(): Promise<string[]> {
  const shells = ['sh', 'dash', 'bash', 'zsh'];
  const known = await Promise.allSettled(shells.map((shell) => run(shell, ['-c', ':'])));
  return shells.filter((_shell, index) => known[index]?.status === 'fulfilled');
}

/**
 * Runs code as someone who pastes it into an open shell, with a `curl` that notes its arguments.
 * @returns those arguments, and the output of a later line of that shell
 */
export async function pasteIntoShell(
  shell: string,
  code: string,
  apiKey: string,
): Promise<{ readonly args: string; readonly printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'model-bench-shell-'));
  try {
    const { stdout } = await run('sh', ['-c', 'command -v curl']);
    const noting = `#!/bin/sh\nprintf '%s\\n' "$@" >> ${folder}/args\nexec ${stdout.trim()} "$@"\n`;
    await writeFile(join(folder, 'curl'), noting, { mode: 0o755 });
    await writeFile(join(folder, 'pasted'), `${code}\necho "still open"\n`);
    const env = {
      ...process.env,
      ...{ PATH: `${folder}:${process.env.PATH}`, MODEL_BENCH_API_KEY: apiKey, NO_PROXY: '127.0.0.1' },
    };
    const pasted = await run(shell, ['-c', `. ${folder}/pasted`], { env, cwd: folder, timeout: 30_000 });
    return { args: await readFile(join(folder, 'args'), 'utf8'), printed: pasted.stdout };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a snippet like a user: from a file, with the key in the environment. Returns its output. */
export async function runSnippet(language: SnippetLanguage, code: string, apiKey: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'model-bench-snippet-'));
  try {
    const { file, command, args } = COMMANDS[language];
    // Compiled here: a tsx of its own would take longer to start than all the rest.
    const script = language === 'typescript' ? (await transform(code, { loader: 'ts' })).code : code;
    await writeFile(join(folder, file), script);
    const environment = {
      ...process.env,
      MODEL_BENCH_API_KEY: apiKey,
      NO_PROXY: '127.0.0.1',
      NODE_OPTIONS: '',
    };
    const { stdout } = await run(command, [...args, join(folder, file)], {
      env: environment,
      cwd: folder,
      timeout: 30_000,
    });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A service that responds with `{}` and keeps the requests that reached it. */
export async function listeningService(): Promise<{
  readonly baseUrl: string;
  readonly received: { readonly path: string; readonly key: string | undefined; readonly body: unknown }[];
  stop(): Promise<void>;
}> {
  const received: { path: string; key: string | undefined; body: unknown }[] = [];
  const { url, close } = await listenOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = request.headers['x-api-key'];
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      received.push({ path: request.url ?? '', key: typeof key === 'string' ? key : undefined, body });
      response.end('{}');
    });
  });
  return { baseUrl: url, received, stop: close };
}
