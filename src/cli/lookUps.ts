import * as l10n from '@vscode/l10n';
import { descriptionOf } from '../commands/describe';
import { type IndexedFiles, indexedLines } from '../commands/indexFiles';
import { listModels, modelLines } from '../commands/models';
import { type FoundHits, hitLines } from '../commands/search';
import type { ModelContract } from '../domain/model';
import type { ServiceClient } from '../service/client';
import { exitCodes } from './exitCodes';
import type { LookUpArguments } from './lookUpArguments';
import type { Terminal } from './terminal';

/** Prints the catalog, or the models with all words of `text`. A list that is not complete is said to be. */
export async function printModels(
  { text, json }: Extract<LookUpArguments, { command: 'models' }>,
  client: ServiceClient,
  out: Terminal,
): Promise<number> {
  const { models, notes, isUnderstood } = await listModels(text, client);
  if (json) {
    const rows = models.map(({ raw: _raw, ...model }) => model);
    out.printJson({ models: rows, ...(notes.length > 0 && { incomplete: notes.join(' ') }) });
  } else {
    for (const line of modelLines(models)) out.print(line);
    if (models.length === 0 && isUnderstood) out.warn(l10n.t('No model matches.'));
    for (const note of notes) out.warn(note);
  }
  return isUnderstood ? exitCodes.passed : exitCodes.service;
}

/** Prints the contract of each model; with `--json` with the schemas. @throws ServiceError where one cannot be read */
export async function printDescriptions(
  { models, json }: Extract<LookUpArguments, { command: 'describe' }>,
  client: ServiceClient,
  out: Terminal,
): Promise<number> {
  const contracts: ModelContract[] = [];
  for (const model of models) contracts.push(await client.getModel(model));
  if (json) out.printJson(contracts.map(({ raw: _raw, ...contract }) => contract));
  else
    for (const [at, contract] of contracts.entries())
      for (const line of [...(at > 0 ? [''] : []), ...descriptionOf(contract)]) out.print(line);
  return exitCodes.passed;
}

export function printHits(search: FoundHits, json: boolean, out: Terminal): number {
  const { record, response, hits, measure, isPartial } = search;
  if (response && json) {
    const shown = hits?.map(({ id, score }) => ({ id, score }));
    const { cost, message, runId, state } = record;
    out.printJson({
      state,
      message,
      hits: shown ?? null,
      measure,
      is_partial: isPartial,
      cost,
      run_id: runId,
      output: response.output ?? response.raw.json,
    });
  } else {
    const lines = hitLines(search);
    for (const line of lines.slice(0, hits?.length ?? 0)) out.print(line);
    for (const line of lines.slice(hits?.length ?? 0)) out.warn(line);
  }
  return hits ? exitCodes.passed : exitCodes.service;
}

export function printIndexed(indexed: IndexedFiles, out: Terminal): number {
  const { outcomes, notes } = indexedLines(indexed);
  for (const line of outcomes) out.print(line);
  for (const line of notes) out.warn(line);
  if (indexed.left + indexed.unconfirmed > 0) return exitCodes.service;
  return indexed.failed + indexed.unreadable > 0 ? exitCodes.failed : exitCodes.passed;
}
