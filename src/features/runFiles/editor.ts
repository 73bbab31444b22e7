import type * as vscode from 'vscode';
import type { Services } from '../../services';
import { DisposableStore } from '../../vscode/disposables';
import { Contracts } from './contracts';
import { RunFileDiagnostics } from './diagnostics';
import { Languages } from './languages';

/** The parts behind the editors of run files. */
export class RunFileEditor implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly languages: Languages;
  readonly diagnostics: RunFileDiagnostics;

  constructor(services: Services) {
    const contracts = this.#store.add(new Contracts(services));
    this.languages = new Languages(services, contracts);
    this.diagnostics = this.#store.add(new RunFileDiagnostics(services, contracts));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
