import type { ChildProcess } from 'node:child_process';
import * as vscode from 'vscode';
import type { Environment } from '../../platform/environments';

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
    if (environment.name !== SANDBOX || this.#starting || (await responses(environment.baseUrl))) return;
    await this.start();
  }

  dispose(): void {
    this.#child?.stdin?.end();
    this.#child?.kill();
  }

  async #spawn(): Promise<Running> {
    const data = vscode.Uri.joinPath(this.context.globalStorageUri, 'sandbox').fsPath;
    const script = vscode.Uri.joinPath(this.context.extensionUri, 'dist', 'sandbox.js').fsPath;
    const { firstLine, startScript } = await import('./start');
    const child = startScript(script, ['--data', data]);
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

/** Whether something listens at an address: any response counts, also a refusal for want of a key. */
async function responses(baseUrl: string): Promise<boolean> {
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
