import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { CodeServer } from '../runtime/parts';

/** A server process of ours, and how to end it. */
export interface Running {
  readonly origin: string;
  /** Of its process, and of the group of all that it starts. */
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly code: CodeServer;
  readonly script: string;
  readonly args: (port: number) => readonly string[];
  /** Its output once it listens. */
  readonly ready: RegExp;
  /** Where its output is kept. */
  readonly logFile: string;
  readonly env?: Record<string, string>;
}

/** Starts a VS Code server on a free port of the loopback. */
export async function startServer(options: ServerOptions): Promise<Running> {
  const port = await freePort();
  const child = spawn(options.code.node, [options.script, ...options.args(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // code-server takes PORT for its own, and VS Code's variables mean that we run inside its terminal.
    env: { ...withoutVSCode(process.env), ...options.env },
    // Its own group, so that the extension host and its children end with it.
    detached: process.platform !== 'win32',
  });
  mkdirSync(path.dirname(options.logFile), { recursive: true });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const hear = (data: Buffer) => {
      log.write(data);
      if (said.length > 100_000) return;
      said += data;
      if (options.ready.test(said)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`VS Code's server ended with ${code}:\n${said}`)));
  });
  const abandon = () => kill(child, 'SIGKILL');
  process.once('exit', abandon);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    stop: async () => {
      process.off('exit', abandon);
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        kill(child, 'SIGTERM');
        const patience = setTimeout(() => kill(child, 'SIGKILL'), 5000);
        await gone;
        clearTimeout(patience);
      }
      kill(child, 'SIGKILL');
      log.end();
      released.push(port);
    },
  };
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid!, signal);
  } catch {
    // Gone already.
  }
}

function withoutVSCode(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|PORT$|NODE_OPTIONS$|ELECTRON_)/.test(name)),
  );
}

/** Ports of servers that ended. */
const released: number[] = [];

/**
 * A port that was free a moment ago; that of a server before, where there is one: browsers cache by address. It is
 * below those that systems give to anybody who asks for any, so that no other run gets it before the server listens.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = released.pop() ?? randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
