import * as vscode from 'vscode';
import { readExperiment } from '../../experiments/read';
import { DisposableStore } from '../../platform/disposables';
import { diagnosticsOf } from '../../platform/runFiles/ranges';
import { isExperimentName } from './names';

/** After the last key. */
const DELAY_MS = 100;

/** Squiggles in open experiments: what VS Code cannot find by their JSON schema. */
export class Diagnostics implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #shown = this.#store.add(vscode.languages.createDiagnosticCollection('modelBench.experiments'));
  readonly #soon = this.#store.soon(DELAY_MS, () => this.#check());

  constructor() {
    this.#store.add(vscode.workspace.onDidChangeTextDocument(this.#soon));
    this.#store.add(vscode.workspace.onDidOpenTextDocument(this.#soon));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri)));
    this.#soon();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #check(): void {
    for (const document of vscode.workspace.textDocuments) {
      const { uri, isClosed } = document;
      if (isClosed || uri.scheme === 'git' || !isExperimentName(uri.path)) continue;
      const file = readExperiment(document.getText());
      const found = file.problems.filter(({ source }) => source === 'meaning');
      this.#shown.set(uri, diagnosticsOf(file, found));
    }
  }
}
