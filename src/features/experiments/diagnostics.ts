import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import type { ExperimentFile } from '../../experiments/file/format';
import { checkExperiment } from '../../experiments/file/load';
import { type ExperimentProblem, type ReadExperiment, readExperiment } from '../../experiments/file/read';
import { comparedProblems } from '../../experiments/setup/comparedParts';
import { environmentFor } from '../../platform/runFiles/environment';
import { problemDiagnostics } from '../../platform/runFiles/ranges';
import { readRunFile } from '../../runFiles/read';
import type { Services } from '../../services';
import { Owner } from '../../vscode/disposables';
import { isExperimentName } from './names';

/** After the last key. */
const DELAY_MS = 100;

/** Squiggles in open experiments: problems that VS Code cannot find by their JSON schema. */
export class ExperimentDiagnostics extends Owner {
  readonly #shown = this.store.add(vscode.languages.createDiagnosticCollection('modelBench.experiments'));
  readonly #soon = this.store.soon(DELAY_MS, () => this.#check());

  constructor(private readonly services: Services) {
    super();
    this.store.add(vscode.workspace.onDidChangeTextDocument(this.#soon));
    this.store.add(vscode.workspace.onDidOpenTextDocument(this.#soon));
    this.store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri)));
    this.#soon();
  }

  #check(): void {
    for (const document of vscode.workspace.textDocuments) {
      const { uri, isClosed } = document;
      if (isClosed || uri.scheme === 'git' || !isExperimentName(uri.path)) continue;
      const file = readExperiment(document.getText());
      this.#show(document, file, file.problems);
      if (file.experiment && uri.scheme === 'file') void this.#checkModels(document, file, file.experiment);
    }
  }

  /** The rules of its models' contracts that are known: none is requested here. */
  async #checkModels(
    document: vscode.TextDocument,
    file: ReadExperiment,
    experiment: ExperimentFile,
  ): Promise<void> {
    const { version, uri } = document;
    const environment = environmentFor(readRunFile(file.text), this.services.connection);
    if (!environment) return;
    const models = this.services.catalog.of(environment);
    try {
      const cachedContract = (model: string) => models.cachedContract(model);
      const problems = [
        ...(await checkExperiment(uri.fsPath, file.text, cachedContract)),
        ...(await comparedProblems(experiment, uri.fsPath)),
      ];
      if (!document.isClosed && document.version === version) this.#show(document, file, problems);
    } catch (error) {
      this.services.log.info(logLine`An experiment was not checked: ${loggedError(error)}`);
    }
  }

  #show({ uri }: vscode.TextDocument, file: ReadExperiment, problems: readonly ExperimentProblem[]): void {
    const shown = problems.filter(({ source }) => source === 'meaning');
    this.#shown.set(uri, problemDiagnostics(file, shown));
  }
}
