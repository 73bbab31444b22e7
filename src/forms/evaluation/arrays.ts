import type { Json } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import { isObject } from '../../domain/value';
import { type Schema, schemaList } from '../schema/node';
import type { CheckLimit } from '../work';
import type { NodeCheck } from './nodeCheck';

/**
 * The keywords of arrays.
 *
 * @param containsEvaluates whether an item found by `contains` counts as evaluated, as since draft 2020-12
 */
export function checkArray(check: NodeCheck, value: readonly Json[], containsEvaluates: boolean): void {
  const { minItems, maxItems, uniqueItems } = check.node;
  if (typeof minItems === 'number') check.demand('minItems', value.length >= minItems);
  if (typeof maxItems === 'number') check.demand('maxItems', value.length <= maxItems);
  if (uniqueItems === true) check.demand('uniqueItems', areUnique(value, check.work));
  checkItems(check, value);
  if ('contains' in check.node) checkContains(check, value, containsEvaluates);
}

function checkItems(check: NodeCheck, value: readonly Json[]): void {
  const fixed = schemaList(check.node.prefixItems);
  const { items } = check.node;
  for (const [index, item] of value.entries()) {
    const keyword = index < fixed.length ? 'prefixItems' : 'items';
    const schema = index < fixed.length ? fixed[index] : (items as Schema | undefined);
    if (schema === undefined) continue;
    check.include(keyword, check.evaluate(schema, item, childPointer(check.pointer, index)));
    check.evaluated?.add(String(index), check.isSoft(keyword) ? 'possible' : 'sure');
  }
}

function checkContains(check: NodeCheck, value: readonly Json[], evaluates: boolean): void {
  const { node, pointer } = check;
  let matching = 0;
  let possible = 0;
  for (const [index, item] of value.entries()) {
    const { verdict } = check.evaluate(node.contains as Schema, item, childPointer(pointer, index));
    if (verdict === 'invalid') continue;
    possible += 1;
    if (verdict === 'valid') matching += 1;
    const isSure = verdict === 'valid' && !check.isSoft('contains');
    if (evaluates) check.evaluated?.add(String(index), isSure ? 'sure' : 'possible');
  }
  const least = typeof node.minContains === 'number' ? node.minContains : 1;
  const fewest = 'minContains' in node ? 'minContains' : 'contains';
  check.demand(fewest, possible < least ? false : matching >= least || undefined);
  if (typeof node.maxContains !== 'number') return;
  const isOver = matching > node.maxContains;
  check.demand('maxContains', isOver ? false : possible <= node.maxContains || undefined);
}

/** Items that no other keyword evaluated; last, when all others have been checked. */
export function checkUnevaluatedItems(check: NodeCheck, value: readonly Json[]): void {
  const { evaluated, node } = check;
  const rest = node.unevaluatedItems as Schema | undefined;
  if (rest === undefined || !evaluated) return;
  for (const [index, item] of value.entries()) {
    const known = evaluated.has(String(index));
    if (known === 'sure') continue;
    const outcome = check.evaluate(rest, item, childPointer(check.pointer, index));
    check.include('unevaluatedItems', outcome, known === 'no');
  }
  evaluated.addAll(check.isSoft('unevaluatedItems') ? 'possible' : 'sure');
}

/** Whether no two items are the same; undefined when they are too large to compare. */
function areUnique(items: readonly Json[], work: CheckLimit): boolean | undefined {
  const seen = new Set<string>();
  for (const item of items) {
    const text = typeof item === 'object' ? canonical(item) : `${typeof item} ${item}`;
    if (!work.spend(4 + text.length / 4)) return undefined;
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** JSON with the members of objects in order of their names: the same text for the same value. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
