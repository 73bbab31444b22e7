import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../domain/json';
import { mediaTypeOf } from '../domain/media';
import { readFileAt } from '../experiments/files/door';
import { payloadOf } from '../indexing/payload';
import { requiredMode, type VectorMode } from '../indexing/vectorMode';
import { checkedType, fileFaultText, HEAD_BYTES } from '../intake/fileCheck';
import { textOrThrow } from '../intake/text';
import { classifyResult } from '../results/classify';
import type { Hit } from '../results/resultView';
import { Guard } from '../runs/budget/guard';
import { Estimates } from '../runs/estimates/estimates';
import { performRun } from '../runs/perform';
import type { LocalFile } from '../runs/runs';
import type { ServiceClient } from '../service/client';
import { Unsaved } from '../store/unsaved';
import { messageOf } from '../wording/errors';
import { runCostText, runStateMessage, runStateText } from '../wording/runStates';
import { formatScore } from '../wording/score';
import { exitCodes } from './exitCodes';
import type { SearchArguments } from './lookUpArguments';
import { Memory, rememberedUploads } from './memory';
import { table } from './table';
import type { Terminal } from './terminal';
import { UsageError } from './usageError';

/** A longer file is not searched with. */
const MOST_BYTES = 100_000_000;

/**
 * Searches a scope with a file, and prints the hits: rank, score, id. It is one run, which is paid.
 * @throws UsageError where the file cannot be used, ServiceError where the model cannot be read
 */
export async function search(
  { file, scope, model, json }: SearchArguments,
  client: ServiceClient,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const mode = requiredMode(await client.getModel(model), 'search');
  const { input, files } = await queryOf(file, mode);
  const { contract } = mode;
  const memory = new Memory();
  const estimates = new Estimates([memory]);
  const guard = new Guard({
    limits: () => ({ confirmRuns: 0 }),
    estimates,
    spent: { of: () => '0', add: () => undefined, reset: () => undefined },
  });
  const { record, response } = await performRun(
    {
      ...{ guard, history: memory, cache: rememberedUploads() },
      client: async () => client,
      unsaved: new Unsaved(() => undefined),
    },
    {
      environment: { name: client.environment, baseUrl: client.baseUrl },
      ...{ contract, files, source: 'search' },
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
    const found = hits.map(({ id, score }) => ({ id, score }));
    terminal.printJson({ hits: found, cost, run_id: runId, output: response.output });
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
async function queryOf(
  name: string,
  { shape }: VectorMode,
): Promise<{ readonly input: JsonObject; readonly files: readonly LocalFile[] }> {
  const path = resolve(name);
  const filename = basename(path);
  const read = await readFileAt(path, MOST_BYTES).catch((error: unknown) => {
    throw new UsageError(messageOf(error));
  });
  if (!read) throw new UsageError(l10n.t('There is no file “{0}”.', name));
  const { ids: _ids, ...place } = shape;
  if (shape.carries === 'text') {
    const text = textOrThrow(read.bytes, name);
    return { input: payloadOf(place, [{ imageId: '', filename, text }]), files: [] };
  }
  const { bytes } = read;
  const sizeBytes = bytes.length;
  const type = checkedType({ filename, sizeBytes, head: bytes.subarray(0, HEAD_BYTES) }, shape.accept);
  if ('fault' in type) throw new UsageError(fileFaultText(type, name));
  const { contentType } = type;
  const mediaType = mediaTypeOf(contentType) ?? 'file';
  const uri = pathToFileURL(path).href;
  // The checked bytes are sent, even if the file changes meanwhile.
  async function* open() {
    yield bytes;
  }
  const source = { filename, contentType, mediaType, sizeBytes, open };
  const input = payloadOf(place, [{ imageId: '', filename, mediaRef: uri }]);
  return { input, files: [{ uri, source }] };
}
