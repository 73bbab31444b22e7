import * as vscode from 'vscode';
import type { Catalog } from '../../connection/catalog';
import type { Connection } from '../../connection/connection';
import type { Environment } from '../../domain/environment';
import { localMedia, localRefs } from '../../domain/media';
import { type ModelContract, modePrice } from '../../domain/model';
import type { RunDraft } from '../../domain/run';
import { modelIn, problemsIn, type ReadRunFile, type RunFileProblem } from '../../runFiles/read';
import type { EstimateOf } from '../../runs/estimates/estimate';
import type { LocalFile } from '../../runs/runs';
import { uploadSourceOf } from '../localFile';
import { requiredEnvironment } from './environment';
import { loadDraft } from './load';
import { mediaProblems } from './places';

/** A run file that can be run: checked against its model's contract, its local files inside the workspace. */
export interface ReadyRunFile {
  readonly uri: vscode.Uri;
  readonly file: ReadRunFile;
  readonly environment: Environment;
  readonly contract: ModelContract;
  /** Local files have their URIs as references. */
  readonly draft: RunDraft;
  readonly estimateOf: EstimateOf;
}

/** Checks a run file for a run. Requests the contract where it is not known, and uploads no file. */
export async function readyToRun(
  { catalog, connection }: { readonly catalog: Catalog; readonly connection: Connection },
  uri: vscode.Uri,
  file: ReadRunFile,
): Promise<ReadyRunFile | readonly RunFileProblem[]> {
  const model = modelIn(file);
  if (file.errors.length > 0 || model === undefined) return problemsIn(file, undefined);
  const environment = await requiredEnvironment(uri, file, connection);
  const contract = await catalog.of(environment).contract(model);
  const problems = [...problemsIn(file, contract), ...(await mediaProblems(uri, file, contract))];
  if (problems.some(({ severity }) => severity === 'error')) return problems;
  const { draft } = await loadDraft(uri, file);
  const price = modePrice(contract, draft.mode);
  const items = Math.max(1, localMedia(draft.input).length);
  return {
    uri,
    file,
    environment,
    contract,
    draft,
    estimateOf: { baseUrl: environment.baseUrl, model: contract.slug, mode: draft.mode, price, items },
  };
}

/** The local files of a run file's draft, to upload. Each is inside the workspace: see `loadDraft`. */
export function runFileMedia({ draft }: ReadyRunFile, memory: vscode.Memento): Promise<LocalFile[]> {
  return Promise.all(
    localRefs(draft.input, draft.params).map(async (uri) => ({
      uri,
      source: await uploadSourceOf(vscode.Uri.parse(uri), memory),
    })),
  );
}
