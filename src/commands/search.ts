import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../domain/json';
import { readFileAt } from '../experiments/files/door';
import { batchInput } from '../indexing/payload';
import { requiredMode, type VectorMode } from '../indexing/vectorMode';
import { textOrThrow } from '../intake/text';
import { classifyResult } from '../results/classify';
import type { Hit } from '../results/resultView';
import type { LocalFile } from '../runs/runs';
import type { ServiceClient } from '../service/client';
import { messageOf } from '../wording/errors';
import { runCostText, runStateMessage, runStateText } from '../wording/runStates';
import { formatScore } from '../wording/score';
import type { PerformRun } from './callRuns';
import { checkedUpload } from './checkedUpload';
import { exitCodes } from './exitCodes';
import { table } from './table';
import type { Terminal } from './terminal';
import { UsageError } from './usageError';

export interface SearchOrder {
  readonly file: string;
  readonly scope: string;
  readonly model: string;
  readonly json: boolean;
}

/** Text is part of the request. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/**
 * Searches a scope with a file, and prints the hits: rank, score, id. It is one run, which is paid.
 * @throws UsageError where the file cannot be used, ServiceError where the model cannot be read
 */
export async function search(
  { file, scope, model, json }: SearchOrder,
  client: ServiceClient,
  perform: PerformRun,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const mode = requiredMode(await client.getModel(model), 'search');
  const { input, files } = await fileQuery(file, mode);
  const { contract } = mode;
  const { record, response } = await perform(
    {
      environment: { name: client.environment, baseUrl: client.baseUrl },
      contract,
      files,
      draft: { model: contract.slug, mode: mode.mode.name, scope, input, params: {} },
    },
    { signal, onStep: ({ step }) => terminal.progress(step) },
  );
  if (response?.state !== 'finished') {
    terminal.warn(record.message ?? runStateMessage(record.state) ?? runStateText(record.state));
    return exitCodes.service;
  }
  const parts = classifyResult(response.output).sections.map(({ part }) => part);
  const hits: readonly Hit[] = parts.find((part) => part.kind === 'hits')?.hits ?? [];
  if (json) {
    const { cost, runId } = record;
    const shownHits = hits.map(({ id, score }) => ({ id, score }));
    terminal.printJson({ hits: shownHits, cost, run_id: runId, output: response.output });
    return exitCodes.passed;
  }
  const rows = hits.map(({ id, score }, at) => [
    String(at + 1),
    score === undefined ? '' : formatScore(score, 'en'),
    id,
  ]);
  for (const line of table(rows)) terminal.print(line);
  if (hits.length === 0) terminal.warn(l10n.t('The response has no hits. --json shows all of it.'));
  const cost = runCostText(record);
  if (cost !== undefined) terminal.warn(cost);
  return exitCodes.passed;
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
