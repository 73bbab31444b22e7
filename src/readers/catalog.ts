import type { ModelSummary } from '../domain/model';
import { isObject } from '../domain/value';
import { words } from '../domain/words';
import { readModeNames } from './modeNames';
import { readPrice } from './price';
import { firstOf, pick, pickText, valueWords } from './records';

// One row of the catalog: an object, or the slug alone.

/** Category before owner: people look for the task of a model before its maker. */
const GROUPS = words('category group task owner publisher provider organization');
const SLUGS = words('slug modelslug model modelid modelname id key code name');

/** A row, or undefined when it names no model. */
export function readSummary(item: unknown): ModelSummary | undefined {
  if (typeof item === 'string')
    return item.trim() === '' ? undefined : { slug: item, name: item, tags: [], modeNames: [], raw: item };
  const slug = isObject(item) ? pickText(item, ...SLUGS) : undefined;
  if (!isObject(item) || slug === undefined) return undefined;
  return {
    slug,
    id: pickText(item, 'id', 'modelid', 'uuid'),
    name: pickText(item, 'displayname', 'title', 'name', 'label', 'modelname') ?? slug,
    description: pickText(item, 'description', 'shortdescription', 'summary'),
    group: firstOf(GROUPS, (name) => valueWords(pick(item, name))[0]),
    tags: valueWords(pick(item, 'tags', 'keywords', 'labels')),
    modeNames: readModeNames(item),
    price: readPrice(item),
    raw: item,
  };
}
