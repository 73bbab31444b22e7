import type { ModelSummary } from '../../domain/model';
import { isObject, type UnknownObject } from '../../domain/value';
import { words } from '../../domain/words';
import { modeNamesOf } from './modeNames';
import { readPrice } from './price';
import { firstOf, pick, pickText, wordsOf } from './records';

// One row of the catalog: an object, or the slug alone.

/** Category before owner: people look for what a model does before they look for who made it. */
const GROUPS = words(`
  category categories group task
  owner publisher provider organization organisation vendor author family
`);

/** A row, or undefined when it names no model. */
export function readSummary(item: unknown): ModelSummary | undefined {
  if (typeof item === 'string')
    return item.trim() === '' ? undefined : { slug: item, name: item, tags: [], modeNames: [], raw: item };
  if (!isObject(item)) return undefined;
  // {model: {...}}: the model inside a listing's own record.
  const inner = pick(item, 'model');
  const record: UnknownObject = isObject(inner) ? { ...item, ...inner } : item;
  const slug = pickText(record, 'slug', 'modelslug', 'model', 'modelid', 'id', 'identifier', 'key', 'name');
  if (slug === undefined) return undefined;
  return {
    slug,
    id: pickText(record, 'id', 'modelid', 'uuid'),
    name: pickText(record, 'displayname', 'title', 'name', 'label') ?? slug,
    description: pickText(record, 'description', 'shortdescription', 'summary', 'tagline'),
    group: firstOf(GROUPS, (name) => wordsOf(pick(record, name))[0]),
    tags: wordsOf(pick(record, 'tags', 'keywords', 'labels', 'topics')),
    modeNames: modeNamesOf(record),
    price: readPrice(record),
    raw: item,
  };
}
