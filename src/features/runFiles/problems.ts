import type * as vscode from 'vscode';
import type { Environment } from '../../domain/environment';
import type { ModelContract } from '../../domain/model';
import { mediaProblems } from '../../platform/runFiles/places';
import type { RunFileUses } from '../../platform/runFiles/uses';
import { contractChanges } from '../../runFiles/changed';
import { modelIn, problemsIn, type ReadRunFile, type RunFileProblem } from '../../runFiles/read';

/**
 * All problems of a run file: of its text, its model's contract, the local files that it names, and of changes of the
 * model since it last ran. Sends no request to the service.
 */
export async function runFileProblems(
  uses: RunFileUses,
  uri: vscode.Uri,
  file: ReadRunFile,
  contract: ModelContract | undefined,
  environment: Environment | undefined,
): Promise<RunFileProblem[]> {
  const problems = [...problemsIn(file, contract), ...(await mediaProblems(uri, file, contract))];
  const model = modelIn(file);
  if (!contract || model === undefined || !environment) return problems;
  const before = await uses.of(uri, model, environment.baseUrl);
  if (!before) return problems;
  const changes = contractChanges(file, before, contract);
  const places = new Set(changes.map(({ pointer }) => pointer));
  return [
    ...problems.filter(({ source, pointer }) => source !== 'model' || !places.has(pointer)),
    ...changes,
  ];
}
