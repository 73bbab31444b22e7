import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import { isSandbox, SANDBOX } from '../../domain/environment';
import { logLine } from '../../domain/logLine';
import type { ChildProcess } from '../../programs/startProgram';
import type { Log } from '../../vscode/log';
import { showWarningMessage } from '../../vscode/messages/notifications';

interface Running {
  readonly environment: Environment;
  readonly apiKey: string;
}

/**
 * The built-in service: a process of its own with a bundle of its own, run by the extension host's Node. It ends
 * with the extension host (its standard input closes) and keeps its data, key and port for the next start.
 */
export class SandboxProcess implements vscode.Disposable {
  readonly #refilled = new vscode.EventEmitter<void>();
  readonly onDidRefill = this.#refilled.event;
  #child: ChildProcess | undefined;
  #starting: Promise<Running> | undefined;
  /** The sandbox that was last used, started by this window or another one. */
  #used: { readonly baseUrl: string; readonly apiKey: string } | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: Log,
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
    if (!isSandbox(environment) || this.#starting !== undefined) return;
    const { isOurSandbox } = await import('./proof');
    const key = (await apiKey()) ?? '';
    if (await isOurSandbox(environment.baseUrl, key)) {
      this.#used = { baseUrl: environment.baseUrl, apiKey: key };
      return;
    }
    const running = await this.start();
    if (running.environment.baseUrl === environment.baseUrl) return;
    throw foreignProgram(environment.baseUrl);
  }

  /** Resets the play money of the sandbox that this window uses. */
  async refill(): Promise<void> {
    if (!this.#used) await this.start();
    const { refillPlayMoney } = await import('./proof');
    if (await refillPlayMoney(this.#used!.baseUrl, this.#used!.apiKey)) return this.#refilled.fire();
    throw new Error(
      l10n.t(
        'The play money was not refilled: the sandbox does not respond. Run “Try the Built-in Sandbox” to start it again.',
      ),
    );
  }

  dispose(): void {
    this.#refilled.dispose();
    this.#child?.stdin?.end();
    this.#child?.kill();
  }

  async #spawn(): Promise<Running> {
    const data = vscode.Uri.joinPath(this.context.globalStorageUri, 'sandbox').fsPath;
    const script = vscode.Uri.joinPath(this.context.extensionUri, 'dist', 'sandbox.js').fsPath;
    const { firstLine } = await import('./start');
    const { startOwnScript } = await import('../../programs/startProgram');
    const child = await startOwnScript(script, ['--data', data]);
    this.#child = child;
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2000);
      this.log.info(logLine`The sandbox wrote ${chunk.length} bytes of errors.`);
    });
    child.once('exit', (code) => {
      this.log.info(logLine`The sandbox ended (${code ?? 'by a signal'}).`);
      this.#starting = undefined;
    });
    const ready = await firstLine(child, { folder: data, output: () => output });
    const { isOurSandbox } = await import('./proof');
    if (!(await isOurSandbox(ready.baseUrl, ready.apiKey))) throw foreignProgram(ready.baseUrl);
    const environment = { name: SANDBOX, baseUrl: ready.baseUrl };
    this.#used = { baseUrl: ready.baseUrl, apiKey: ready.apiKey };
    this.log.info(logLine`The sandbox listens at port ${Number(new URL(ready.baseUrl).port)}.`);
    if (ready.setAside !== undefined) reportSetAside(ready.setAside);
    return { environment, apiKey: ready.apiKey };
  }
}

function reportSetAside(file: string): void {
  void showWarningMessage(
    l10n.t(
      'The database of the sandbox was damaged, so the sandbox started with a new one: index your files again. The damaged one was kept as {0}.',
      file,
    ),
  );
}

const foreignProgram = (baseUrl: string) =>
  new Error(
    l10n.t(
      'Another program uses the address of the sandbox ({0}), so nothing was sent. Run “Try the Built-in Sandbox” to connect again.',
      baseUrl,
    ),
  );
