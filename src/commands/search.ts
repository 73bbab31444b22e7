import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../domain/json';
import type { RunStep } from '../domain/run';
import { readFileAt } from '../experiments/files/door';
import { batchInput } from '../indexing/payload';
import type { VectorMode } from '../indexing/vectorMode';
import { textOrThrow } from '../intake/text';
import { searchHits } from '../results/classify';
import type { Hit } from '../results/resultView';
import type { LocalFile, PerformedRun } from '../runs/runs';
import type { ServiceClient } from '../service/client';
import { messageOf } from '../wording/errors';
import { runCostText, runStateMessage, runStateText } from '../wording/runStates';
import { formatScore } from '../wording/score';
import type { PerformRun } from './callRuns';
import { checkedUpload } from './checkedUpload';
import { vectorModeOf } from './ready';
import type { Show } from './show';
import { table } from './table';
import { UsageError } from './usageError';

export interface SearchOrder {
  readonly file: string;
  readonly scope: string;
  readonly model: string;
}

/** A search, and its hits where it has finished. */
export interface FoundHits extends PerformedRun {
  readonly hits?: readonly Hit[] | undefined;
  /** The service's name of the scores: a distance is the better the smaller it is. */
  readonly measure?: string | undefined;
  /** The search looked at a part of the scope. */
  readonly isPartial?: boolean | undefined;
}

/** Text is part of the request. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/**
 * Searches a scope with a file. It is one run, which is paid.
 * @param show shows the step of the run
 * @throws UsageError where the file cannot be used, ServiceError where the model cannot be read
 */
export async function search(
  { file, scope, model }: SearchOrder,
  client: ServiceClient,
  perform: PerformRun,
  show: Pick<Show, 'progress' | 'warn'>,
  signal: AbortSignal,
): Promise<FoundHits> {
  const mode = await vectorModeOf(model, 'search', client, show.warn);
  const { input, files } = await fileQuery(file, mode);
  const { contract } = mode;
  const environment = { name: client.environment, baseUrl: client.baseUrl };
  const draft = { model: contract.slug, mode: mode.mode.name, scope, input, params: {} };
  const options = { signal, onStep: ({ step }: RunStep) => show.progress(step) };
  const performed = await perform({ environment, contract, files, draft }, options);
  const { response } = performed;
  if (response?.state !== 'finished') return performed;
  return { ...performed, ...searchHits(response.output) };
}

/** Lines of hits: rank, score with its name, ID; or why there are none. */
export function hitLines({ record, hits, measure, isPartial }: FoundHits): string[] {
  if (!hits && record.state === 'finished')
    return [l10n.t('No list of hits was recognized in the response. --json shows all of it.')];
  if (!hits) return [record.message ?? runStateMessage(record.state) ?? runStateText(record.state)];
  const rows = hits.map(({ id, score }, at) => [
    String(at + 1),
    score === undefined ? '' : `${measure} ${formatScore(score, 'en')}`,
    id,
  ]);
  const none = l10n.t('The response has no hits. --json shows all of it.');
  const part = l10n.t('Only a part of the scope was searched.');
  const notes = [
    ...(hits.length === 0 ? [none] : []),
    ...(isPartial ? [part] : []),
    runCostText(record) ?? '',
  ];
  return [...table(rows), ...notes].filter(Boolean);
}

/** A file's form in the model's search: text in the request, or an upload. */
async function fileQuery(
  name: string,
  { shape }: VectorMode,
): Promise<{ readonly input: JsonObject; readonly files: readonly LocalFile[] }> {
  const path = resolve(name);
  const filename = basename(path);
  const { ids: _ids, ...place } = shape;
  try {
    const facts = await stat(path).catch(() => undefined);
    if (!facts?.isFile()) throw new Error(l10n.t('There is no file “{0}”.', name));
    if (shape.carries === 'text') {
      const read = await readFileAt(path, MOST_TEXT_BYTES);
      const text = textOrThrow(read?.bytes ?? new Uint8Array(), name);
      return { input: batchInput(place, [{ imageId: '', filename, text }]), files: [] };
    }
    const source = await checkedUpload({ path, filename, sizeBytes: facts.size }, shape.accept);
    const uri = pathToFileURL(path).href;
    const input = batchInput(place, [{ imageId: '', filename, mediaRef: uri }]);
    return { input, files: [{ uri, source }] };
  } catch (error) {
    // Still before the run.
    throw new UsageError(messageOf(error));
  }
}
