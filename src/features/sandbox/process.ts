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
   * Starts the sandbox again when its environment is used: after a restart of VS Code, or when the window that ran
   * it was closed. Another window's sandbox is used once it has proved that it holds the key of this environment:
   * no key and no file goes to another program on its port.
   */
  async ensureRunning(environment: Environment, apiKey: () => Promise<string | undefined>): Promise<void> {
    const { hostname } = new URL(environment.baseUrl);
    if (environment.name !== SANDBOX || hostname !== '127.0.0.1' || this.#starting !== undefined) return;
    const { identify } = await import('./proof');
    if ((await identify(environment.baseUrl, (await apiKey()) ?? '')) === 'sandbox') return;
    const running = await this.start();
    if (running.environment.baseUrl === environment.baseUrl) return;
    throw foreignProgram(environment.baseUrl);
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
    const { identify } = await import('./proof');
    if ((await identify(ready.baseUrl, ready.apiKey)) !== 'sandbox') throw foreignProgram(ready.baseUrl);
    const environment = { name: SANDBOX, baseUrl: ready.baseUrl };
    this.log.info(`The sandbox listens at ${ready.baseUrl}.`);
    return { environment, apiKey: ready.apiKey };
  }
}

const foreignProgram = (baseUrl: string) =>
  new Error(
    vscode.l10n.t(
      'Another program uses the address of the sandbox ({0}), so nothing was sent. Run “Try the Built-in Sandbox” to connect again.',
      baseUrl,
    ),
  );
