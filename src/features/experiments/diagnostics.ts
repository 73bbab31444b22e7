import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { loggedError } from '../../domain/loggedError';
import { logLine } from '../../domain/logLine';
import { variationKey, variationsOf } from '../../experiments/grid';
import { checkExperiment } from '../../experiments/load';
import { comparingOf } from '../../experiments/measuredValue';
import { type ExperimentProblem, type ReadExperiment, readExperiment } from '../../experiments/read';
import { readResultsFile, resultPlaces } from '../../experiments/resultsFile';
import { comparedWarnings } from '../../experiments/setup/comparedParts';
import { DisposableStore } from '../../platform/disposables';
import { environmentFor } from '../../platform/runFiles/environment';
import { diagnosticsOf } from '../../platform/runFiles/ranges';
import { readRunFile } from '../../runFiles/read';
import type { Services } from '../../services';
import { isExperimentName } from './names';

/** After the last key. */
const DELAY_MS = 100;

/** Squiggles in open experiments: problems that VS Code cannot find by their JSON schema. */
export class Diagnostics implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #shown = this.#store.add(vscode.languages.createDiagnosticCollection('modelBench.experiments'));
  readonly #soon = this.#store.soon(DELAY_MS, () => this.#check());

  constructor(private readonly services: Services) {
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
      this.#show(document, file, file.problems);
      if (file.experiment && uri.scheme === 'file') void this.#checkModels(document, file);
    }
  }

  /** The rules of its models' contracts that are known: none is requested here. */
  async #checkModels(document: vscode.TextDocument, file: ReadExperiment): Promise<void> {
    const { version, uri } = document;
    const environment = environmentFor(readRunFile(file.text), this.services.connection);
    if (!environment) return;
    const models = this.services.catalog.of(environment);
    try {
      const contractOf = (model: string) => models.cachedContract(model);
      const problems = [
        ...(await checkExperiment(uri.fsPath, file.text, contractOf)),
        ...(await comparedProblems(file, uri.fsPath)),
      ];
      if (!document.isClosed && document.version === version) this.#show(document, file, problems);
    } catch (error) {
      this.services.log.info(logLine`An experiment was not checked: ${loggedError(error)}`);
    }
  }

  #show({ uri }: vscode.TextDocument, file: ReadExperiment, problems: readonly ExperimentProblem[]): void {
    const shown = problems.filter(({ source }) => source === 'meaning');
    this.#shown.set(uri, diagnosticsOf(file, shown));
  }
}

/** A larger results file is read by the table only. */
const MOST_RESULT_BYTES = 4_000_000;

/** The compared part that no result has. Does not read the expected values of the inputs. */
async function comparedProblems({ experiment }: ReadExperiment, path: string): Promise<ExperimentProblem[]> {
  if (!experiment?.expected || 'judged' in experiment.expected) return [];
  const { file } = resultPlaces(path);
  const facts = await stat(file).catch(() => undefined);
  if (!facts || facts.size > MOST_RESULT_BYTES) return [];
  const variations = new Set(variationsOf(experiment.vary).map(variationKey));
  // A file that cannot be read is reported by the table, and before runs are sent.
  const read = await readResultsFile(file).catch(() => undefined);
  const lines = read?.results.filter(({ variation }) => variations.has(variationKey(variation))) ?? [];
  return comparedWarnings(lines, comparingOf(experiment), []).map((message) => ({
    pointer: 'at' in experiment.expected! ? '/expected/at' : '/expected',
    ...{ message, severity: 'warning', source: 'meaning' },
  }));
}
