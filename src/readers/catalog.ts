import type { ModelSummary } from '../domain/model';
import { isObject } from '../domain/value';
import { words } from '../domain/words';
import { readModeNames } from './modeNames';
import { readPrice } from './price';
import { firstOf, overlaid, pick, pickText, valueWords } from './records';

// One row of the catalog: an object, or the slug alone.

/** Category before owner: people look for the task of a model before its maker. */
const GROUPS = words('category group task owner publisher provider organization');
const SLUGS = words('slug modelslug model modelid modelname id key code name');
/** Records of a row with its own facts about its model. */
const INNER = words('model attributes metadata node item');

/** A row, or undefined when it names no model. */
export function readSummary(item: unknown): ModelSummary | undefined {
  if (typeof item === 'string')
    return item.trim() === '' ? undefined : { slug: item, name: item, tags: [], modeNames: [], raw: item };
  if (!isObject(item)) return undefined;
  const inner = INNER.map((name) => pick(item, name)).filter(isObject);
  const record = inner.length === 0 ? item : overlaid([...inner.toReversed(), item]);
  const slug =
    firstOf([item, ...inner], (each) => pickText(each, 'slug', 'modelslug')) ??
    firstOf([item, ...inner], (each) => pickText(each, ...SLUGS));
  if (slug === undefined) return undefined;
  return {
    slug,
    id: pickText(record, 'id', 'modelid', 'uuid'),
    name: pickText(record, 'displayname', 'title', 'name', 'label', 'modelname') ?? slug,
    description: pickText(record, 'description', 'shortdescription', 'summary'),
    group: firstOf(GROUPS, (name) => valueWords(pick(record, name))[0]),
    tags: valueWords(pick(record, 'tags', 'keywords', 'labels')),
    modeNames: readModeNames(record),
    price: readPrice(record),
    raw: item,
  };
}
