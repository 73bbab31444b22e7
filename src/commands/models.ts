import * as l10n from '@vscode/l10n';
import { addAll } from '../domain/many';
import type { ModelSummary } from '../domain/model';
import { filterWords, matchesFilter } from '../domain/modelFilter';
import type { ServiceClient } from '../service/client';
import { incompleteText } from '../wording/errors';
import { firstSentence } from '../wording/firstSentence';
import { formatPrice } from '../wording/money';
import { exitCodes } from './exitCodes';
import { table } from './table';
import type { Terminal } from './terminal';

export interface ModelsQuery {
  /** Words that a model's name, description, group or tags must have. */
  readonly text: string;
  readonly json: boolean;
}

/**
 * Prints the catalog, or the models with all words of `text`. A list that is not complete is said to be: with
 * `--json` in its member `incomplete`.
 * @throws ServiceError where its first page cannot be read
 */
export async function models(
  { text, json }: ModelsQuery,
  client: ServiceClient,
  terminal: Terminal,
): Promise<number> {
  const words = filterWords(text);
  const listed: ModelSummary[] = [];
  const notes: string[] = [];
  let isUnderstood = false;
  for await (const page of client.listModels()) {
    addAll(
      listed,
      page.models.filter((model) => matchesFilter(model, words)),
    );
    const isUnread = page.unrecognised !== undefined && page.models.length === 0;
    isUnderstood ||= !isUnread;
    if (isUnread) notes.push(l10n.t('A part of the list of models was not understood.'));
    if (page.incomplete) notes.push(incompleteText(page.incomplete));
  }
  // A web page or an error with status 200 is no catalog without models.
  const code = isUnderstood ? exitCodes.passed : exitCodes.service;
  if (json) {
    const rows = listed.map(({ raw: _raw, ...model }) => model);
    terminal.printJson({ models: rows, ...(notes.length > 0 && { incomplete: notes.join(' ') }) });
    return code;
  }
  const rows = listed.map(({ slug, name, price, description = '' }) => [
    slug,
    name === slug ? '' : name,
    formatPrice(price, 'en') ?? '',
    firstSentence(description),
  ]);
  for (const line of table(rows)) terminal.print(line);
  if (listed.length === 0 && isUnderstood) terminal.warn(l10n.t('No model matches.'));
  for (const note of new Set(notes)) terminal.warn(note);
  return code;
}
