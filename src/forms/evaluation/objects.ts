import type { JsonObject } from '../../domain/json';
import { childPointer } from '../../domain/pointer';
import { matchesPattern } from '../patterns/pattern';
import { type Schema, schemaMap, strings } from '../schema/node';
import type { NodeCheck } from './nodeCheck';

/** The keywords of objects. */
export function checkObject(check: NodeCheck, value: JsonObject): void {
  const { node, pointer } = check;
  const keys = Object.keys(value);
  if (typeof node.minProperties === 'number')
    check.demand('minProperties', keys.length >= node.minProperties);
  if (typeof node.maxProperties === 'number')
    check.demand('maxProperties', keys.length <= node.maxProperties);
  const absent = strings(node.required).filter((name) => !Object.hasOwn(value, name));
  if (absent.length > 0) check.demand('required', false, { rule: absent });
  checkMembers(check, value, keys);
  if (!('propertyNames' in node)) return;
  for (const key of keys) {
    // A name has no pointer of its own. A "~" is always followed by 0 or 1 in a real pointer.
    const { verdict } = check.evaluate(node.propertyNames as Schema, key, `${pointer}/~name/${key}`);
    const holds = verdict === 'unknown' ? undefined : verdict === 'valid';
    check.demand('propertyNames', holds, { pointer: childPointer(pointer, key) });
  }
}

function checkMembers(check: NodeCheck, value: JsonObject, keys: readonly string[]): void {
  const { properties, patternProperties, additionalProperties } = check.node;
  const named = schemaMap(properties);
  const patterns = Object.entries(schemaMap(patternProperties));
  if (patterns.length === 0 && additionalProperties === undefined) {
    // Many parts of an `allOf` may each name a few members of a large value.
    const names = Object.keys(named);
    const few = names.length < keys.length ? names : keys;
    for (const key of few)
      if (Object.hasOwn(value, key) && Object.hasOwn(named, key))
        checkMember(check, value, key, named, patterns);
  } else for (const key of keys) checkMember(check, value, key, named, patterns);
}

function checkMember(
  check: NodeCheck,
  value: JsonObject,
  key: string,
  named: Readonly<Record<string, Schema>>,
  patterns: readonly (readonly [string, Schema])[],
): void {
  const { node, work } = check;
  // The verdict is unknown in this case; further findings do not change it.
  if (work.isUsedUp) return;
  const at = childPointer(check.pointer, key);
  const member = value[key] ?? null;
  let covered: 'sure' | 'possible' | 'no' = 'no';
  const cover = (keyword: string, matches: boolean | undefined, schema: Schema) => {
    if (matches === false) return;
    check.include(keyword, check.evaluate(schema, member, at), matches === true);
    const isSure = matches === true && !check.isSoft(keyword);
    if (covered !== 'sure') covered = isSure ? 'sure' : 'possible';
  };
  if (Object.hasOwn(named, key)) cover('properties', true, named[key] as Schema);
  for (const [pattern, schema] of patterns) {
    if (work.isUsedUp) break;
    cover('patternProperties', matchesPattern(pattern, key, work), schema);
  }
  const others = node.additionalProperties as Schema | undefined;
  const known = covered as 'sure' | 'possible' | 'no';
  if (others !== undefined && known !== 'sure') {
    check.include('additionalProperties', check.evaluate(others, member, at), known === 'no');
    covered = check.isSoft('additionalProperties') ? 'possible' : 'sure';
  }
  if (covered !== 'no') check.evaluated?.add(key, covered);
}

/** Members that no other keyword evaluated; last, when all others have been checked. */
export function checkUnevaluatedProperties(check: NodeCheck, value: JsonObject): void {
  const { evaluated, node } = check;
  const rest = node.unevaluatedProperties as Schema | undefined;
  if (rest === undefined || !evaluated) return;
  for (const key of Object.keys(value)) {
    const known = evaluated.has(key);
    if (known === 'sure') continue;
    const outcome = check.evaluate(rest, value[key] ?? null, childPointer(check.pointer, key));
    check.include('unevaluatedProperties', outcome, known === 'no');
  }
  evaluated.addAll(check.isSoft('unevaluatedProperties') ? 'possible' : 'sure');
}
