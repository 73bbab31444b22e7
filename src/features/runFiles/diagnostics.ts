import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { openDocument } from '../../platform/documentText';
import { environmentFor } from '../../platform/runFiles/environment';
import { runFileTexts } from '../../platform/runFiles/find';
import { isRunFileName } from '../../platform/runFiles/names';
import { problemDiagnostics } from '../../platform/runFiles/ranges';
import { runFileUses } from '../../platform/runFiles/uses';
import { isBelow, watchRunFiles } from '../../platform/runFiles/watch';
import { modelIn, type ReadRunFile, type RunFileProblem, readRunFile } from '../../runFiles/read';
import type { Services } from '../../services';
import { DisposableStore } from '../../vscode/disposables';
import type { Contracts } from './contracts';
import { runFileProblems } from './problems';

/** After the last key; with the check itself it stays well below the time in which one looks for a squiggle. */
const DELAY_MS = 60;

/** Squiggles in open run files, renewed as they, their models and their media change. */
export class RunFileDiagnostics implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #shown = this.#store.add(vscode.languages.createDiagnosticCollection('modelBench.runFiles'));
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly services: Services,
    private readonly contracts: Contracts,
  ) {
    this.#store.add(contracts.onDidChange(() => this.checkOpen()));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#soon(document)));
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#soon(document)));
    // A file that was named may be there now.
    this.#store.add(
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.#soon(editor.document)),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        clearTimeout(this.#timers.get(uri.toString()));
        this.#timers.delete(uri.toString());
        this.#shown.delete(uri);
      }),
    );
    this.#store.add(
      watchRunFiles({
        changed: (uris) => void this.#renew(uris),
        gone: (folder) => this.#forget((uri) => isBelow(uri.toString(), folder)),
      }),
    );
    this.checkOpen();
  }

  /** Forgets the problems of files that are not open: those of an earlier check, which may be gone or repaired. */
  forgetClosed(): void {
    this.#forget((uri) => !openDocument(uri));
  }

  checkOpen(): void {
    for (const document of vscode.workspace.textDocuments) this.#soon(document);
  }

  /** Shows the problems of a file that need not be open. */
  show(uri: vscode.Uri, file: ReadRunFile, problems: readonly RunFileProblem[]): void {
    const isShown = openDocument(uri);
    // VS Code shows these in an open file itself, by the JSON schema of run files.
    const shown = problems.filter(({ source }) => !isShown || (source !== 'syntax' && source !== 'format'));
    this.#shown.set(uri, problemDiagnostics(file, shown));
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#store.dispose();
  }

  #forget(isMeant: (uri: vscode.Uri) => boolean): void {
    const meant: vscode.Uri[] = [];
    this.#shown.forEach((uri) => {
      if (isMeant(uri)) meant.push(uri);
    });
    for (const uri of meant) this.#shown.delete(uri);
  }

  /** Checks closed files with problems again; deleted ones have none. */
  async #renew(uris: readonly vscode.Uri[]): Promise<void> {
    const meant = uris.filter((uri) => this.#shown.has(uri) && !openDocument(uri));
    const reported = new Set<string>();
    for await (const { uri, text } of runFileTexts(meant)) {
      const file = readRunFile(text);
      this.show(uri, file, await this.#problemsOf(uri, file));
      reported.add(uri.toString());
    }
    for (const uri of meant) if (!reported.has(uri.toString())) this.#shown.delete(uri);
  }

  #problemsOf(uri: vscode.Uri, file: ReadRunFile): Promise<RunFileProblem[]> {
    const { connection, context } = this.services;
    const environment = environmentFor(file, connection);
    const contract = this.contracts.of(modelIn(file), environment);
    return runFileProblems(runFileUses(context), uri, file, contract, environment);
  }

  #soon(document: vscode.TextDocument): void {
    if (!isRunFileName(document.uri.path) || document.uri.scheme === 'git' || document.isClosed) return;
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        this.#check(document).catch((error: unknown) => this.services.log.warn(loggedError(error)));
      }, DELAY_MS),
    );
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const file = readRunFile(document.getText());
    const problems = await this.#problemsOf(document.uri, file);
    if (!document.isClosed && document.version === version && !this.#store.isDisposed)
      this.show(document.uri, file, problems);
  }
}
