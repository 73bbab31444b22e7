import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Dataset } from '../../domain/dataset';
import type { Environment } from '../../domain/environment';
import type { JsonObject } from '../../domain/json';
import type { Money } from '../../domain/money';
import type { RunResponse } from '../../domain/response';
import type { RunStep } from '../../domain/run';
import { durationOf } from '../../domain/runTimes';
import { batchInput } from '../../indexing/payload';
import { isOfOtherKind, type VectorMode } from '../../indexing/vectorMode';
import { contentTypeOf } from '../../intake/contentType';
import { textOrThrow } from '../../intake/text';
import { uploadSourceOf } from '../../platform/localFile';
import type { SearchQuery } from '../../protocol/search';
import type { LocalFile } from '../../runs/runs';
import type { Services } from '../../services';
import type { Datasets } from '../../store/datasets';
import { readSetting } from '../../vscode/settings';
import { noteStepDone } from '../../vscode/walkthrough';
import { runStateMessage } from '../../wording/runStates';
import { type FoundHits, foundHits } from './searchHits';
import { chosenParams } from './searchParams';

export interface SearchOutcome {
  readonly hits: FoundHits;
  readonly response: RunResponse;
  readonly tookMs: number | undefined;
  readonly cost: Money | undefined;
  /** Of its record in the history. */
  readonly runId: string;
  /** Milliseconds since the epoch, of a search that was made before the window was reloaded. */
  readonly restoredFrom?: number;
}

export interface Search {
  readonly environment: Environment;
  readonly dataset: Dataset;
  readonly model: VectorMode;
  readonly query: SearchQuery;
  readonly values: JsonObject;
}

/**
 * A paid run like any other: checked, admitted, in the history. Resolves to its hits, or to why there are none.
 * Throws the reason why it cannot be sent.
 */
export async function search(
  services: Services,
  datasets: Datasets,
  { environment, dataset, model, query, values }: Search,
  signal: AbortSignal,
  onStep: (step: string) => void,
): Promise<SearchOutcome | { readonly message: string; readonly error: unknown }> {
  const runs = await services.runs();
  const { input, files } = await inputOf(model, query, services.context.globalState);
  const params = chosenParams(model.mode, values);
  const draft = { model: model.contract.slug, mode: model.mode.name, scope: dataset.scope, input, params };
  const { response, error, record } = await runs.perform(
    { environment, contract: model.contract, draft, files },
    { signal, timeoutMs: readSetting('runTimeoutSeconds') * 1_000, onStep: (step) => onStep(stepText(step)) },
  );
  if (response?.state !== 'finished') {
    const message =
      record.message ??
      response?.message ??
      runStateMessage(record.state) ??
      l10n.t('No response was received yet.');
    return { message, error };
  }
  const hits = await foundHits(response.output, dataset, datasets);
  void noteStepDone(services.context.globalState, 'search');
  return { hits, response, tookMs: durationOf(record), cost: record.cost, runId: record.id };
}

/** The hits of an earlier search, read from the response in the history, without a request. */
export async function earlierSearch(
  services: Services,
  datasets: Datasets,
  dataset: Dataset,
  runId: string,
): Promise<SearchOutcome | undefined> {
  const history = await services.history();
  const record = history.get(runId);
  const bytes = record && (await history.runs.result(runId));
  if (!record || !bytes || record.result?.truncated) return undefined;
  const { keptResponse } = await import('../../runs/history/keptResponse');
  const response = keptResponse(record, bytes);
  const hits = await foundHits(response.output, dataset, datasets);
  const { cost, startedAt } = record;
  return { hits, response, runId, tookMs: durationOf(record), cost, restoredFrom: startedAt };
}

/** The run's input for a query: the file is uploaded by the run itself. */
async function inputOf(
  { shape, contract }: VectorMode,
  query: SearchQuery,
  memory: vscode.Memento,
): Promise<{ input: JsonObject; files: readonly LocalFile[] }> {
  const { ids: _ids, ...place } = shape;
  if (query.kind === 'text') {
    return { input: batchInput(place, [{ imageId: '', filename: '', text: query.text }]), files: [] };
  }
  const uri = vscode.Uri.parse(query.uri, true);
  const contentType = contentTypeOf(query.name);
  if (isOfOtherKind({ contentType, filename: query.name }, shape))
    throw new Error(
      l10n.t(
        '{0} cannot search with files of this type ({1}). Choose another file.',
        contract.name,
        contentType,
      ),
    );
  if (shape.carries === 'text') {
    const text = textOrThrow(await vscode.workspace.fs.readFile(uri), query.name);
    return { input: batchInput(place, [{ imageId: '', filename: query.name, text }]), files: [] };
  }
  const source = await uploadSourceOf(uri, memory);
  const input = batchInput(place, [{ imageId: '', filename: query.name, mediaRef: query.uri }]);
  return { input, files: [{ uri: query.uri, source }] };
}

function stepText(step: RunStep): string {
  switch (step.step) {
    case 'checking':
      return l10n.t('Checking…');
    case 'uploading':
      return l10n.t('Uploading…');
    case 'waiting':
      return step.reason === 'rateLimit'
        ? l10n.t('Waiting: the service limits the rate…')
        : l10n.t('Waiting until the request can be sent…');
    case 'sending':
    case 'running':
      return l10n.t('Searching…');
    case 'reading':
      return l10n.t('Reading the response…');
  }
}
