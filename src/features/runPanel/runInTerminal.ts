import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import { localRefs } from '../../domain/media';
import type { ModelContract } from '../../domain/model';
import type { RunDraft } from '../../domain/run';
import { toRunRequest } from '../../forms/checkDraft';
import { type ChildProcess, NotStarted, startProgram } from '../../programs/startProgram';
import type { Services } from '../../services';
import { KEY_VARIABLE } from '../../snippets/requestParts';
import { type SnippetLanguage, snippetLanguage, snippetOf } from '../../snippets/snippet';
import { snippetFiles } from '../../snippets/snippetFiles';
import { executeBuiltIn } from '../../vscode/commands';
import { showWarningMessage } from '../../vscode/messages/notifications';
import { createTerminal } from '../../vscode/messages/panels';
import { messageOf } from '../../wording/errors';
import type { Attachments } from './attachments';

/** Programs that read code from their standard input, the likelier first. */
const PROGRAMS: Readonly<
  Record<SnippetLanguage, readonly (readonly [program: string, ...args: string[]])[]>
> = {
  curl: [['sh'], ['bash']],
  python: [
    ['python3', '-'],
    ['python', '-'],
  ],
  javascript: [['node', '--input-type=module', '-']],
  typescript: [['node', '--input-type=module-typescript', '-']],
};

/** First lines for a terminal. Before Python 3.11, code from the standard input imports modules of the current folder. */
const FIRST_LINES: Partial<Record<SnippetLanguage, string>> = {
  python: 'import sys; sys.path[:] = [folder for folder in sys.path if folder]\n',
};

/**
 * Runs the code of a request in a terminal of its own, once the user trusts the workspace. Only the started program has the key: options of a terminal could be
 * read by other extensions, and a shell has a history.
 */
export async function runInTerminal(
  services: Services,
  attachments: Attachments,
  environment: Environment,
  contract: ModelContract,
  wanted: { readonly language: string; readonly draft: RunDraft },
): Promise<void> {
  // Before there is a terminal: VS Code opens one of an extension also after Cancel of its own question.
  if (!vscode.workspace.isTrusted) return askForTrust();
  const language = snippetLanguage(wanted.language);
  const request = toRunRequest(contract, wanted.draft);
  const { input, params } = request;
  const files = await attachments.describeGranted(localRefs(input, params));
  const known = snippetFiles(request, (ref) => files.get(ref));
  const code = (FIRST_LINES[language] ?? '') + snippetOf(language, environment.baseUrl, request, known);
  const apiKey = await services.connection.apiKey(environment);
  const pty = new ProgramTerminal(PROGRAMS[language], code, { [KEY_VARIABLE]: apiKey });
  createTerminal(l10n.t('{0} ({1})', contract.name, language), pty).show();
}

async function askForTrust(): Promise<void> {
  const manage = l10n.t('Manage Workspace Trust');
  const why = l10n.t('Code runs in a terminal after you have trusted this workspace.');
  if ((await showWarningMessage(why, manage)) === manage) await executeBuiltIn('workbench.trust.manage');
}

/** A terminal that shows the output of one program. Ctrl+C ends the program; after its end, any key closes the terminal. */
class ProgramTerminal implements vscode.Pseudoterminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly #closed = new vscode.EventEmitter<void>();
  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;
  #child: ChildProcess | undefined;
  /** Also before the program has started. */
  #isStopped = false;
  #hasEnded = false;

  constructor(
    private readonly programs: readonly (readonly [program: string, ...args: string[]])[],
    private readonly code: string,
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  open(): void {
    this.#run().catch((error) => this.#finish(messageOf(error)));
  }

  close(): void {
    this.#end();
  }

  handleInput(typed: string): void {
    if (this.#hasEnded) this.#closed.fire();
    else if (typed === '\u0003') this.#end();
  }

  async #run(): Promise<void> {
    const child = await this.#started(this.programs);
    this.#child = child;
    if (this.#isStopped) this.#end();
    const show = (text: string) => this.#show(text);
    child.stdout!.setEncoding('utf8').on('data', show);
    child.stderr!.setEncoding('utf8').on('data', show);
    child.once('close', (status) =>
      this.#finish(status === 0 ? l10n.t('Finished.') : l10n.t('Ended with status {0}.', status ?? '?')),
    );
    // A program that ended early does not read the rest.
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(this.code);
  }

  /** The first of the programs that this computer has. */
  async #started([first, ...others]: typeof this.programs): Promise<ChildProcess> {
    const [program, ...args] = first!;
    try {
      // A group of its own: the commands that a script started end with it.
      return await startProgram(program, args, {
        env: this.variables,
        detached: process.platform !== 'win32',
      });
    } catch (error) {
      if (others.length === 0 || !(error instanceof NotStarted) || error.reason !== 'notFound') throw error;
      return this.#started(others);
    }
  }

  #finish(text: string): void {
    this.#hasEnded = true;
    this.#show(`\n${text} ${l10n.t('Press any key to close the terminal.')}\n`);
  }

  /** Only text: a response must not move the cursor or write to the clipboard. */
  #show(text: string): void {
    const plain = text.replaceAll(/[^\P{Cc}\t\n]/gu, '');
    this.#written.fire(plain.replaceAll('\n', '\r\n'));
  }

  #end(): void {
    this.#isStopped = true;
    const { pid, exitCode } = this.#child ?? {};
    if (pid === undefined || exitCode !== null) return;
    try {
      if (process.platform === 'win32') this.#child?.kill();
      else process.kill(-pid);
    } catch {
      // It has just ended.
    }
  }
}
