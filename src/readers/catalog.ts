import type { ModelSummary } from '../domain/model';
import { isObject, type UnknownObject } from '../domain/value';
import { words } from '../domain/words';
import { readModeNames } from './modeNames';
import { readPrice } from './price';
import { firstOf, members, overlaid, pick, pickText, plainName, valueWords } from './records';

// One row of the catalog: an object, or the slug alone.

/** Category before owner: people look for the task of a model before its maker. */
const GROUPS = words(`
  category categories group task
  owner publisher provider organization organisation vendor author family
`);

/** Names of a slug that only a model has, and names that any record may have. */
const SLUGS = words('slug modelslug endpointid model modelid modelcode modelkey modelname');
const IDS = words('id identifier key code uuid name');
/** Records of a row about somebody or something else. */
const OTHERS = new Set([
  ...GROUPS,
  ...words('user creator license pricing price cost links urls task version'),
]);
/** Records around or beside the row's own facts about its model. */
const INNER = words(
  'model attributes node metadata resource document entry item data listing spec info details',
);

/** A row, or undefined when it names no model. */
export function readSummary(item: unknown): ModelSummary | undefined {
  if (typeof item === 'string')
    return item.trim() === '' ? undefined : { slug: item, name: item, tags: [], modeNames: [], raw: item };
  if (!isObject(item)) return undefined;
  const { record, slug } = namedRecord(item);
  if (slug === undefined) return undefined;
  return {
    slug,
    id: pickText(record, 'id', 'modelid', 'uuid'),
    name: pickText(record, 'displayname', 'title', 'name', 'label', 'modelname') ?? slug,
    description: pickText(record, 'description', 'shortdescription', 'summary', 'tagline'),
    group: firstOf(GROUPS, (name) => valueWords(pick(record, name))[0]),
    tags: valueWords(pick(record, 'tags', 'keywords', 'labels', 'topics')),
    modeNames: readModeNames(record),
    price: readPrice(record),
    raw: item,
  };
}

/**
 * A row with the members one level deeper: {model: {slug}}, {id, attributes: {slug}}, {endpoint_id, metadata:
 * {name}}.
 */
function namedRecord(item: UnknownObject): {
  readonly record: UnknownObject;
  readonly slug?: string | undefined;
} {
  const inner = INNER.map((name) => pick(item, name)).filter(isObject);
  const record = joined(item, inner);
  const own = pickText(item, ...SLUGS);
  if (own !== undefined) return { record, slug: own };
  const others = members(item)
    .slice(0, MOST_MEMBERS)
    .filter(([name]) => !OTHERS.has(plainName(name)))
    .map(([, value]) => value)
    .filter(isObject);
  const deeper = [...inner, ...others].find((each) => pickText(each, ...SLUGS) !== undefined);
  if (deeper !== undefined)
    return { record: joined(item, [deeper, ...inner]), slug: pickText(deeper, ...SLUGS) };
  const name = pickText(item, ...IDS) ?? firstOf(inner, (each) => pickText(each, ...IDS));
  return { record, slug: name === undefined ? undefined : (nameInAddress(item, name) ?? name) };
}

/** {owner: "o", name: "m", url: "https://…/o/m"}: the address has the whole name. */
function nameInAddress(item: UnknownObject, name: string): string | undefined {
  const owner = pickText(item, 'owner', 'username', 'namespace', 'publisher');
  const address = pickText(item, 'url', 'href', 'weburl', 'htmlurl') ?? '';
  const whole = `${owner}/${name}`;
  return owner !== undefined && address.endsWith(`/${whole}`) ? whole : undefined;
}

const MOST_MEMBERS = 100;

/** One record: the row's own members win, except over its `model`. */
function joined(item: UnknownObject, inner: readonly UnknownObject[]): UnknownObject {
  if (inner.length === 0) return item;
  const model = pick(item, 'model');
  return overlaid([...inner.toReversed(), item, ...(isObject(model) ? [model] : [])]);
}
