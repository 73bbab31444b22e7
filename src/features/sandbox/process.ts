import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Environment } from '../../platform/connection';

/** The line the sandbox prints when it listens. */
const readyLine = z.object({ baseUrl: z.string(), apiKey: z.string() });

const START_TIMEOUT_MS = 20_000;
const SANDBOX = 'Sandbox';

interface Running {
  readonly environment: Environment;
  readonly apiKey: string;
}

/**
 * The built-in service: a process of its own with a bundle of its own, run by the extension host's Node. It ends
 * with the extension host (its standard input closes) and keeps its data, key and port for the next start.
 */
export class SandboxProcess implements vscode.Disposable {
  #child: ChildProcess | undefined;
  #starting: Promise<Running> | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Starts it, unless this window has it running. Rejects with words when it does not come up. */
  start(): Promise<Running> {
    this.#starting ??= this.#spawn().catch((error) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /**
   * Brings the sandbox up again when an environment that is the sandbox is used: after a restart of VS Code, or
   * when the window that ran it was closed. Another window's sandbox on the same port is used as it is.
   */
  async ensureRunning(environment: Environment): Promise<void> {
    if (environment.name !== SANDBOX || this.#starting || (await answers(environment.baseUrl))) return;
    await this.start();
  }

  dispose(): void {
    this.#child?.stdin?.end();
    this.#child?.kill();
  }

  async #spawn(): Promise<Running> {
    const data = vscode.Uri.joinPath(this.context.globalStorageUri, 'sandbox').fsPath;
    const script = vscode.Uri.joinPath(this.context.extensionUri, 'dist', 'sandbox.js').fsPath;
    const child = spawn(process.execPath, [script, '--data', data], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Desktop's extension host is Electron: this makes its binary run as Node.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    this.#child = child;
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000);
      this.log.info(`sandbox: ${chunk.toString().trimEnd()}`);
    });
    child.once('exit', (code) => {
      this.log.info(`The sandbox ended (${code ?? 'by a signal'}).`);
      this.#starting = undefined;
    });
    const ready = await firstLine(child, () => said);
    const environment = { name: SANDBOX, baseUrl: ready.baseUrl };
    this.log.info(`The sandbox listens at ${ready.baseUrl}.`);
    return { environment, apiKey: ready.apiKey };
  }
}

function firstLine(child: ChildProcess, said: () => string): Promise<z.infer<typeof readyLine>> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill();
      reject(new Error(vscode.l10n.t('The sandbox did not start. {0}', why)));
    };
    const timer = setTimeout(() => fail(vscode.l10n.t('It did not answer in time.')), START_TIMEOUT_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => fail(said()));
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(timer);
      child.removeAllListeners('error');
      const read = readyLine.safeParse(parseLine(line));
      if (read.success) resolve(read.data);
      else fail(vscode.l10n.t('It said something unexpected: {0}', line.slice(0, 200)));
    });
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Whether something listens at an address: any answer counts, also a refusal for want of a key. */
async function answers(baseUrl: string): Promise<boolean> {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
