import * as l10n from '@vscode/l10n';
import { addAll } from '../domain/many';
import type { ModelSummary } from '../domain/model';
import { filterWords, matchesFilter } from '../domain/modelFilter';
import type { ServiceClient } from '../service/client';
import { unreadable } from '../service/failures';
import { incompleteText, messageOf } from '../wording/errors';
import { firstSentence } from '../wording/firstSentence';
import { formatPrice } from '../wording/money';
import { withMapping } from '../wording/runStates';
import { table } from './table';

/**
 * The catalog, or the models with all words of a text in their name, description, group or tags.
 * @returns with notes why it is not complete; a web page is not understood: it is no catalog without models
 * @throws ServiceError where its first page cannot be read
 */
export async function listModels(text: string, client: ServiceClient) {
  const words = filterWords(text);
  const models: ModelSummary[] = [];
  const notes = new Set<string>();
  let isUnderstood = false;
  for await (const page of client.listModels()) {
    addAll(
      models,
      page.models.filter((model) => matchesFilter(model, words)),
    );
    const isUnread = page.unrecognised !== undefined && page.models.length === 0;
    isUnderstood ||= !isUnread;
    if (isUnread && !page.incomplete) notes.add(messageOf(unreadable({ reason: 'noCatalog' })));
    else if (page.unrecognised && !isUnread)
      notes.add(withMapping(l10n.t('A part of the list of models was not understood.')));
    if (page.incomplete) notes.add(incompleteText(page.incomplete));
  }
  return { models, notes: [...notes], isUnderstood };
}

/** A line for each model. */
export function modelLines(models: readonly ModelSummary[]): string[] {
  return table(
    models.map(({ slug, name, price, description = '' }) => [
      slug,
      name === slug ? '' : name,
      formatPrice(price, 'en') ?? '',
      firstSentence(description),
    ]),
  );
}
